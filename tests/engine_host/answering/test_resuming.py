"""A turn whose engine dies in mid-answer: real streams, the real gate, the real ledger."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest

from engine_host.answering.events import Resumed, Text
from engine_host.answering.moving import Moves
from engine_host.answering.turn_record import TurnRecord
from engine_host.answering.way import EngineUse, Spent
from engine_host.client.types import ChatDelta, ChatEnd, ChatEngine, ChatUsage
from storage.queries.usage import engine_run_totals
from storage.records import RunShare, TokenUse, TurnOutcome
from tests.engine_host.answering.desk import Desk, ended, kinds, question, released
from tests.engine_host.engine.standing import Stand, stand
from tests.fakes.fake_vllm import Behaviour

if TYPE_CHECKING:
    from storage.database import Database

HELP = "how long do refunds to upi or wallet take"
SENTENCES = ["A refund to UPI takes up to 2 working days.", "A refund to a wallet balance is made at once."]
WRITES = Behaviour(words=tuple(" ".join(SENTENCES).split(" ")))


async def desk_of(database: Database, here: Stand) -> Desk:
    return await Desk(database, engine=cast("Any", here.pool)).keep_tenant()


@pytest.mark.parametrize("at", range(0, len(WRITES.words), 3))
async def test_that_the_customer_reads_the_same_sentences(database: Database, at: int) -> None:
    async with stand(replace(WRITES, die_after=at), WRITES) as here:
        events = await (await desk_of(database, here)).ask(HELP)
    assert released(events) == SENTENCES
    assert ended(events).outcome is TurnOutcome.ANSWERED
    (resumed,) = [event for event in events if isinstance(event, Resumed)]
    assert (resumed.from_engine.split(" at")[0], resumed.to_engine.split(" at")[0]) == ("engine 1", "engine 2")
    assert resumed.pause_ms >= 0
    assert "broke off" in resumed.reason


async def test_that_staff_see_the_move_where_it_happened(database: Database) -> None:
    first = len(SENTENCES[0].split()) + 1
    async with stand(replace(WRITES, die_after=first), WRITES) as here:
        events = await (await desk_of(database, here)).ask(HELP)
    assert kinds(events)[3:] == ["Writing", "Text", "Resumed", "Text", "Ended"]


async def test_that_the_ledger_holds_what_each_engine_did(database: Database) -> None:
    async with stand(replace(WRITES, die_after=7), WRITES) as here:
        desk = await desk_of(database, here)
        events = await desk.ask(HELP)
        first, second = (fake.counters for fake in here.fakes)
        totals = [await database.run(lambda s, run=run: engine_run_totals(s, run)) for run in ("run-1", "run-2")]
    assert [one.tokens.prompt for one in totals] == [first.prompt_tokens, second.prompt_tokens]
    assert [one.tokens.output for one in totals] == [first.output_tokens, second.output_tokens]
    tokens = ended(events).tokens
    assert tokens.prompt == first.prompt_tokens + second.prompt_tokens
    assert tokens.output == first.output_tokens + second.output_tokens
    assert ended(events).times.inter_token is not None


async def test_that_what_was_released_stays_when_no_engine_can_go_on(database: Database) -> None:
    dying = replace(WRITES, die_after=len(SENTENCES[0].split()) + 2)
    async with stand(dying, replace(WRITES, die_after=1)) as here:
        events = await (await desk_of(database, here)).ask(HELP)
    assert released(events) == SENTENCES[:1]
    assert ended(events).outcome is TurnOutcome.FAILED
    assert "begun at 2 engines" in ended(events).why


async def test_that_a_turn_stopped_while_it_moves_leaves_no_stream(database: Database) -> None:
    async with stand(replace(WRITES, die_after=12), replace(WRITES, first_delay_s=60)) as here:
        desk = await desk_of(database, here)
        read = asyncio.Event()

        async def ask() -> None:
            async with aclosing(desk.turns.answer(question(HELP))) as events:
                async for event in events:
                    if isinstance(event, Text):
                        read.set()

        asking = asyncio.create_task(ask())
        await here.fakes[1].until(lambda counters: counters.running == 1)
        assert read.is_set()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await here.fakes[1].until(lambda counters: counters.running == 0)
        (turn,) = await desk.all_turns()
        assert turn.settled is not None
        assert turn.settled.outcome is TurnOutcome.CANCELLED
        assert turn.settled.tokens.output == 12


def test_that_a_pause_is_from_the_last_word_of_one_engine_to_the_first_of_the_other() -> None:
    moves = Moves()
    assert moves.take(ChatEngine("a", "r1", 0.0)) is None
    assert moves.take(ChatDelta("Refunds ", 1, 1.0)) is None
    assert moves.take(ChatEngine("b", "r2", 1.5, "It died.")) is None
    assert moves.take(ChatUsage(1, 0, 1)) is None
    assert moves.take(ChatDelta("reach", 2, 3.0)) == Resumed(2000.0, "a", "b", "It died.")
    assert moves.take(ChatEnd("stop")) is None


def test_that_two_moves_without_a_word_between_them_are_told_one_after_the_other() -> None:
    moves = Moves()
    moves.take(ChatEngine("a", "r1", 0.5))
    moves.take(ChatEngine("b", "r2", 1.0, "It died."))
    assert moves.take(ChatEngine("c", "r3", 2.0, "So did b.")) == Resumed(1500.0, "a", "b", "It died.")
    told = moves.take(ChatDelta("Refunds", 1, 3.0))
    assert told == Resumed(2500.0, "b", "c", "So did b.")


def test_that_a_use_tells_what_other_runs_did() -> None:
    use = replace(EngineUse(0.0).at("r1"), prompt_tokens=100, output_tokens=5).at("r2")
    assert use.elsewhere == (RunShare("r1", TokenUse(100, 0, 5)),)
    grown = replace(use, prompt_tokens=210, output_tokens=12)
    assert grown.at("r2") == grown
    assert grown.at("r3").elsewhere == (RunShare("r1", TokenUse(100, 0, 5)), RunShare("r2", TokenUse(110, 0, 7)))


def test_that_two_requests_of_one_run_have_nothing_elsewhere() -> None:
    first = replace(EngineUse(0.0).at("r1"), prompt_tokens=100, output_tokens=5)
    later = replace(EngineUse(1.0).at("r1"), prompt_tokens=150, output_tokens=7)
    assert first.then(later).elsewhere == ()
    assert first.then(replace(later, run="r2")).elsewhere == (RunShare("r1", TokenUse(100, 0, 5)),)


def test_that_a_model_asked_for_the_way_counts_for_the_run_that_was_asked() -> None:
    record = TurnRecord(question(HELP), "run-1")
    record.spend(Spent(TokenUse(80, 0, 1), "run-2"))
    record.take(replace(EngineUse(0.0).at("run-1"), prompt_tokens=100, output_tokens=9))
    kept = record.settled("en")
    assert (kept.tokens, kept.engine_run) == (TokenUse(180, 0, 10), "run-1")
    assert kept.elsewhere == (RunShare("run-2", TokenUse(80, 0, 1)),)


def test_that_a_turn_in_which_only_the_way_was_asked_for_counts_for_that_run() -> None:
    record = TurnRecord(question(HELP), "run-1")
    record.spend(Spent(TokenUse(80, 0, 1), "run-2"))
    kept = record.settled("en")
    assert (kept.engine_run, kept.elsewhere) == ("run-2", ())
