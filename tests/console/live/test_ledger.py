from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from console.live.ledger import LedgerReader, TurnFact, ledger_rows
from storage.paths import Home
from storage.queries.turns import add_output_tokens, settle_turn
from storage.records import SettledTurn, TokenUse, TurnOutcome, TurnTimes
from tests.console.live.house import open_house, put_turn

if TYPE_CHECKING:
    from pathlib import Path


def fact(turn_id: str, asked: float, ended: float | None) -> TurnFact:
    return TurnFact(turn_id, "kamala", asked, ended, TurnOutcome.ANSWERED, ttft_s=0.3)


def test_that_turns_are_in_the_order_in_which_they_ended() -> None:
    rows = ledger_rows((fact("a", 0.0, 9.0), fact("b", 1.0, 3.0)), now=10.0)
    assert [turn.turn_id for turn in rows.turns] == ["b", "a"]
    assert rows.ttft.times.tolist() == [3.0, 9.0]


def test_that_tokens_are_known_only_until_the_first_turn_under_way() -> None:
    facts = (fact("a", 0.0, 9.0), fact("b", 6.0, None), fact("c", 8.0, None))
    assert ledger_rows(facts, now=10.0).known_until == 6.0
    assert ledger_rows((fact("a", 0.0, 9.0),), now=10.0).known_until == 10.0


def test_that_a_turn_left_open_by_a_dead_process_is_not_waited_for() -> None:
    assert ledger_rows((fact("a", 0.0, None),), now=500.0).known_until == 500.0


def test_that_the_window_leaves_out_turns_that_ended_before() -> None:
    rows = ledger_rows((fact("a", 0.0, 9.0), fact("b", 1.0, 3.0)), now=10.0)
    assert [turn.turn_id for turn in rows.inside(5.0, 10.0)] == ["a"]


async def test_that_a_second_reading_finds_what_changed_since(tmp_path: Path) -> None:
    house = await open_house(Home(tmp_path))
    await house.database.run(lambda session: put_turn(session, "old", "kamala", 300))
    await house.database.run(lambda session: put_turn(session, "long", "kamala", 100, total_s=None))
    reader = LedgerReader(house.database)
    first = await reader.read(time.time())
    assert [turn.turn_id for turn in first.turns] == ["old"]
    assert first.known_until == pytest.approx(time.time() - 100, abs=5)
    ending = SettledTurn("long", TurnOutcome.CANCELLED, "en", "", TokenUse(10, 0, 4), TurnTimes(total=99_000.0))
    await house.database.run(lambda session: settle_turn(session, ending))
    await house.database.run(lambda session: put_turn(session, "new", "annapurna", 5))
    second = await reader.read(time.time())
    assert [turn.turn_id for turn in second.turns] == ["old", "new", "long"]
    await house.database.run(lambda session: add_output_tokens(session, "new", TokenUse(0, 0, 2)))
    third = await reader.read(time.time())
    assert third.turns[1].output == 32
    await house.database.close()
