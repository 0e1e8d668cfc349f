"""Differences that were measured in pairs: their noise, their mean, and whether chance explains them. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

TOSSES: Final = 10_000
MIDDLE: Final = 95
SEED: Final = 3
_STEPS: Final = 4_001
_WIDEST: Final = 1e4


def noise_of(differences: Sequence[float]) -> float:
    """Half the width of the middle 95 % of `differences`."""
    low, high = np.percentile(differences, [(100 - MIDDLE) / 2, (100 + MIDDLE) / 2])
    return float(high - low) / 2


def signed_rank_p(differences: Sequence[float]) -> float:
    """Wilcoxon's signed-rank test, two-sided, by tossing signs: how often ranks would be as uneven by chance."""
    values = np.asarray(differences)
    ranks = np.argsort(np.argsort(np.abs(values))) + 1.0
    signs = np.random.default_rng(SEED).choice((-1.0, 1.0), size=(TOSSES, len(values)))
    uneven = abs(float(np.sign(values) @ ranks))
    return float((np.sum(np.abs(signs @ ranks) >= uneven) + 1) / (TOSSES + 1))


def mean_interval(differences: Sequence[float]) -> tuple[float, float] | None:
    """The ends of Student's 95 % confidence interval of the mean; None of fewer than two."""
    count = len(differences)
    if count < 2:
        return None
    values = np.asarray(differences)
    half = student_t(count - 1) * float(np.std(values, ddof=1)) / math.sqrt(count)
    return float(np.mean(values)) - half, float(np.mean(values)) + half


def student_t(freedom: int) -> float:
    """What Student's t with so many degrees of freedom stays within, either side of 0, in 95 of 100 cases."""
    low, high = 0.0, _WIDEST
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if _share_within(middle, freedom) < MIDDLE / 100 else (low, middle)
    return high


def _share_within(limit: float, freedom: int) -> float:
    """By t = sqrt(freedom) tan(angle) the density becomes a power of the cosine over a short way, smooth to its end."""
    angles = np.linspace(0.0, math.atan(limit / math.sqrt(freedom)), _STEPS)
    constant = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)
    return 2 * constant * float(np.trapezoid(np.cos(angles) ** (freedom - 1), angles))
