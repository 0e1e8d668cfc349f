"""Figures over a sliding window, for every moment of a chart at once. Pure; times are epoch s, NaN is unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from engine_host.metrics.samples import Histogram
from engine_host.metrics.window import quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from console.live.tracks import HistogramRows
    from engine_host.metrics.window import Quantile

LONGEST_STEP_S: Final = 2.5
SHARES: Final = (0.5, 0.95, 0.99)
POINTS: Final = 150
"""A chart evaluates exact percentiles at most so often; they change with single turns, not with pixels."""
SHORTEST_S: Final = 0.05


def rates(times: NDArray[np.float64], grown: NDArray[np.float64], over_s: float) -> NDArray[np.float64]:
    """A growing counter's pace a second over the `over_s` before each sample and since the sample before it at the
    least, but never over a gap: NaN at once after one."""
    if not len(times):
        return times
    index = np.arange(len(times))
    after_gap = np.concatenate([[True], np.diff(times) > LONGEST_STEP_S])
    wanted = np.minimum(np.searchsorted(times, times - over_s), index - 1)
    first = np.maximum(wanted, np.maximum.accumulate(np.where(after_gap, index, 0)))
    steps = times - times[first]
    steps[steps <= 0] = np.nan
    return (grown - grown[first]) / steps


def growth(times: NDArray[np.float64], grown: NDArray[np.float64], window_s: float, now: float) -> float | None:
    """How much a counter grew in the last `window_s` before `now`; None when it was not seen twice."""
    inside = grown[(times >= now - window_s) & (times <= now) & ~np.isnan(grown)]
    return float(inside[-1] - inside[0]) if len(inside) > 1 else None


def pace(times: NDArray[np.float64], grown: NDArray[np.float64], window_s: float, now: float) -> float | None:
    """A counter's growth a second over the last `window_s`."""
    inside = (times >= now - window_s) & (times <= now) & ~np.isnan(grown)
    seen, known = times[inside], grown[inside]
    return float((known[-1] - known[0]) / (seen[-1] - seen[0])) if len(seen) > 1 and seen[-1] > seen[0] else None


def bucket_percentiles(
    times: NDArray[np.float64], rows: HistogramRows, window_s: float, shares: Sequence[float], since: float
) -> NDArray[np.float64]:
    """One row for each sample from `since` on, one column for each share, in s; interpolated in the bucket."""
    grown = _grown(times, rows, window_s, since)
    columns = [_one_share(grown, share, rows.edges)[0] for share in shares]
    return np.where(grown[:, -1:] > 0, np.stack(columns, axis=1), np.nan)


def bucket_bounds(
    times: NDArray[np.float64], rows: HistogramRows, window_s: float, share: float, since: float
) -> NDArray[np.float64]:
    """For each sample from `since` on the edges, in s, of the bucket that holds the share; NaN above the last one."""
    grown = _grown(times, rows, window_s, since)
    _, low, high = _one_share(grown, share, rows.edges)
    return np.where(grown[:, -1:] > 0, np.stack([low, np.where(np.isinf(high), np.nan, high)], axis=1), np.nan)


def _grown(times: NDArray[np.float64], rows: HistogramRows, window_s: float, since: float) -> NDArray[np.float64]:
    """What came into each bucket in the window before each sample from `since` on."""
    start = int(np.searchsorted(times, since))
    first = np.searchsorted(times, times[start:] - window_s)
    return rows.counts[start:] - rows.counts[first]


def _one_share(
    grown: NDArray[np.float64], share: float, edges: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """As engine_host.metrics.window.quantile, for all rows together: the values and the edges around them."""
    below = np.concatenate([np.zeros((len(grown), 1)), grown[:, :-1]], axis=1)
    lows = np.concatenate([[0.0], edges[:-1]])
    rank = share * grown[:, -1:]
    holds = (grown >= rank) & (grown > below)
    bucket = holds.argmax(axis=1)
    row = np.arange(len(grown))
    low, high = lows[bucket], edges[bucket]
    width = np.where(np.isinf(high), 0.0, high - low)
    inside = np.maximum(0.0, rank[:, 0] - below[row, bucket])
    count = grown[row, bucket] - below[row, bucket]
    value = low + width * np.divide(inside, count, out=np.zeros_like(inside), where=count > 0)
    return value, low, high


def bucket_quantile(
    times: NDArray[np.float64], rows: HistogramRows, window_s: float, share: float, now: float
) -> Quantile | None:
    """The newest percentile with the edges of its bucket; None when nothing was observed."""
    inside = (times >= now - window_s) & (times <= now) & ~np.isnan(rows.counts[:, -1])
    kept = rows.counts[inside]
    if len(kept) < 2 or kept[-1, -1] <= kept[0, -1]:
        return None
    grown = kept[-1] - kept[0]
    histogram = Histogram(tuple(rows.edges.tolist()), tuple(grown.tolist()), float(grown[-1]), 0.0)
    return quantile(histogram, share)


@dataclass(frozen=True, slots=True)
class Observations:
    """`values` seen at `times`, in the order of time."""

    times: NDArray[np.float64]
    values: NDArray[np.float64]

    def inside(self, window_s: float, now: float) -> NDArray[np.float64]:
        first, last = np.searchsorted(self.times, [now - window_s, now], side="right")
        return self.values[first:last]


def exact_percentiles(
    seen: Observations, grid: NDArray[np.float64], window_s: float, shares: Sequence[float], least: int
) -> NDArray[np.float64]:
    """Nearest-rank percentiles of the window before each moment of `grid`; NaN where it holds fewer than `least`."""
    result = np.full((len(grid), len(shares)), np.nan)
    step = max(1, -(-len(grid) // POINTS))
    for end in range(len(grid) - 1, -1, -step):
        inside = np.sort(seen.inside(window_s, float(grid[end])))
        if len(inside) >= least:
            result[max(0, end - step + 1) : end + 1] = [nearest_rank(inside, share) for share in shares]
    return result


def nearest_rank(ordered: Sequence[float] | NDArray[np.float64], share: float) -> float:
    """The smallest value that `share` of all do not pass. `ordered` must hold at least one."""
    return float(ordered[max(0, int(np.ceil(share * len(ordered) - 1e-9)) - 1)])


def spread_rates(
    starts: NDArray[np.float64], ends: NDArray[np.float64], amounts: NDArray[np.float64],
    grid: NDArray[np.float64], over_s: float,
) -> NDArray[np.float64]:  # fmt: skip
    """Amounts a second over the `over_s` before each moment, each amount spread evenly from its start to its end."""
    if not len(starts):
        return np.zeros(len(grid))
    ends = np.maximum(ends, starts + SHORTEST_S)
    slopes = amounts / (ends - starts)
    knots = np.concatenate([starts, ends])
    turns = np.concatenate([slopes, -slopes])
    order = np.argsort(knots, kind="stable")
    knots, slope = knots[order], np.cumsum(turns[order])
    totals = np.concatenate([[0.0], np.cumsum(slope[:-1] * np.diff(knots))])
    return (np.interp(grid, knots, totals) - np.interp(grid - over_s, knots, totals)) / over_s
