"""Rows of several engines as those of one, where adding up makes sense. Pure.

An engine that was not even asked at a moment (stopped, not yet there) counts for nothing then. One that was asked and
did not answer leaves the whole unknown: a sum without it would be a false number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from console.live.figures import COUNTERS, GAUGES
from console.live.tracks import EngineRows, HistogramRows
from console.live.windows import LONGEST_STEP_S

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

ASKED_S: Final = 5.0
"""An engine that was read or failed to be so shortly ago is still asked: its answer may be under way."""


@dataclass(frozen=True, slots=True)
class _Part:
    """An engine on the common axis: `row` is the sample that holds at each moment, -1 = none before it.

    `there`: a sample holds. `silent`: it was asked and did not answer.
    """

    rows: EngineRows
    row: NDArray[np.intp]
    there: NDArray[np.bool_]
    silent: NDArray[np.bool_]


def add_up(engines: Sequence[EngineRows]) -> EngineRows:
    """At each whole second in which any of them was read; marks are those of all. An engine that never told a figure
    has no part in it."""
    told = [one for one in engines if len(one.times)]
    if len(told) <= 1:
        return told[0] if told else engines[0]
    moments = np.concatenate([one.times for one in told])
    axis = np.minimum(np.unique(np.ceil(moments)), moments.max())
    parts = [_part(one, axis) for one in told]
    unknown = np.logical_or.reduce([part.silent for part in parts])
    figures = {key: np.where(unknown, np.nan, _gauges(parts, key)) for key in GAUGES}
    figures |= {key: np.where(unknown, np.nan, _counters(parts, key)) for key in COUNTERS}
    figures["kv_usage"] = figures["kv_used"] / np.where(figures["kv_blocks"] > 0, figures["kv_blocks"], np.nan)
    histograms = {key: _histograms(parts, key, unknown) for key in told[0].histograms}
    kept = ~unknown
    return EngineRows(
        times=axis[kept],
        figures={key: values[kept] for key, values in figures.items()},
        histograms={
            key: None if rows is None else HistogramRows(rows.edges, rows.counts[kept])
            for key, rows in histograms.items()
        },
        failed=axis[unknown],
        marks=tuple(sorted((mark for one in told for mark in one.marks), key=lambda mark: mark.time)),
    )


def _part(rows: EngineRows, axis: Numbers) -> _Part:
    row, age = _newest(rows.times, axis)
    _, failed_age = _newest(rows.failed, axis)
    there = age <= LONGEST_STEP_S
    return _Part(rows, row, there, ~there & (np.minimum(age, failed_age) <= ASKED_S))


def _newest(times: Numbers, axis: Numbers) -> tuple[NDArray[np.intp], Numbers]:
    """The place of the last of `times` at or before each moment (-1 = none), and how old it is."""
    row = np.searchsorted(times, axis, side="right") - 1
    if not len(times):
        return row, np.full(len(axis), np.inf)
    return row, np.where(row >= 0, axis - times[np.maximum(row, 0)], np.inf)


def _gauges(parts: Sequence[_Part], key: str) -> Numbers:
    held = [np.where(part.there, part.rows.figures[key][np.maximum(part.row, 0)], 0.0) for part in parts]
    return np.sum(held, axis=0)


def _counters(parts: Sequence[_Part], key: str) -> Numbers:
    """Each holds its last count when it is gone: a total never falls."""
    return np.sum([_held(part.rows.figures[key], part.row) for part in parts], axis=0)


def _held(counts: Numbers, row: NDArray[np.intp]) -> Numbers:
    before = np.zeros_like(counts[:1]) if counts.ndim > 1 else 0.0
    told = (row >= 0)[:, None] if counts.ndim > 1 else row >= 0
    return np.where(told, counts[np.maximum(row, 0)], before)


def _histograms(parts: Sequence[_Part], key: str, unknown: NDArray[np.bool_]) -> HistogramRows | None:
    """None where one of them has none, or counts in other buckets: those cannot be added up."""
    told = [part.rows.histograms[key] for part in parts]
    first = told[0]
    if first is None or any(one is None or not np.array_equal(one.edges, first.edges) for one in told):
        return None
    held = [_held(one.counts, part.row) for one, part in zip(told, parts, strict=True) if one is not None]
    return HistogramRows(first.edges, np.where(unknown[:, None], np.nan, np.sum(held, axis=0)))
