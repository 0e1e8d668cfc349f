"""Rows of history as the bytes of a block, and back, without the loss of a digit. Pure.

A column changes little from row to row. So each is kept as the steps between the bit patterns of its numbers, all first
bytes of them together, then all second ones: mostly zeros, which zlib makes next to nothing of.
"""

from __future__ import annotations

import zlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import numpy as np

from engine_host.metrics.history_rows import HistoryRows
from storage.metric_records import MetricBlock

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVEL: Final = 6
WORD: Final = 8
OWN: Final = 2
"""Columns before those of the figures: time and mark."""


def pack(engine: str, step_s: int, rows: HistoryRows) -> MetricBlock:
    """`rows` must hold at least one."""
    table = np.column_stack([rows.times, rows.marks.astype(np.float64), rows.values])
    return MetricBlock(
        engine=engine,
        step_s=step_s,
        start_at=datetime.fromtimestamp(rows.times[0], UTC),
        end_at=datetime.fromtimestamp(rows.times[-1], UTC),
        columns=rows.columns,
        rows=len(rows),
        body=zlib.compress(_squeezed(table), LEVEL),
    )


def unpack(block: MetricBlock) -> HistoryRows:
    table = _spread(zlib.decompress(block.body), block.rows)
    return HistoryRows(table[:, 0], table[:, 1].astype(np.int64), block.columns, table[:, OWN:])


def _squeezed(table: NDArray[np.float64]) -> bytes:
    bits = np.ascontiguousarray(table.T).view(np.uint64)
    steps = bits.copy()
    steps[:, 1:] -= bits[:, :-1]
    return steps.reshape(-1, 1).view(np.uint8).T.tobytes()


def _spread(data: bytes, rows: int) -> NDArray[np.float64]:
    planes = np.frombuffer(data, dtype=np.uint8).reshape(WORD, -1)
    steps = np.ascontiguousarray(planes.T).view(np.uint64).reshape(-1, rows)
    return np.cumsum(steps, axis=1, dtype=np.uint64).view(np.float64).T
