"""The recorder with a real database; engines are what a test publishes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from engine_host.engine.state import EngineState, EngineStatus
from engine_host.metrics.history import blocks_of, rows_between
from engine_host.metrics.history_rows import Before, HistoryRows
from engine_host.metrics.recorder import MetricRecorder, Source
from engine_host.metrics.recorder_track import EngineTrack
from engine_host.published import Published
from storage.database import Database
from storage.errors import DatabaseBusy
from storage.paths import Home
from tests.engine_host.metrics.history_samples import T0, gap, sample

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from engine_host.metrics.samples import Scrape


class Engine:
    def __init__(self, name: str = "cpu-demo", run: str = "r1") -> None:
        self.state = Published(EngineState(EngineStatus.READY, name, "smol", run=run))
        self.latest: Published[Scrape | None] = Published(None)
        self.source = Source(self.latest, self.state)

    def answer(self, first: int, last: int, **figures: Any) -> None:
        for second in range(first, last):
            self.latest.publish(sample(second, **({"running": 1.0, "output_tokens": 10.0 * second} | figures)))


@pytest.fixture
async def db(tmp_path: Path) -> AsyncIterator[Database]:
    home = Home(tmp_path / "home")
    home.make()
    database = await Database.open(home)
    yield database
    await database.close()


def recorder(db: Database, *engines: Engine, now: float = T0) -> MetricRecorder:
    made = MetricRecorder(db, lambda: tuple(engine.source for engine in engines), lambda: now)
    made.start()
    return made


async def kept(db: Database, engine: str = "cpu-demo", first: float = T0, last: float = T0 + 7200) -> HistoryRows:
    return rows_between(await db.run(lambda s: blocks_of(s, engine, first, last, 1)), first, last)


def marks(rows: HistoryRows) -> dict[float, Before]:
    found = zip(rows.times.tolist(), rows.marks.tolist(), strict=True)
    return {at - T0: Before(mark) for at, mark in found if mark}


async def test_that_each_sample_of_each_engine_is_kept_under_its_name(db: Database) -> None:
    one, two = Engine(), Engine("10.0.0.5:8000", "r2")
    recording = recorder(db, one, two)
    one.answer(0, 30)
    two.answer(5, 15)
    await recording.close()
    assert (await kept(db)).times.tolist() == [T0 + second for second in range(30)]
    assert (await kept(db, "10.0.0.5:8000")).column("output_tokens").tolist() == [10.0 * n for n in range(5, 15)]


async def test_that_an_engine_that_is_added_later_is_followed(db: Database) -> None:
    engines = [Engine()]
    recording = MetricRecorder(db, lambda: tuple(engine.source for engine in engines), lambda: T0)
    recording.start()
    engines.append(Engine("second"))
    recording.follow()
    engines[1].answer(0, 3)
    await recording.close()
    assert len(await kept(db, "second")) == 3


async def test_that_a_scrape_that_failed_is_a_gap_and_no_number(db: Database) -> None:
    engine = Engine()
    recording = recorder(db, engine)
    engine.answer(0, 5)
    engine.latest.publish(gap(6))
    engine.latest.publish(gap(8))
    await recording.write()
    engine.answer(9, 12)
    await recording.close()
    rows = await kept(db)
    assert marks(rows) == {8: Before.GAP, 9: Before.GAP}
    assert rows.column("running")[rows.times == T0 + 8] != rows.column("running")[rows.times == T0 + 8]


async def test_that_an_engine_that_was_not_there_is_no_gap(db: Database) -> None:
    engine = Engine()
    recording = recorder(db, engine)
    engine.answer(0, 5)
    engine.latest.publish(None)
    engine.answer(60, 65)
    await recording.close()
    assert marks(await kept(db)) == {60: Before.AWAY}


async def test_that_samples_that_lie_apart_have_a_gap_between_them(db: Database) -> None:
    """The program slept, or the clock was set forward."""
    engine = Engine()
    recording = recorder(db, engine)
    engine.answer(0, 5)
    engine.answer(30, 32)
    await recording.close()
    assert marks(await kept(db)) == {30: Before.GAP}


async def test_that_a_clock_that_is_set_back_never_makes_time_run_backwards(db: Database) -> None:
    engine = Engine()
    recording = recorder(db, engine)
    engine.answer(100, 110)
    engine.answer(50, 112)
    await recording.close()
    rows = await kept(db)
    assert (rows.times - T0).tolist() == [float(n) for n in range(100, 112)]
    assert marks(rows) == {110: Before.GAP}


def test_that_counters_that_fall_are_a_restart() -> None:
    track = EngineTrack()
    for second, tokens in enumerate((50.0, 60.0, 3.0, 9.0)):
        track.add(sample(second, output_tokens=tokens), "r1")
    assert marks(track.take()) == {2: Before.RESTART}


def test_that_another_start_time_is_a_restart_although_no_counter_fell() -> None:
    track = EngineTrack()
    for second, started in enumerate((100.0, 100.2, 500.0)):
        track.add(sample(second, output_tokens=0.0, started=started), "r1")
    assert marks(track.take()) == {2: Before.RESTART}


def test_that_another_run_is_another_server_unless_it_says_that_it_is_the_same() -> None:
    track = EngineTrack()
    track.add(sample(0, output_tokens=5.0, started=100.0), "r1")
    track.add(sample(1, output_tokens=6.0, started=100.0), "r2")
    track.add(sample(2, output_tokens=900.0), "r3")
    assert marks(track.take()) == {2: Before.OTHER}


async def test_that_another_start_of_the_program_goes_on_after_a_gap(db: Database) -> None:
    before, after = Engine(), Engine(run="r9")
    first = recorder(db, before)
    before.answer(0, 20, started=100.0)
    await first.close()
    second = recorder(db, after)
    after.answer(15, 60, started=100.0)
    await second.close()
    rows = await kept(db)
    assert (rows.times - T0).tolist() == [float(n) for n in range(60)]
    assert marks(rows) == {20: Before.GAP}


async def test_that_after_another_start_nobody_believes_a_server_that_does_not_say_since_when_it_runs(
    db: Database,
) -> None:
    for first, run in ((0, "r1"), (40, "r2")):
        engine = Engine(run=run)
        recording = recorder(db, engine)
        engine.answer(first, first + 10)
        await recording.close()
    assert marks(await kept(db)) == {40: Before.GAP | Before.OTHER}


async def test_that_samples_wait_for_a_database_that_is_busy(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine()
    recording = recorder(db, engine)

    async def busy(_work: object) -> None:
        raise DatabaseBusy("The database is busy.")

    with monkeypatch.context() as patch:
        patch.setattr(db, "run", busy)
        engine.answer(0, 5)
        await recording.write()
    engine.answer(5, 9)
    await recording.close()
    assert len(await kept(db)) == 9


def test_that_what_waits_for_too_long_is_given_up_for_a_gap() -> None:
    track = EngineTrack()
    for second in range(20):
        track.add(sample(second, running=1.0), "r1")
    track.give_back(track.take(), 5)
    rows = track.take()
    assert (rows.times - T0).tolist() == [15, 16, 17, 18, 19]
    assert marks(rows) == {15: Before.GAP}
