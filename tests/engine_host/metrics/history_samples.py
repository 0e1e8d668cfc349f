"""Samples of a day that tests keep: an engine whose counters a test says, second by second."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from engine_host.metrics.history_rows import figures_of, rows_of
from engine_host.metrics.samples import Histogram, MetricSample, ScrapeGap

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine_host.metrics.history_rows import HistoryRows

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
T0 = NOON.timestamp()
EDGES = (0.1, 0.5, 1.0, math.inf)


def sample(second: float, **figures: Any) -> MetricSample:
    return MetricSample(NOON + timedelta(seconds=second), 1000.0 + second, 2.0, **figures)


def gap(second: float) -> ScrapeGap:
    reason = "The engine's metrics did not come within 1.5 s."
    return ScrapeGap(NOON + timedelta(seconds=second), 1000.0 + second, reason)


def buckets(*counts: float) -> Histogram:
    """From the counts within each of EDGES."""
    cumulative = tuple(sum(counts[: number + 1]) for number in range(len(counts)))
    return Histogram(EDGES, cumulative, cumulative[-1], 0.0)


def seconds(
    count: int, figures: Callable[[int], dict[str, Any]], marks: Mapping[int, int] | None = None, start: int = 0
) -> HistoryRows:
    """A row each second from NOON + `start` on."""
    numbers = range(start, start + count)
    told = [figures_of(sample(number, **figures(number))) for number in numbers]
    return rows_of([T0 + number for number in numbers], [(marks or {}).get(number, 0) for number in numbers], told)
