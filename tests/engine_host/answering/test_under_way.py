"""What is known of a turn while it is answered, and how long its reader keeps it waiting."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from engine_host.answering.events import Routed, Text, Writing
from engine_host.answering.turn_record import TurnRecord
from engine_host.answering.under_way import Step
from engine_host.answering.way import EngineUse
from storage.records import TokenUse
from tests.engine_host.answering.desk import Desk, ended, question

if TYPE_CHECKING:
    import pytest

HELP = "how long does a upi refund take"
PIECES = ("A refund to UPI takes up to 2 working days. ", "A refund to a wallet balance is made at once.")


async def test_that_a_turn_is_under_way_from_its_first_event_until_it_is_settled(desk: Desk) -> None:
    desk.engine.pieces = PIECES
    seen: list[tuple[str, Step, int]] = []
    async with aclosing(desk.turns.answer(question(HELP))) as events:
        async for event in events:
            seen += [(type(event).__name__, turn.step, turn.output_tokens) for turn in desk.turns.under_way.snapshot()]
    assert seen[0] == ("Opened", Step.BEFORE, 0)
    assert (Routed.__name__, Step.BEFORE, 0) in seen
    assert (Writing.__name__, Step.WRITING, 0) in seen
    assert (Text.__name__, Step.WRITING, 2) in seen
    assert "Ended" not in [name for name, _, _ in seen]
    assert desk.turns.under_way.snapshot() == ()


async def test_that_a_turn_under_way_tells_what_it_holds_and_may_still_write(desk: Desk) -> None:
    desk.engine.pieces = PIECES
    async with aclosing(desk.turns.answer(question(HELP))) as events:
        async for event in events:
            if isinstance(event, Text) and event.text == PIECES[1]:
                break
        (turn,) = desk.turns.under_way.snapshot()
        assert (turn.tenant_id, turn.prompt_tokens, turn.cached_tokens) == ("kamala", 100, 64)
        assert turn.max_tokens == desk.engine.requests[0].max_tokens
    assert desk.turns.under_way.snapshot() == ()


def test_that_a_turn_that_waits_for_its_first_token_does_not_claim_to_know_its_prompt() -> None:
    record = TurnRecord(question(HELP), "r1")
    record.take(EngineUse(0.0, longest=96).at("r1"))
    turn = record.under_way()
    assert (turn.step, turn.prompt_tokens, turn.engine_run, turn.max_tokens) == (Step.ASKED, None, "r1", 96)


def test_that_what_an_earlier_request_or_another_run_held_is_let_go() -> None:
    first = replace(EngineUse(0.0).at("r1"), prompt_tokens=100, cached_tokens=64, output_tokens=5)
    second = replace(EngineUse(1.0).at("r1"), prompt_tokens=150, cached_tokens=128, output_tokens=7)
    assert first.then(second).holds == TokenUse(150, 128, 7)
    moved = replace(first.at("r2"), prompt_tokens=210, cached_tokens=64, output_tokens=12)
    assert moved.holds == TokenUse(110, 0, 7)


async def test_that_the_time_in_which_a_reader_takes_nothing_is_kept_as_the_clients(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.engine.pieces = PIECES
    seconds = 0.0
    monkeypatch.setattr("engine_host.answering.turn_record.time.monotonic", lambda: seconds)
    events = []
    async for event in desk.turns.answer(question(HELP)):
        events.append(event)
        seconds += 3.0 if isinstance(event, Text) else 0.0
    assert ended(events).times.client == 6000.0
    (turn,) = await desk.all_turns()
    assert turn.settled is not None
    assert turn.settled.times.client == 6000.0
