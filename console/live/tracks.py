"""An hour of an engine's samples as arrays. Counters go on where a restart of the engine made them fall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from engine_host.metrics.poller import KEPT
from engine_host.metrics.samples import MetricSample
from engine_host.metrics.window import ENGINE_CHANGED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from engine_host.metrics.samples import Histogram, Scrape

GAUGES: Final[Mapping[str, Callable[[MetricSample], float | None]]] = {
    "running": lambda sample: sample.running,
    "waiting": lambda sample: sample.waiting,
    "kv_usage": lambda sample: sample.kv_usage,
}
COUNTERS: Final[Mapping[str, Callable[[MetricSample], float | None]]] = {
    "prompt": lambda sample: sample.prompt_tokens,
    "output": lambda sample: sample.output_tokens,
    "queries": lambda sample: sample.prefix_queries,
    "hits": lambda sample: sample.prefix_hits,
    "preemptions": lambda sample: sample.preemptions,
}
HISTOGRAMS: Final[Mapping[str, Callable[[MetricSample], Histogram | None]]] = {
    "ttft": lambda sample: sample.ttft,
    "inter_token": lambda sample: sample.inter_token,
}


@dataclass(frozen=True, slots=True)
class HistogramRows:
    """Cumulative bucket counts by sample (rows) and upper edge in seconds (columns); they never fall. NaN = unknown."""

    edges: NDArray[np.float64]
    counts: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class EngineRows:
    """What the engine told, by sample, at `times` (epoch s). Counters never fall; NaN = unknown."""

    times: NDArray[np.float64]
    figures: Mapping[str, NDArray[np.float64]]
    histograms: Mapping[str, HistogramRows | None]

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

    def copy(self, last: int | None = None) -> NDArray[np.float64]:
        """The newest `last` rows, None = all, oldest first."""
        count = min(self._end, self._capacity if last is None else last)
        return self._rows[self._end - count : self._end].copy()


class Growing:
    """Makes numbers that only grow out of counters that begin again with the engine; all of a row fall together."""

    def __init__(self, width: int) -> None:
        self._raw: NDArray[np.float64] | None = None
        self._grown = np.zeros(width)

    def add(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        if np.isnan(raw).all():
            return raw
        if self._raw is not None:
            began_again = (raw < self._raw).any()
            self._grown = self._grown + np.nan_to_num(raw if began_again else raw - self._raw)
        self._raw = raw
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

    def add(self, histogram: Histogram | None) -> None:
        if histogram is not None and histogram.edges != self._edges:
            self._edges = histogram.edges
            self._ring = Ring(len(self._edges))
            self._growing = Growing(len(self._edges))
        nothing = np.full(len(self._edges), np.nan)
        self._ring.append(nothing if histogram is None else self._growing.add(np.array(histogram.counts)))

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
    """Give it every scrape once, in order; `rows()` are copies that later scrapes leave alone."""

    def __init__(self) -> None:
        self._gauges = Ring(1 + len(GAUGES))
        self._counters = Ring(len(COUNTERS))
        self._growing = Growing(len(COUNTERS))
        self._histograms = {key: HistogramTrack() for key in HISTOGRAMS}

    def add(self, scrape: Scrape) -> None:
        if isinstance(scrape, MetricSample):
            self._add(scrape)
        elif scrape.reason == ENGINE_CHANGED:
            for part in (self._growing, *self._histograms.values()):
                part.cut()

    def rows(self) -> EngineRows:
        gauges, counters = self._gauges.copy(), self._counters.copy()
        figures = {key: gauges[:, number] for number, key in enumerate(GAUGES, start=1)}
        figures |= {key: counters[:, number] for number, key in enumerate(COUNTERS)}
        histograms = {key: track.rows(len(gauges)) for key, track in self._histograms.items()}
        return EngineRows(gauges[:, 0], figures, histograms)

    def _add(self, sample: MetricSample) -> None:
        told = [pick(sample) for pick in GAUGES.values()]
        self._gauges.append(np.array([sample.at.timestamp(), *(_number(value) for value in told)]))
        counted = [_number(pick(sample)) for pick in COUNTERS.values()]
        self._counters.append(self._growing.add(np.array(counted)))
        for key, pick in HISTOGRAMS.items():
            self._histograms[key].add(pick(sample))


def _number(value: float | None) -> float:
    return np.nan if value is None else float(value)
