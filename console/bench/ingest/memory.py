"""How much memory this process has for itself, and whether it grows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import psutil

if TYPE_CHECKING:
    from collections.abc import Sequence

ROLLUP: Final = Path("/proc/self/smaps_rollup")


def own_mib() -> float:
    """Memory that no file stands behind: pages that the index maps from its files can be given back at any time.

    Where the system does not tell them apart, all that is this process's alone.
    """
    if ROLLUP.exists():
        lines = (line.split() for line in ROLLUP.read_text(encoding="ascii").splitlines())
        return next(int(words[1]) for words in lines if words[0] == "Anonymous:") / 2**10
    return psutil.Process().memory_full_info().uss / 2**20


def slope(samples: Sequence[tuple[int, float]]) -> float:
    """By how much the second number grows with the first, by least squares; 0 of fewer than two samples."""
    if len(samples) < 2:
        return 0.0
    return float(np.polyfit([place for place, _ in samples], [value for _, value in samples], 1)[0])
