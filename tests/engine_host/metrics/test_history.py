"""A history that is written, thinned and read again, in a real database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from engine_host.metrics.history import (
    DAY_S,
    LEVELS,
    blocks_of,
    keep_rows,
    last_row,
    rows_between,
    thin_out,
    wanted_step,
)
from engine_host.metrics.history_figures import Slotted, edges_between, quantiles, summed
from engine_host.metrics.history_rows import Before, HistoryRows, joined
from storage.database import Database
from storage.paths import Home
from storage.queries.metric_samples import kept_history
from tests.engine_host.metrics.history_samples import T0, buckets, seconds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from sqlalchemy.orm import Session


ENGINE = "cpu-demo"


@pytest.fixture
async def db(tmp_path: Path) -> AsyncIterator[Database]:
    home = Home(tmp_path / "home")
    home.make()
    database = await Database.open(home)
    yield database
    await database.close()


def told(number: int) -> dict[str, Any]:
    return {"running": float(number % 5), "output_tokens": 20.0 * number, "ttft": buckets(number, 0, number, 0)}


async def record(db: Database, first: int, last: int, engine: str = ENGINE) -> None:
    """As the recorder does, in longer blocks: the thinning comes each 10 minutes."""
    rows = seconds(last - first, told, start=first)
    for begin in range(0, last - first, 600):
        parts = [rows.part(slice(at, at + 60)) for at in range(begin, begin + 600, 60)]
        now = T0 + min(first + begin + 600, last)
        await db.run(lambda session, new=parts, now=now: _keep_and_thin(session, engine, new, now))


def _keep_and_thin(session: Session, engine: str, parts: list[HistoryRows], now: float) -> None:
    for part in parts:
        keep_rows(session, engine, part)
    thin_out(session, now)


async def read(db: Database, first: float, last: float, step_s: int) -> HistoryRows:
    return rows_between(await db.run(lambda s: blocks_of(s, ENGINE, first, last, step_s)), first, last)


async def test_that_each_level_is_kept_for_its_time_and_no_longer(db: Database) -> None:
    await record(db, 0, 2 * 3600)
    kept = {one.step_s: one for one in await db.run(kept_history)}
    assert set(kept) == {1, 10, 60}
    assert 3600 <= kept[1].rows <= 3600 + LEVELS[1].block_s
    assert kept[10].rows == 2 * 360
    assert kept[60].rows == 2 * 60


async def test_that_a_day_later_only_minutes_are_left_and_a_month_later_nothing(db: Database) -> None:
    await record(db, 0, 3600)
    await db.run(lambda s: thin_out(s, T0 + 3600 + DAY_S + 1))
    assert [one.step_s for one in await db.run(kept_history)] == [60]
    await db.run(lambda s: thin_out(s, T0 + 3600 + 30 * DAY_S + 1))
    assert await db.run(kept_history) == ()


async def test_that_thinning_again_changes_nothing(db: Database) -> None:
    await record(db, 0, 3600)
    before = await db.run(kept_history)
    await db.run(lambda s: thin_out(s, T0 + 3600))
    assert await db.run(kept_history) == before


async def test_that_a_program_that_was_off_for_hours_thins_before_it_forgets(db: Database) -> None:
    for start in range(0, 1200, 10):
        rows = seconds(10, told, start=start)
        await db.run(lambda session, new=rows: keep_rows(session, ENGINE, new))
    await db.run(lambda s: thin_out(s, T0 + 5 * 3600))
    assert [(one.step_s, one.rows) for one in await db.run(kept_history)] == [(10, 120), (60, 20)]


async def test_that_a_span_is_read_at_its_step_and_its_end_at_a_finer_one(db: Database) -> None:
    await record(db, 0, 3600 + 300)
    rows = await read(db, T0, T0 + 4000, 10)
    steps = np.diff(rows.times)
    assert set(steps.tolist()) == {10.0, 1.0}
    assert rows.times[-1] == T0 + 3899
    assert (steps > 0).all()


async def test_that_what_is_forgotten_at_a_step_is_read_at_the_next_longer_one(db: Database) -> None:
    await record(db, 0, 2 * 3600)
    rows = await read(db, T0, T0 + 7200, 1)
    assert rows.times[0] == T0 + 9
    assert set(np.diff(rows.times).tolist()) == {10.0, 1.0}


@pytest.mark.parametrize("step_s", [1, 10, 60])
async def test_that_every_step_tells_the_same_rates_and_percentiles(db: Database, step_s: int) -> None:
    await record(db, 0, 2 * 3600)
    edges = edges_between(T0 + 600, T0 + 6600, 600)
    slotted = Slotted(await read(db, T0, T0 + 7200, step_s), edges)
    np.testing.assert_allclose(slotted.rate("output_tokens"), 20.0)
    np.testing.assert_allclose(slotted.mean("running"), 2.0, atol=0.02)
    np.testing.assert_allclose(slotted.highest("running"), 4.0)
    np.testing.assert_allclose(quantiles([slotted.taken_in("ttft")], (0.25, 0.75)), [[0.05, 0.75]] * 10, atol=1e-3)


async def test_that_the_newest_sample_is_found_whatever_its_age(db: Database) -> None:
    assert len(await db.run(lambda s: last_row(s, ENGINE))) == 0
    await record(db, 0, 3600)
    await db.run(lambda s: thin_out(s, T0 + 3600 + 2 * DAY_S))
    assert (await db.run(lambda s: last_row(s, ENGINE))).times.tolist() == [T0 + 3599]


@pytest.mark.parametrize(("hours", "points", "step_s"), [(0.25, 360, 1), (1, 360, 10), (24, 360, 60), (1, 9000, 1)])
def test_that_the_longest_step_with_enough_points_is_read(hours: float, points: int, step_s: int) -> None:
    assert wanted_step(T0, T0 + hours * 3600, points) == step_s


def test_that_a_slot_of_which_less_than_half_was_seen_has_no_rate() -> None:
    slotted = Slotted(seconds(100, told), edges_between(T0, T0 + 120, 60))
    assert slotted.rate("output_tokens").tolist() == [20.0, 20.0]
    slotted = Slotted(seconds(80, told), edges_between(T0, T0 + 120, 60))
    assert np.isnan(slotted.rate("output_tokens")).tolist() == [False, True]


def test_that_a_figure_that_no_sample_tells_is_unknown_and_not_zero() -> None:
    slotted = Slotted(seconds(60, lambda n: {"running": 1.0}), edges_between(T0, T0 + 60, 60))
    for found in (slotted.rate("output_tokens"), slotted.mean("waiting"), slotted.highest("waiting")):
        assert np.isnan(found).all()
    assert np.isnan(quantiles([slotted.taken_in("ttft")], (0.5,))).all()
    assert slotted.last("kv_blocks") is None


def test_that_the_sum_of_several_engines_is_unknown_where_one_has_a_gap() -> None:
    one, two = np.array([1.0, 2.0, np.nan]), np.array([10.0, np.nan, np.nan])
    here, gap = np.array([False] * 3), np.array([False, True, False])
    np.testing.assert_array_equal(summed([one, two], [here, gap]), [11.0, np.nan, np.nan])
    np.testing.assert_array_equal(summed([one, two], [here, here]), [11.0, 2.0, np.nan])


def test_that_histograms_with_other_edges_are_counted_over_those_they_share() -> None:
    edges = np.array([0.1, 0.5, np.inf])
    other = np.array([0.5, 2.0, np.inf])
    found = quantiles([(edges, np.array([[4.0, 8.0, 8.0]])), (other, np.array([[0.0, 8.0, 8.0]]))], (0.5, 0.95))
    assert found.tolist() == [[0.5, 0.5]]


def test_that_a_restart_counts_what_the_new_process_took_in() -> None:
    fine = seconds(20, lambda n: {"ttft": buckets(100 if n < 10 else 0, n - 9 if n >= 10 else 0, 0, 0)}, {10: 2})
    assert Before(2) is Before.RESTART
    found = Slotted(fine, np.array([T0, T0 + 20])).taken_in("ttft")[1]
    assert found.tolist() == [[0.0, 10.0, 10.0, 10.0]]


def test_that_what_came_in_a_gap_counts_where_the_gap_ends_and_nowhere_in_it() -> None:
    rows = joined([seconds(20, told), seconds(20, told, {60: int(Before.GAP)}, start=60)])
    taken = Slotted(rows, edges_between(T0, T0 + 80, 10)).taken_in("ttft")[1][:, -1]
    assert taken[2:6].tolist() == [0.0] * 4
    assert taken.sum() == pytest.approx(2.0 * 79)


async def test_that_no_sample_is_thinned_twice_whatever_the_digits_of_its_time(db: Database) -> None:
    whole = seconds(3600, told)
    rows = HistoryRows(whole.times + 0.123456789, whole.marks, whole.columns, whole.values)
    for begin in range(0, 3600, 600):
        part = rows.part(slice(begin, begin + 600))
        now = T0 + begin + 600
        await db.run(lambda session, new=part, now=now: _keep_and_thin(session, ENGINE, [new], now))
    kept = {one.step_s: (one.blocks, one.rows) for one in await db.run(kept_history)}
    assert kept == {1: (6, 3600), 10: (6, 360), 60: (1, 60)}
