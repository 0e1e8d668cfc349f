"""The folder of the sockets by which a vLLM's own processes talk: each engine has one, removed when the engine is gone.

Left to itself vLLM puts half a dozen into the folder for temporary files at every start, and a killed one leaves
them there for ever.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Final

VARIABLE: Final = "VLLM_RPC_BASE_PATH"
PREFIX: Final = "dabba-"


def make_folder() -> Path:
    """A new one, private to this user. Its path is short: that of a socket has at most 107 bytes. Raises OSError."""
    return Path(tempfile.mkdtemp(prefix=PREFIX))


def remove_folder(folder: Path) -> None:
    """Remove it when it is one of ours and there."""
    if folder.name.startswith(PREFIX) and folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder, ignore_errors=True)
