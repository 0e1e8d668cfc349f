"""Shared memory that killed workers leave behind: vLLM's are 400 MB a run, and nobody else removes them. Linux only."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import psutil

_MAPPED = re.compile(r"(/dev/shm/(?:psm_|sem\.mp-)[^\s/]+)")


def mapped_by(processes: Iterable[psutil.Process]) -> set[Path]:
    """The segments and semaphores of Python's multiprocessing that `processes` have open; unreadable counts as none."""
    return {Path(found) for one in processes for found in _MAPPED.findall(_maps(one.pid))}


def _maps(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/maps").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def remove(segments: Iterable[Path]) -> None:
    """Remove those of them that are this user's; `segments` were open in processes of ours that are gone now."""
    for segment in segments:
        if _MAPPED.fullmatch(str(segment)) and _is_ours(segment):
            segment.unlink(missing_ok=True)


def _is_ours(segment: Path) -> bool:
    try:
        return segment.lstat().st_uid == os.geteuid()
    except OSError:
        return False
