"""Text that leaves this machine: keys, tokens and passwords become stars. The patterns are data. Pure."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


def without_secrets(text: str) -> str:
    """Keys, tokens and passwords become stars."""
    hidden, patterns = _patterns()
    for pattern in patterns:
        text = pattern.sub(lambda found: _hide(found, hidden), text)
    return text


def _hide(found: re.Match[str], hidden: str) -> str:
    groups = found.groupdict()
    return f"{groups.get('before') or ''}{hidden}{groups.get('after') or ''}"


@cache
def _patterns() -> tuple[str, tuple[re.Pattern[str], ...]]:
    data: dict[str, Any] = tomllib.loads(files("assets").joinpath("engine/secrets.toml").read_text(encoding="utf-8"))
    return data["hidden"], tuple(re.compile(one) for one in data["patterns"])
