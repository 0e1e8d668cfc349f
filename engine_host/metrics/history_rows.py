"""The history of one engine as rows of numbers: which figures of a sample are kept, and under which column. Pure.

A gauge has one column and, once thinned, two more for its lowest and highest value; a fact and a counter have one; a
histogram has one for each bucket, cumulative as the engine counts them, and one for its sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntFlag
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from engine_host.metrics.samples import MetricSample

GAUGES: Final = ("running", "waiting", "kv_usage", "scrape_ms", "waiting_reasons")
FACTS: Final = ("kv_blocks", "block_size", "kv_tokens", "started")
"""Numbers of which the last one is true, not their mean."""
COUNTERS: Final = (
    "prompt_tokens", "prompt_computed", "prompt_cached", "output_tokens", "prefix_queries", "prefix_hits",
    "preemptions", "requests_ok", "rejections", "finished",
)  # fmt: skip
HISTOGRAMS: Final = ("ttft", "inter_token", "per_token", "queue", "prefill", "decode", "e2e", "step_tokens")
LEFT_OUT: Final = ("at", "mono", "sleep", "models", "faults")
"""The clocks are the rows' own; words are no samples: what they tell is among the events."""
LOW, HIGH, SUM = ":low", ":high", ":sum"
SEEN: Final = "seen"
"""How many samples a row stands for."""


class Before(IntFlag):
    """What is true of the time between a row and the one before it."""

    GAP = 1
    """Nobody knows what happened: the engine did not tell, or this program did not ask."""
    RESTART = 2
    """The engine's counters began again at 0."""
    OTHER = 4
    """It may be another server: its first counts are no growth."""
    AWAY = 8
    """There was no engine to ask."""


UNSEEN: Final = Before.GAP | Before.AWAY | Before.OTHER


@dataclass(frozen=True, slots=True, eq=False)
class HistoryRows:
    """`times` (epoch s) only grow; `marks` are Before by row; NaN in `values` is a figure that nobody told."""

    times: NDArray[np.float64]
    marks: NDArray[np.int64]
    columns: tuple[str, ...]
    values: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.times)

    def column(self, name: str) -> NDArray[np.float64]:
        """NaN in every row when there is no such column."""
        if name not in self.columns:
            return np.full(len(self.times), np.nan)
        return self.values[:, self.columns.index(name)]

    def highest(self, gauge: str) -> NDArray[np.float64]:
        """The highest value that a row stands for: of a single sample the value itself."""
        high = self.column(gauge + HIGH)
        return np.where(np.isnan(high), self.column(gauge), high)

    def buckets(self, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Upper edges, rising, and the cumulative counts: rows by edges."""
        found = sorted((edge, number) for number, edge in self._edges(name))
        edges = np.array([edge for edge, _ in found], dtype=np.float64)
        return edges, self.values[:, [number for _, number in found]]

    def part(self, chosen: slice | NDArray[np.bool_]) -> HistoryRows:
        return HistoryRows(self.times[chosen], self.marks[chosen], self.columns, self.values[chosen])

    def _edges(self, name: str) -> Iterator[tuple[int, float]]:
        for number, column in enumerate(self.columns):
            if column.startswith(f"{name}[") and column.endswith("]"):
                yield number, float(column[len(name) + 1 : -1])


NO_ROWS: Final = HistoryRows(np.empty(0), np.empty(0, dtype=np.int64), (), np.empty((0, 0)))


def kind_of(column: str) -> str:
    """The field of MetricSample that a column belongs to."""
    return column.partition("[")[0].partition(":")[0]


def figures_of(sample: MetricSample) -> dict[str, float]:
    """What a sample tells, by column; what it does not tell is left out."""
    told: dict[str, float] = {SEEN: 1.0}
    for name in (*GAUGES, *FACTS, *COUNTERS):
        told.update(_plain(name, getattr(sample, name, None)))
    for name in HISTOGRAMS:
        histogram = getattr(sample, name, None)
        if histogram is not None:
            counts = zip(histogram.edges, histogram.counts, strict=True)
            told.update((f"{name}[{edge:g}]", float(count)) for edge, count in counts)
            told[name + SUM] = float(histogram.sum)
    return told


def _plain(name: str, value: Any) -> Iterator[tuple[str, float]]:
    """One column, or one for each label of a figure that has labels."""
    if isinstance(value, tuple):
        for label, number in cast("tuple[tuple[str, float], ...]", value):
            yield f"{name}[{label}]", float(number)
    elif value is not None:
        yield name, float(value)


def rows_of(times: Sequence[float], marks: Sequence[int], figures: Sequence[Mapping[str, float]]) -> HistoryRows:
    """Rows out of figures by column; the columns are those that any of them has, in the order of their first use."""
    columns = tuple(dict.fromkeys(name for one in figures for name in one))
    values = np.array([[one.get(name, math.nan) for name in columns] for one in figures], dtype=np.float64)
    return HistoryRows(
        np.array(times, dtype=np.float64),
        np.array(marks, dtype=np.int64),
        columns,
        values.reshape(len(figures), len(columns)),
    )


def joined(parts: Sequence[HistoryRows]) -> HistoryRows:
    """The parts one after the other. A row that is not later than those before it is left out: two programs kept it."""
    filled = [part for part in parts if len(part)]
    if not filled:
        return NO_ROWS
    columns = tuple(dict.fromkeys(name for part in filled for name in part.columns))
    times = np.concatenate([part.times for part in filled])
    latest = np.maximum.accumulate(np.concatenate([[-np.inf], times[:-1]]))
    whole = HistoryRows(
        times,
        np.concatenate([part.marks for part in filled]),
        columns,
        np.concatenate([_widened(part, columns) for part in filled]),
    )
    return whole.part(times > latest)


def _widened(part: HistoryRows, columns: tuple[str, ...]) -> NDArray[np.float64]:
    if part.columns == columns:
        return part.values
    place = {name: number for number, name in enumerate(columns)}
    wide = np.full((len(part), len(columns)), np.nan)
    wide[:, [place[name] for name in part.columns]] = part.values
    return wide
