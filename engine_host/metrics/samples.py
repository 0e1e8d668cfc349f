"""One reading of an engine's /metrics. A series that the engine does not publish is None: a gap, never 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Histogram:
    """Cumulative bucket counts by upper edge (seconds mostly; the last is infinity), with the total count and sum."""

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
    waiting_reasons: tuple[tuple[str, float], ...] = ()
    """How many wait for which reason, such as ("capacity", 2.0); () = the engine does not say."""
    kv_usage: float | None = None
    """Fraction 0 to 1 of the KV blocks."""
    kv_blocks: int | None = None
    """Those that requests can have."""
    block_size: int | None = None
    """Tokens in a block."""
    kv_tokens: int | None = None
    """Tokens that all blocks hold, as the engine says it."""
    prompt_tokens: float | None = None
    """Computed and cached ones together."""
    prompt_computed: float | None = None
    prompt_cached: float | None = None
    output_tokens: float | None = None
    prefix_queries: float | None = None
    prefix_hits: float | None = None
    preemptions: float | None = None
    requests_ok: float | None = None
    finished: tuple[tuple[str, float], ...] = ()
    """Ended requests by their reason, such as ("stop", 4.0); () = not published."""
    rejections: float | None = None
    """Requests that were refused at the door, because a queue limit was reached."""
    sleep: str = ""
    """vLLM's word, such as "awake" or "weights_offloaded"; "" = not published."""
    started: float | None = None
    """When the server's process began (epoch s), as it says itself: another one means that counters began again."""
    ttft: Histogram | None = None
    inter_token: Histogram | None = None
    per_token: Histogram | None = None
    """Mean seconds per output token of each ended request."""
    queue: Histogram | None = None
    prefill: Histogram | None = None
    decode: Histogram | None = None
    e2e: Histogram | None = None
    step_tokens: Histogram | None = None
    """Tokens, not seconds: how many the engine worked on in each of its steps."""
    models: tuple[str, ...] = ()
    """The models that these figures are of."""
    faults: tuple[tuple[str, str], ...] = ()
    """Figures that are None although the page has their series: their name here, and a sentence."""

    def fault(self, figure: str) -> str:
        """Why `figure` is unknown, "" when it is known or simply not published."""
        return dict(self.faults).get(figure, "")


@dataclass(frozen=True, slots=True)
class ScrapeGap:
    """A scrape that brought nothing. `reason` is a sentence."""

    at: datetime
    mono: float
    reason: str


Scrape = MetricSample | ScrapeGap
