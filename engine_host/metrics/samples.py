"""One reading of an engine's /metrics. A series that the engine does not publish is None: a gap, never 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Histogram:
    """Cumulative bucket counts by upper edge in seconds (the last edge is infinity), with the total count and sum."""

    edges: tuple[float, ...]
    counts: tuple[float, ...]
    count: float
    sum: float


@dataclass(frozen=True, slots=True)
class MetricSample:
    """Gauges as they are, counters as totals since the engine's start. `at` is when the scrape was answered (UTC);
    `mono` the same by the monotonic clock, in seconds."""

    at: datetime
    mono: float
    scrape_ms: float
    running: float | None = None
    waiting: float | None = None
    kv_usage: float | None = None
    """Fraction 0 to 1 of the KV blocks."""
    kv_blocks: int | None = None
    block_size: int | None = None
    prompt_tokens: float | None = None
    output_tokens: float | None = None
    prefix_queries: float | None = None
    prefix_hits: float | None = None
    preemptions: float | None = None
    requests_ok: float | None = None
    ttft: Histogram | None = None
    inter_token: Histogram | None = None


@dataclass(frozen=True, slots=True)
class ScrapeGap:
    """A scrape that brought nothing. `reason` is a sentence."""

    at: datetime
    mono: float
    reason: str


Scrape = MetricSample | ScrapeGap
