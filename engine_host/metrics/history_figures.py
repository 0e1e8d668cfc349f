"""What one engine's rows of history say of each slot of a time axis. Pure; NaN is what nobody knows.

A slot lies between two edges (epoch s). Rates are growth over the seconds of the slot that were seen; one of which less
than half was seen has none. What a histogram took in is counted over a gap too, while the same server answers.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Final

import numpy as np

from engine_host.metrics.history_rows import SEEN, UNSEEN, Before

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engine_host.metrics.history_rows import HistoryRows

SEEN_SHARE: Final = 0.5
LEAST: Final = 0.5
"""An observation that lies between two slots counts in part in both; where less than half a one is left, none was."""


class Slotted:
    """One engine's rows laid on slots. Every answer is an array with a number for each slot."""

    def __init__(self, rows: HistoryRows, edges: NDArray[np.float64]) -> None:
        self._rows = rows
        self._edges = edges
        self._size = np.diff(edges)
        self._slot = np.searchsorted(edges, rows.times, side="right") - 1
        self._inside = (self._slot >= 0) & (self._slot < len(self._size))
        self._steps = np.diff(rows.times, prepend=rows.times[:1])

    @property
    def lost(self) -> NDArray[np.bool_]:
        """Slots of which half or more is a gap: nobody knows, in place of nothing happened."""
        gap = self._marked(Before.GAP) & ~self._marked(Before.AWAY)
        return self._between(np.where(gap, self._steps, 0.0)) / self._size >= SEEN_SHARE

    @property
    def gaps(self) -> tuple[tuple[float, float], ...]:
        """The spans in which nobody knows what happened."""
        gap = np.flatnonzero(self._marked(Before.GAP) & ~self._marked(Before.AWAY))
        times = self._rows.times
        return tuple((float(times[at - 1]), float(times[at])) for at in gap if at > 0)

    def mean(self, gauge: str) -> NDArray[np.float64]:
        """Weighted by the samples that each row stands for."""
        values = self._rows.column(gauge)
        known = ~np.isnan(values)
        weights = np.where(known, np.nan_to_num(self._rows.column(SEEN), nan=1.0), 0.0)
        return ratio(self._sums(np.nan_to_num(values) * weights), self._sums(weights))

    def highest(self, gauge: str) -> NDArray[np.float64]:
        found = np.full(len(self._size), -np.inf)
        values = self._rows.highest(gauge)
        inside = self._inside & ~np.isnan(values)
        np.maximum.at(found, self._slot[inside], values[inside])
        return np.where(np.isinf(found), np.nan, found)

    def last(self, fact: str) -> float | None:
        """The newest number that is known of a fact."""
        values = self._rows.column(fact)
        known = values[~np.isnan(values)]
        return float(known[-1]) if len(known) else None

    def growth(self, counter: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """How much a counter grew in each slot, and in how many seconds of it; (NaN, 0) where too little was seen."""
        totals = self._rows.column(counter)
        known = ~np.isnan(totals)
        both = known & np.concatenate([[False], known[:-1]]) & ~self._marked(UNSEEN)
        grown = np.where(self._marked(Before.RESTART), totals, np.diff(totals, prepend=totals[:1]))
        seconds = self._between(np.where(both, self._steps, 0.0))
        enough = seconds >= SEEN_SHARE * self._size
        found = self._between(np.where(both, np.maximum(np.nan_to_num(grown), 0.0), 0.0))
        return np.where(enough, found, np.nan), np.where(enough, seconds, 0.0)

    def rate(self, counter: str) -> NDArray[np.float64]:
        """Growth a second."""
        return ratio(*self.growth(counter))

    def taken_in(self, histogram: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Upper edges, and what each slot took in up to each of them: slots by edges. What came in a gap counts where
        the gap ends.

        Only edges that every row has that tells of the histogram: what was counted up to them is sure in all of them.
        """
        edges, counts = self._rows.buckets(histogram)
        told = counts[~np.isnan(counts).all(axis=1)]
        common = ~np.isnan(told).any(axis=0)
        grown = self._taken(_filled(counts[:, common]))
        gap = self._marked(Before.GAP)
        taken = [
            self._between(np.where(gap, 0.0, grown[:, at])) + self._sums(np.where(gap, grown[:, at], 0.0))
            for at in range(grown.shape[1])
        ]
        return edges[common], np.stack(taken, axis=1) if taken else np.empty((len(self._size), 0))

    def _taken(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        grown = np.diff(totals, axis=0, prepend=totals[:1])
        grown = np.where(self._marked(Before.RESTART)[:, None], totals, grown)
        return np.where(self._marked(Before.OTHER)[:, None], 0.0, np.nan_to_num(np.maximum(grown, 0.0)))

    def _marked(self, mark: Before) -> NDArray[np.bool_]:
        return (self._rows.marks & int(mark)) != 0

    def _sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        inside = self._inside
        return np.bincount(self._slot[inside], weights=values[inside], minlength=len(self._size)).astype(np.float64)

    def _between(self, grown: NDArray[np.float64]) -> NDArray[np.float64]:
        """The part of what grew up to each row that falls into each slot, evenly over the time since the row before."""
        if not len(grown):
            return np.zeros(len(self._size))
        return np.diff(np.interp(self._edges, self._rows.times, np.cumsum(grown)))


def _filled(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each NaN replaced by the number above it in its column, where there is one."""
    index = np.where(np.isnan(totals), 0, np.arange(len(totals))[:, None])
    return np.take_along_axis(totals, np.maximum.accumulate(index, axis=0), axis=0)


def ratio(top: NDArray[np.float64], bottom: NDArray[np.float64]) -> NDArray[np.float64]:
    """NaN where there is nothing to divide by."""
    return np.divide(top, bottom, out=np.full(len(top), np.nan), where=bottom > 0)


def edges_between(first: float, last: float, slot_s: float) -> NDArray[np.float64]:
    """Edges at whole multiples of `slot_s` that cover the span."""
    begin = np.floor(first / slot_s)
    return slot_s * np.arange(begin, np.ceil(last / slot_s) + 1, dtype=np.float64)


def summed(parts: Sequence[NDArray[np.float64]], lost: Sequence[NDArray[np.bool_]]) -> NDArray[np.float64]:
    """Several engines together. One that was not there adds nothing; where one has a gap nobody knows the sum."""
    stack = np.stack(parts)
    nobody = np.isnan(stack).all(axis=0)
    return np.where(nobody | np.any(np.stack(lost), axis=0), np.nan, np.nansum(stack, axis=0))


def quantiles(
    parts: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]], shares: Sequence[float]
) -> NDArray[np.float64]:
    """Slots by `shares` of what several engines' histograms took in: see `Slotted.taken_in`. NaN where nothing was.

    Interpolated in the bucket, as `window.quantile` does; over edges that all of them have.
    """
    edges = reduce(np.intersect1d, [own for own, _ in parts])
    slots = len(parts[0][1])
    if not len(edges):
        return np.full((slots, len(shares)), np.nan)
    counts = np.sum([taken[:, np.isin(own, edges)] for own, taken in parts], axis=0)
    known = counts[:, -1] >= LEAST
    found = [np.where(known, _quantile(edges, counts, share), np.nan) for share in shares]
    return np.stack(found, axis=1)


def _quantile(edges: NDArray[np.float64], counts: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """As `window.quantile`, for every slot at once."""
    rank = share * counts[:, -1]
    below = np.concatenate([np.zeros((len(counts), 1)), counts[:, :-1]], axis=1)
    bucket = ((counts >= rank[:, None]) & (counts > below)).argmax(axis=1)
    slot = np.arange(len(counts))
    low, high = np.concatenate([[0.0], edges[:-1]])[bucket], edges[bucket]
    held = counts[slot, bucket] - below[slot, bucket]
    part = np.divide(np.maximum(0.0, rank - below[slot, bucket]), held, out=np.zeros(len(counts)), where=held > 0)
    return low + np.where(np.isinf(high), 0.0, high - low) * part
