"""Rows of history at a longer step, without a number that is not true. Pure.

A slot of the longer step becomes one row at the time of its last sample. Counters and buckets keep the totals of that
sample, so that what grew between two rows is what grew between those moments. Gauges keep their mean over the samples,
the lowest and the highest. A row before which something happened (a gap, a restart, another engine) stays on its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from engine_host.metrics.history_rows import GAUGES, HIGH, LOW, SEEN, Before, HistoryRows, kind_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_GAPS: Final = 3
"""With more gaps in one slot the whole slot is one: an engine that answers every other time must not fill the disk."""


def thin(rows: HistoryRows, step_s: int) -> HistoryRows:
    """`rows` at one row for each `step_s`, slots counted from the epoch."""
    kept = _without_silence(rows, step_s)
    if not len(kept):
        return kept
    slots = _slots(kept, step_s)
    starts = np.flatnonzero(_begins(slots, _alone(kept.marks, slots)))
    ends = np.concatenate([starts[1:], [len(kept)]]) - 1
    columns = [column for column in kept.columns if not column.endswith((LOW, HIGH))]
    seen = np.nan_to_num(kept.column(SEEN), nan=0.0)
    names: list[str] = []
    values: list[NDArray[np.float64]] = []
    for column in columns:
        for name, found in _thinned(kept, column, seen, starts, ends):
            names.append(name)
            values.append(found)
    merged = np.bitwise_or.reduceat(kept.marks, starts)
    return HistoryRows(kept.times[ends], merged, tuple(names), np.column_stack(values))


def _slots(rows: HistoryRows, step_s: int) -> NDArray[np.int64]:
    return np.floor_divide(rows.times, step_s).astype(np.int64)


def _begins(slots: NDArray[np.int64], alone: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where a new row begins: with a slot, at a sample that stays alone, and after one."""
    new_slot = np.concatenate([[True], np.diff(slots) != 0])
    return new_slot | alone | np.concatenate([[False], alone[:-1]])


def _without_silence(rows: HistoryRows, step_s: int) -> HistoryRows:
    """Rows that only say "still nothing" go when the next one of their slot says it as well."""
    if not len(rows):
        return rows
    slots = _slots(rows, step_s)
    silent = (rows.marks == int(Before.GAP)) & np.isnan(rows.values).all(axis=1)
    goes_on = np.concatenate([((rows.marks[1:] & int(Before.GAP)) != 0) & (np.diff(slots) == 0), [False]])
    return rows.part(~(silent & goes_on))


def _alone(marks: NDArray[np.int64], slots: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Marked samples; of a slot with more than MOST_GAPS gaps not those, and the slot is one row, marked as a gap."""
    gap = (marks & int(Before.GAP)) != 0
    _, place = np.unique(slots, return_inverse=True)
    broken = (np.bincount(place, weights=gap) > MOST_GAPS)[place]
    return (marks != 0) & ~(broken & (marks == int(Before.GAP)))


def _thinned(
    rows: HistoryRows, column: str, seen: NDArray[np.float64], starts: NDArray[np.intp], ends: NDArray[np.intp]
) -> list[tuple[str, NDArray[np.float64]]]:
    values = rows.column(column)
    if column == SEEN:
        return [(column, np.add.reduceat(seen, starts))]
    if kind_of(column) not in GAUGES:
        return [(column, values[ends])]
    told = np.where(np.isnan(values), 0.0, seen)
    weights = np.add.reduceat(told, starts)
    total = np.add.reduceat(np.nan_to_num(values) * told, starts)
    mean = np.divide(total, weights, out=np.full(len(total), np.nan), where=weights > 0)
    low, high = rows.column(column + LOW), rows.column(column + HIGH)
    lowest = np.fmin.reduceat(np.fmin(low, values), starts)
    return [(column, mean), (column + LOW, lowest), (column + HIGH, np.fmax.reduceat(np.fmax(high, values), starts))]
