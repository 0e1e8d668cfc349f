"""Scrapes of an engine whose counters a test says."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

from engine_host.metrics.samples import Histogram, MetricSample, ScrapeGap
from engine_host.metrics.window import ENGINE_CHANGED

START = datetime(2026, 11, 30, 7, 0, tzinfo=UTC)
T0 = START.timestamp()
EDGES = (0.1, 0.5, 1.0, 2.5, math.inf)


def sample(second: float, **figures: Any) -> MetricSample:
    return MetricSample(START + timedelta(seconds=second), 1000.0 + second, 2.0, **figures)


def gap(second: float, reason: str = "The engine's metrics did not come within 1.5 s.") -> ScrapeGap:
    return ScrapeGap(START + timedelta(seconds=second), 1000.0 + second, reason)


def other_engine(second: float) -> ScrapeGap:
    return gap(second, ENGINE_CHANGED)


def buckets(*counts: float) -> Histogram:
    """From counts within each of EDGES."""
    total, cumulative = 0.0, []
    for count in counts:
        total += count
        cumulative.append(total)
    return Histogram(EDGES, tuple(cumulative), total, 0.0)
