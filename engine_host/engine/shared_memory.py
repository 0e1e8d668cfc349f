"""Shared memory that killed workers leave behind: vLLM's are 400 MB a run, and nobody else removes them. Linux only."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import psutil

_MAPPED = re.compile(r"(/dev/shm/(?:psm_|sem\.mp-)\S+)")


def mapped_by(processes: Iterable[psutil.Process]) -> set[Path]:
    """The segments of Python's multiprocessing that `processes` have open; what cannot be read counts as none."""
    return {Path(found) for one in processes for found in _MAPPED.findall(_maps(one.pid))}


def _maps(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/maps").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def remove(segments: Iterable[Path]) -> None:
    for segment in segments:
        segment.unlink(missing_ok=True)
