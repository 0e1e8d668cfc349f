"""An hour of an engine's samples as arrays. Counters go on where a restart of the engine made them fall."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from console.live.figures import COUNTERS, GAUGES, HISTOGRAMS
from engine_host.metrics.poller import KEPT
from engine_host.metrics.samples import MetricSample, ScrapeGap
from engine_host.metrics.window import ENGINE_CHANGED, began_again

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

    from engine_host.metrics.samples import Histogram, Scrape

CLOCK_JUMP_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class HistogramRows:
    """Cumulative bucket counts by sample (rows) and upper edge in seconds (columns); they never fall. NaN = unknown."""

    edges: NDArray[np.float64]
    counts: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TrackMark:
    """Something that the samples themselves show, at `time` (epoch s)."""

    time: float
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class EngineRows:
    """What the engine told, by sample, at `times` (epoch s). Counters never fall; NaN = unknown.

    `failed` are the times of scrapes that brought nothing: an engine that was not even asked has neither. `histograms`
    has those that were asked for.
    """

    times: NDArray[np.float64]
    figures: Mapping[str, NDArray[np.float64]]
    histograms: Mapping[str, HistogramRows | None]
    failed: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    marks: tuple[TrackMark, ...] = ()

    def known(self, key: str) -> bool:
        """Whether the newest sample has this figure."""
        return len(self.times) > 0 and not np.isnan(self.figures[key][-1])


class Ring:
    """The last `capacity` rows of `width` numbers."""

    def __init__(self, width: int, capacity: int = KEPT) -> None:
        self._capacity = capacity
        self._rows = np.full((2 * capacity, width), np.nan)
        self._end = 0

    def append(self, row: NDArray[np.float64]) -> None:
        if self._end == len(self._rows):
            self._rows[: self._capacity] = self._rows[self._capacity :]
            self._end = self._capacity
        self._rows[self._end] = row
        self._end += 1

    def shift(self, column: int, by: float) -> None:
        self._rows[: self._end, column] += by

    def copy(self, last: int | None = None) -> NDArray[np.float64]:
        """The newest `last` rows, None = all, oldest first."""
        count = min(self._end, self._capacity if last is None else last)
        return self._rows[self._end - count : self._end].copy()


class Growing:
    """Makes numbers that only grow out of counters that begin again with the engine; all of a row fall together."""

    def __init__(self, width: int) -> None:
        self._raw: NDArray[np.float64] | None = None
        self._grown = np.zeros(width)

    def falls(self, raw: NDArray[np.float64]) -> bool:
        return self._raw is not None and bool((raw < self._raw).any())

    def add(self, raw: NDArray[np.float64], *, anew: bool = False) -> NDArray[np.float64]:
        """`anew`: the engine began again, although no number may show it."""
        if np.isnan(raw).all():
            return raw
        if self._raw is not None:
            anew = anew or self.falls(raw)
            self._grown = self._grown + np.nan_to_num(raw if anew else raw - self._raw)
        known = raw if self._raw is None or anew else np.where(np.isnan(raw), self._raw, raw)
        self._raw = known
        return np.where(np.isnan(raw), np.nan, self._grown)

    def cut(self) -> None:
        """Another engine: its first counts are no growth."""
        self._raw = None


class HistogramTrack:
    """One histogram; buckets with other edges begin a new track, whose earlier samples are not known."""

    def __init__(self) -> None:
        self._edges: tuple[float, ...] = ()
        self._ring = Ring(0)
        self._growing = Growing(0)

    def add(self, histogram: Histogram | None, *, anew: bool = False) -> None:
        if histogram is not None and histogram.edges != self._edges:
            self._edges = histogram.edges
            self._ring = Ring(len(self._edges))
            self._growing = Growing(len(self._edges))
        nothing = np.full(len(self._edges), np.nan)
        self._ring.append(nothing if histogram is None else self._growing.add(np.array(histogram.counts), anew=anew))

    def cut(self) -> None:
        self._growing.cut()

    def rows(self, samples: int) -> HistogramRows | None:
        """As many rows as there are samples; None when it was never published."""
        if not self._edges:
            return None
        kept = self._ring.copy(samples)
        missing = np.full((samples - len(kept), len(self._edges)), np.nan)
        return HistogramRows(np.array(self._edges), np.concatenate([missing, kept]))


class EngineHistory:
    """Give it every scrape once, in order; `rows()` are copies that later scrapes leave alone.

    When the machine's clock is set back, earlier samples move back with it: their order and their distances are true.
    """

    def __init__(self) -> None:
        self._gauges = Ring(1 + len(GAUGES))
        self._failed = Ring(1)
        self._counters = Ring(len(COUNTERS))
        self._growing = Growing(len(COUNTERS))
        self._histograms = {key: HistogramTrack() for key in HISTOGRAMS}
        self._marks: tuple[TrackMark, ...] = ()
        self._last: Scrape | None = None
        self._sample: MetricSample | None = None

    def add(self, scrape: Scrape) -> None:
        if isinstance(scrape, ScrapeGap) and scrape.reason == ENGINE_CHANGED:
            self._cut()
            return
        self._follow_clock(scrape)
        if isinstance(scrape, MetricSample):
            self._add(scrape)
            self._sample = scrape
        else:
            self._failed.append(np.array([scrape.at.timestamp()]))
        self._last = scrape

    def rows(self, histograms: Collection[str] = tuple(HISTOGRAMS)) -> EngineRows:
        """With these of the histograms."""
        gauges, counters = self._gauges.copy(), self._counters.copy()
        figures = {key: gauges[:, number] for number, key in enumerate(GAUGES, start=1)}
        figures |= {key: counters[:, number] for number, key in enumerate(COUNTERS)}
        told = {key: self._histograms[key].rows(len(gauges)) for key in histograms}
        oldest = gauges[0, 0] if len(gauges) else -np.inf
        self._marks = tuple(mark for mark in self._marks if mark.time >= oldest)
        return EngineRows(gauges[:, 0], figures, told, self._failed.copy()[:, 0], self._marks)

    def _cut(self) -> None:
        self._sample = None
        for part in (self._growing, *self._histograms.values()):
            part.cut()

    def _follow_clock(self, scrape: Scrape) -> None:
        if self._last is None:
            return
        ahead = (scrape.at - self._last.at).total_seconds() - (scrape.mono - self._last.mono)
        if abs(ahead) < CLOCK_JUMP_S:
            return
        if ahead < 0:
            self._gauges.shift(0, ahead)
            self._failed.shift(0, ahead)
            self._marks = tuple(replace(mark, time=mark.time + ahead) for mark in self._marks)
        way = "back" if ahead < 0 else "forward, or it slept,"
        self._mark(scrape, "clock", f"The clock of this machine went {way} by {abs(ahead):,.0f} s.")

    def _add(self, sample: MetricSample) -> None:
        before = self._sample
        if before is not None and before.models != sample.models:
            self._cut()
            self._mark(sample, "model", f"Another model answers: {', '.join(sample.models) or 'it has no name'}.")
        counted = np.array([_number(pick(sample)) for pick in COUNTERS.values()])
        anew = before is not None and (began_again(before, sample) or self._growing.falls(counted))
        if anew:
            self._mark(sample, "restart", "The engine began again: its counters fell.")
        told = [pick(sample) for pick in GAUGES.values()]
        self._gauges.append(np.array([sample.at.timestamp(), *(_number(value) for value in told)]))
        self._counters.append(self._growing.add(counted, anew=anew))
        for key, pick in HISTOGRAMS.items():
            self._histograms[key].add(pick(sample), anew=anew)

    def _mark(self, scrape: Scrape, kind: str, text: str) -> None:
        self._marks = (*self._marks, TrackMark(scrape.at.timestamp(), kind, text))


def _number(value: float | None) -> float:
    return np.nan if value is None else float(value)
