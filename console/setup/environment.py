"""The program's own Python environment, `.venv` in the checkout: is it what the lock says? Standard library only.

Read at every start by a bare Python, so it imports little.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from pathlib import Path

Kind = Literal["console", "dev"]
MARKER: Final = "dabba.json"


def environment_folder(root: Path) -> Path:
    return root / ".venv"


def environment_python(root: Path) -> Path:
    return environment_folder(root) / "bin" / "python"


def lock_file(root: Path, kind: Kind) -> Path:
    """The dev lock holds everything of the console lock and the tools of the tests."""
    return root / "requirements" / f"{kind}.lock"


def wanted_marker(root: Path, kind: Kind) -> dict[str, str]:
    """What the marker of a finished environment says. Raises OSError when the lock cannot be read."""
    kinds: tuple[Kind, ...] = ("console", "dev") if kind == "dev" else ("console",)
    locks = {one: hashlib.sha256(lock_file(root, one).read_bytes()).hexdigest() for one in kinds}
    return {"root": str(root), "python": "{}.{}".format(*sys.version_info[:2])} | locks


def is_ready(root: Path, kind: Kind) -> bool:
    """Whether the environment was finished for the lock as it is now, in this place, by this version of Python."""
    try:
        kept = json.loads((environment_folder(root) / MARKER).read_text(encoding="utf-8"))
        return environment_python(root).exists() and wanted_marker(root, kind).items() <= kept.items()
    except (OSError, ValueError, AttributeError):
        return False
