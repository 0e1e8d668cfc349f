"""What one reading brings, out of a real database and the scrapes of several engines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from console.live.reading import LiveReader
from console.live.view import ALL, View
from engine_host.engine.state import EngineStatus
from engine_host.metrics.slots import SlotSample
from storage.paths import Home
from storage.queries.engine_events import add_event
from storage.queries.engine_runs import keep_engine_run
from storage.queries.turns import open_turn, settle_turn
from storage.records import EngineEvent, NewTurn, SettledTurn, TokenUse, TurnOutcome, TurnTimes
from tests.console.live.house import READY, House, now_utc, open_house, recent

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from sqlalchemy.orm import Session

SECOND = replace(READY, name="cpu-demo 2", run="r2")
TIMES = TurnTimes(ttft=300.0, decode=600.0, inter_token=20.0, total=1000.0)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    made = await open_house(Home(tmp_path), recent(1, running=1.0), recent(0, running=2.0))
    made.add_engine(SECOND, recent(1, running=10.0), recent(0, running=20.0))
    yield made
    await made.database.close()


def put(session: Session) -> None:
    for run in ("r0", "r1", "r2"):
        asked = now_utc()
        open_turn(session, NewTurn(run, "kamala", "kamala", None, "", "q", asked, run))
        settle_turn(session, SettledTurn(run, TurnOutcome.ANSWERED, "en", "a", TokenUse(7, 5, 3), TIMES))
    keep_engine_run(session, "r0", "cpu-demo")
    for subject in ("cpu-demo", "cpu-demo 2", "articles"):
        add_event(session, EngineEvent(now_utc(), "ready", subject, subject))


async def test_that_all_engines_and_all_turns_are_read_together(house: House) -> None:
    await house.database.run(put)
    read = await LiveReader(house).read(View(engine=ALL))
    assert read.newest is not None
    assert read.newest.running == 22
    assert {turn.turn_id for turn in read.ledger.turns} == {"r0", "r1", "r2"}
    assert [event.subject for event in read.events] == ["cpu-demo", "cpu-demo 2", "articles"]
    assert [one.name for one in read.engines] == ["cpu-demo", "cpu-demo 2"]


@pytest.mark.parametrize(("key", "running", "turns", "other"), [
    ("1", 2, {"r0", "r1"}, "cpu-demo 2"),
    ("2", 20, {"r2"}, "cpu-demo"),
])  # fmt: skip
async def test_that_a_chosen_engine_brings_its_own_turns_and_events(
    house: House, key: str, running: int, turns: set[str], other: str
) -> None:
    await house.database.run(put)
    read = await LiveReader(house).read(View(engine=key))
    assert read.newest is not None
    assert read.newest.running == running
    assert {turn.turn_id for turn in read.ledger.turns} == turns
    subjects = {event.subject for event in read.events}
    assert other not in subjects
    assert "articles" in subjects


async def test_that_an_engine_that_was_removed_leaves_the_reading(house: House) -> None:
    reader = LiveReader(house)
    await reader.read(View())
    house.engines.seats = house.engines.seats[:1]
    read = await reader.read(View(engine="2"))
    assert len(read.engines) == 1
    assert read.newest is not None
    assert read.newest.running == 2


async def test_that_only_the_histograms_that_are_shown_are_read(house: House) -> None:
    read = await LiveReader(house).read(View(latency="queue"))
    assert set(read.rows.histograms) == {"ttft", "inter_token", "queue"}


async def test_that_what_turns_hold_is_read_for_the_span_that_is_shown(house: House) -> None:
    now = now_utc().timestamp()
    house.slots.samples = tuple(SlotSample(now - 1000 + second) for second in range(1000))
    read = await LiveReader(house).read(View(span_s=60.0))
    assert 60 <= len(read.slots.times) <= 65


async def test_that_a_stopped_engine_keeps_its_history_and_leaves_the_sum(house: House) -> None:
    house.engines.seats[1].session.state.publish(replace(SECOND, status=EngineStatus.STOPPED))
    read = await LiveReader(house).read(View())
    assert read.newest is not None
    assert read.newest.running == 2
    assert read.rows.figures["running"][-1] == 22
