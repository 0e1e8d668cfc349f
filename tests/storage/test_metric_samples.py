from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from storage.metric_records import MetricBlock
from storage.queries.metric_samples import (
    blocks_between,
    engines_between,
    forget_before,
    keep_block,
    kept_history,
    last_block,
)
from tests.storage.kitchen import NOON

if TYPE_CHECKING:
    from storage.database import Database

COLUMNS = ("running", "ttft[0.1]", "ttft[inf]")


def block(minute: int, *, engine: str = "cpu-demo", step_s: int = 1, columns: tuple[str, ...] = COLUMNS) -> MetricBlock:
    start = NOON + timedelta(minutes=minute)
    return MetricBlock(engine, step_s, start, start + timedelta(seconds=59), columns, 60, b"body" * (minute + 1))


async def keep(db: Database, *blocks: MetricBlock) -> None:
    for one in blocks:
        await db.run(lambda session, new=one: keep_block(session, new))


async def test_that_blocks_with_a_part_in_the_span_come_in_the_order_of_time(db: Database) -> None:
    await keep(db, block(2), block(0), block(1), block(1, engine="other"), block(1, step_s=10))
    first, last = NOON + timedelta(seconds=30), NOON + timedelta(minutes=1)
    assert await db.run(lambda s: blocks_between(s, "cpu-demo", 1, first, last)) == (block(0), block(1))


async def test_that_blocks_with_other_columns_keep_their_own(db: Database) -> None:
    await keep(db, block(0), block(1, columns=("running",)), block(2))
    found = await db.run(lambda s: blocks_between(s, "cpu-demo", 1, NOON, NOON + timedelta(hours=1)))
    assert [one.columns for one in found] == [COLUMNS, ("running",), COLUMNS]


async def test_that_a_second_block_of_the_same_moment_changes_nothing(db: Database) -> None:
    await keep(db, block(0), block(0, columns=("waiting",)))
    assert await db.run(lambda s: last_block(s, "cpu-demo", 1)) == block(0)


async def test_that_only_one_step_is_forgotten_and_only_what_ended_before(db: Database) -> None:
    await keep(db, block(0), block(1), block(0, step_s=10))
    await db.run(lambda s: forget_before(s, 1, NOON + timedelta(seconds=90)))
    kept = await db.run(kept_history)
    assert [(one.step_s, one.first_at, one.rows) for one in kept] == [
        (1, NOON + timedelta(minutes=1), 60),
        (10, NOON, 60),
    ]


async def test_that_columns_live_as_long_as_a_block_that_has_them(db: Database) -> None:
    await keep(db, block(0), block(1))
    await db.run(lambda s: forget_before(s, 1, NOON + timedelta(minutes=1)))
    assert await db.run(lambda s: last_block(s, "cpu-demo", 1)) == block(1)


async def test_that_engines_of_another_time_are_not_named(db: Database) -> None:
    await keep(db, block(0, engine="a"), block(90, engine="b"), block(91, engine="b"))
    span = (NOON + timedelta(hours=1), NOON + timedelta(hours=2))
    assert await db.run(lambda s: engines_between(s, *span)) == ("b",)


async def test_that_the_size_of_what_is_kept_is_told(db: Database) -> None:
    await keep(db, block(0), block(1))
    (kept,) = await db.run(kept_history)
    assert (kept.blocks, kept.rows, kept.body_bytes) == (2, 120, 4 + 8)
