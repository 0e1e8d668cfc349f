"""Recall, reciprocal rank and nDCG of one ranking, and how sure a mean is. Pure.

A ranking is its gains: for each passage, best first, how many of the `known` supports it is the first to hold. A
question that failed to run has no passages, so it counts as missed everywhere.
"""

from __future__ import annotations

import math
from statistics import fmean, stdev
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def place_of(marks: Sequence[object]) -> int | None:
    """Where the first one that counts is, 1 = first."""
    return next((place for place, mark in enumerate(marks, start=1) if mark), None)


def recall_at(k: int, gains: Sequence[int], known: int) -> float:
    """The share of the known supports that the first `k` passages hold."""
    return sum(gains[:k]) / known


def reciprocal_rank(gains: Sequence[int]) -> float:
    """1 / the place of the first passage that holds a support; 0 when none does."""
    place = place_of(gains)
    return 1 / place if place else 0.0


def ndcg_at(k: int, gains: Sequence[int], known: int) -> float:
    """Discounted gain of the first `k` passages beside that of the ideal ranking, each support in a passage of its own.

    A passage that holds several supports may do better than that ideal: 1 is the most.
    """
    ideal = _discounted([1] * min(k, known))
    return min(1.0, _discounted(gains[:k]) / ideal)


def mean(values: Iterable[float]) -> float:
    """0 for no values."""
    listed = list(values)
    return fmean(listed) if listed else 0.0


def standard_error(values: Sequence[float]) -> float:
    """Of the mean of `values`; 0 when there are fewer than two."""
    return stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(place + 1) for place, gain in enumerate(gains, start=1))
