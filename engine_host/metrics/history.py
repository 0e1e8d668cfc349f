"""The history of an engine's samples in the database: written in blocks, thinned with age, read by time.

Every function here but `wanted_step` runs in the database's thread, in the caller's transaction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from engine_host.metrics.history_pack import pack, unpack
from engine_host.metrics.history_rows import NO_ROWS, HistoryRows, joined
from engine_host.metrics.thinning import thin
from storage.queries.metric_samples import (
    blocks_between,
    engines_between,
    forget_before,
    keep_block,
    last_block,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from storage.metric_records import MetricBlock

HOUR_S: Final = 3600
DAY_S: Final = 86_400
BETWEEN_S: Final = 0.001
"""Shorter than the time between any two samples."""


@dataclass(frozen=True, slots=True)
class Level:
    """Samples `step_s` apart are kept for `kept_s` and written in blocks of `block_s`."""

    step_s: int
    kept_s: int
    block_s: int


LEVELS: Final = (Level(1, HOUR_S, 10), Level(10, DAY_S, 600), Level(60, 30 * DAY_S, HOUR_S))
"""Finest first. A level is kept for longer than a block of the next one takes to be made."""


def keep_rows(session: Session, engine: str, rows: HistoryRows) -> None:
    """New samples, as they came."""
    if len(rows):
        keep_block(session, pack(engine, LEVELS[0].step_s, rows))


def last_row(session: Session, engine: str) -> HistoryRows:
    """The newest sample that is kept, however old; no row when there is none."""
    for level in LEVELS:
        block = last_block(session, engine, level.step_s)
        if block is not None:
            return unpack(block).part(slice(-1, None))
    return NO_ROWS


def thin_out(session: Session, now: float) -> None:
    """Make the coarser levels of what is complete, then forget what is too old. Doing it again changes nothing."""
    for engine in engines_between(session, _moment(now - LEVELS[-1].kept_s), _moment(now)):
        for fine, coarse in pairwise(LEVELS):
            _thin_level(session, engine, fine, coarse, now)
    for level in LEVELS:
        forget_before(session, level.step_s, _moment(now - level.kept_s))


def wanted_step(first: float, last: float, points: int) -> int:
    """The longest step that still gives `points` samples between two moments; 1 s when none does."""
    fitting = [level.step_s for level in LEVELS if level.step_s * points <= last - first]
    return max(fitting, default=LEVELS[0].step_s)


def blocks_of(session: Session, engine: str, first: float, last: float, step_s: int) -> tuple[MetricBlock, ...]:
    """The blocks that tell of the span at this step. Where it is forgotten already or not made yet, the next longer
    and the next shorter steps that have it. Give them to `rows_between`; that takes no transaction.
    """
    found: list[MetricBlock] = []
    begin, end = first, last
    longer = [level.step_s for level in LEVELS if level.step_s >= step_s]
    shorter = [level.step_s for level in reversed(LEVELS) if level.step_s < step_s]
    newest = first
    for step in longer:
        blocks = _blocks(session, engine, step, begin, end)
        found = [*blocks, *found]
        newest = max([newest, *(block.end_at.timestamp() for block in blocks)])
        end = min([end, *(block.start_at.timestamp() for block in blocks)])
    for step in shorter:
        blocks = _blocks(session, engine, step, newest, last)
        found += blocks
        newest = max([newest, *(block.end_at.timestamp() for block in blocks)])
    return tuple(found)


def rows_between(blocks: Sequence[MetricBlock], first: float, last: float) -> HistoryRows:
    """The rows of `blocks_of` from `first` to `last`, both included. Pure."""
    parts: list[HistoryRows] = []
    for number, block in enumerate(blocks):
        rows = unpack(block)
        finer = [after.start_at.timestamp() for after in blocks[number + 1 :] if after.step_s < block.step_s]
        parts.append(rows.part(rows.times < min(finer, default=math.inf)))
    rows = joined(parts)
    return rows.part((rows.times >= first) & (rows.times <= last))


def _thin_level(session: Session, engine: str, fine: Level, coarse: Level, now: float) -> None:
    upto = now // coarse.block_s * coarse.block_s
    made = last_block(session, engine, coarse.step_s)
    # The database keeps whole microseconds: without more, the last row might come again.
    since = made.end_at.timestamp() + BETWEEN_S if made is not None else now - 2 * coarse.kept_s
    if upto - since <= coarse.step_s:
        return
    rows = rows_between(_blocks(session, engine, fine.step_s, since, upto), since, upto)
    rows = thin(rows.part((rows.times > since) & (rows.times < upto)), coarse.step_s)
    for number in sorted(set((rows.times // coarse.block_s).tolist())):
        keep_block(session, pack(engine, coarse.step_s, rows.part(rows.times // coarse.block_s == number)))


def _blocks(session: Session, engine: str, step_s: int, first: float, last: float) -> tuple[MetricBlock, ...]:
    if first > last:
        return ()
    return blocks_between(session, engine, step_s, _moment(first), _moment(last))


def _moment(epoch: float) -> datetime:
    return datetime.fromtimestamp(epoch, UTC)
