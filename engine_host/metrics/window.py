"""Percentiles and rates over a window of scrapes. Pure.

Counters are compared pair by pair, so that a restart in the middle (a counter that fell) costs nothing but the
unseen moment. A gap is bridged as long as it is the same engine that answers after it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from engine_host.metrics.samples import Histogram, MetricSample, Scrape, ScrapeGap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ENGINE_CHANGED = "Another engine is read from here on."
SAME_S = 1.0
"""Two start times that lie closer are one."""


@dataclass(frozen=True, slots=True)
class Quantile:
    """`value` is interpolated within the bucket `low` to `high` (seconds) that holds it: all that the engine tells.

    In the last bucket `high` is infinity and `value` is `low`: at least that.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Percentiles:
    """`count` is how many observations the window holds."""

    p50: Quantile
    p95: Quantile
    p99: Quantile
    count: float


def in_window(scrapes: Sequence[Scrape], window_s: float, now: float) -> list[Scrape]:
    """The scrapes of the last `window_s` seconds before `now` (monotonic)."""
    return [one for one in scrapes if now - window_s <= one.mono <= now]


def percentiles(scrapes: Sequence[Scrape], pick: Callable[[MetricSample], Histogram | None]) -> Percentiles | None:
    """Of what was observed between the first and the last scrape; None when nothing was, or it is not published."""
    grown = histogram_growth(scrapes, pick)
    if grown is None or grown.count <= 0:
        return None
    p50, p95, p99 = (quantile(grown, share) for share in (0.5, 0.95, 0.99))
    return Percentiles(p50, p95, p99, grown.count)


def rate(scrapes: Sequence[Scrape], pick: Callable[[MetricSample], float | None]) -> float | None:
    """A counter's growth a second between the first and the last scrape; None when it cannot be known."""
    grown = elapsed = 0.0
    for before, after in _pairs(scrapes):
        first, last = pick(before), pick(after)
        if first is not None and last is not None:
            grown += last - first if last >= first and not began_again(before, after) else last
            elapsed += after.mono - before.mono
    return grown / elapsed if elapsed > 0 else None


def rate_points(
    scrapes: Sequence[Scrape], pick: Callable[[MetricSample], float | None]
) -> tuple[list[float], list[float]]:
    """Monotonic seconds and the rate that ended there; NaN where there was a gap, so that a chart shows one."""
    times, values = [one.mono for one in scrapes[1:]], [math.nan] * max(0, len(scrapes) - 1)
    for at, (before, after) in enumerate(pairwise(scrapes)):
        known = rate((before, after), pick)
        values[at] = math.nan if known is None else known
    return times, values


def gauge_points(
    scrapes: Sequence[Scrape], pick: Callable[[MetricSample], float | None]
) -> tuple[list[float], list[float]]:
    """Monotonic seconds and the gauge as it was; NaN where there was a gap."""
    told = [None if isinstance(one, ScrapeGap) else pick(one) for one in scrapes]
    return [one.mono for one in scrapes], [math.nan if value is None else value for value in told]


def histogram_growth(scrapes: Sequence[Scrape], pick: Callable[[MetricSample], Histogram | None]) -> Histogram | None:
    """What a histogram took in between the first and the last scrape."""
    total: Histogram | None = None
    for before, after in _pairs(scrapes):
        first, last = pick(before), pick(after)
        if first is not None and last is not None:
            step = last if began_again(before, after) else _difference(first, last)
            total = step if total is None or total.edges != step.edges else _sum(total, step)
    return total


def quantile(histogram: Histogram, share: float) -> Quantile:
    """The value that `share` (0 to 1) of the observations do not pass. `histogram` must hold at least one."""
    rank = share * histogram.count
    low = below = 0.0
    for edge, count in zip(histogram.edges, histogram.counts, strict=True):
        if count >= rank and count > below:
            if math.isinf(edge):
                return Quantile(low, low, edge)
            return Quantile(low + (edge - low) * max(0.0, rank - below) / (count - below), low, edge)
        low, below = edge, count
    return Quantile(low, low, math.inf)


def began_again(before: MetricSample, after: MetricSample) -> bool:
    """Whether another process answers at this address: its counters may already have passed the old ones."""
    return before.started is not None and after.started is not None and abs(after.started - before.started) > SAME_S


def _pairs(scrapes: Sequence[Scrape]) -> Iterator[tuple[MetricSample, MetricSample]]:
    before: MetricSample | None = None
    for one in scrapes:
        if isinstance(one, ScrapeGap):
            before = None if one.reason == ENGINE_CHANGED else before
            continue
        if before is not None:
            yield before, one
        before = one


def _difference(first: Histogram, last: Histogram) -> Histogram:
    if first.edges != last.edges or any(b < a for a, b in zip(first.counts, last.counts, strict=True)):
        return last  # the engine began again
    counts = tuple(b - a for a, b in zip(first.counts, last.counts, strict=True))
    return Histogram(last.edges, counts, last.count - first.count, last.sum - first.sum)


def _sum(one: Histogram, other: Histogram) -> Histogram:
    counts = tuple(a + b for a, b in zip(one.counts, other.counts, strict=True))
    return Histogram(one.edges, counts, one.count + other.count, one.sum + other.sum)
