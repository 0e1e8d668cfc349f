"""The version of this program."""

from __future__ import annotations

import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parents[2] / "pyproject.toml"


def program_version() -> str:
    """From the checkout that runs; from the installed package when there is no checkout."""
    if PROJECT.is_file():
        return str(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"])
    return version("dabba-console")
