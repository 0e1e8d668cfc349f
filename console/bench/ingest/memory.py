"""How much memory this process has for itself, and whether it grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import psutil

if TYPE_CHECKING:
    from collections.abc import Sequence


def own_mib() -> float:
    """Memory that is nobody else's and not a file's: what the index maps from its files can be given back any time."""
    return psutil.Process().memory_full_info().uss / 2**20


def slope(samples: Sequence[tuple[int, float]]) -> float:
    """By how much the second number grows with the first, by least squares; 0 of fewer than two samples."""
    if len(samples) < 2:
        return 0.0
    return float(np.polyfit([place for place, _ in samples], [value for _, value in samples], 1)[0])
