"""What turns used, added up: by quarter of an hour, held KV memory, conversation, and for counters."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from storage.queries.conversations import start_conversation
from storage.queries.engine_runs import engine_run_names, keep_engine_run
from storage.queries.turns import add_output_tokens, close_abandoned, open_turn, settle_turn
from storage.queries.usage import usage_by_day
from storage.queries.usage_totals import share_totals, turn_totals
from storage.queries.usage_turns import kv_by_day, tokens_by_slot, top_conversations
from storage.records import RunShare, TokenUse, TurnOutcome, TurnTimes
from storage.usage_records import ConversationUse, KvDay, ShareTotals, SlotUse, Spread
from tests.storage.kitchen import KAMALA, NOON, PORTLAND, ending, furnish, question

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.database import Database
    from storage.records import SettledTurn, Tenant

TODAY = date(2026, 11, 30)
EDGES = (0.05, 0.1, 0.5)
TIMES = TurnTimes(prefill=2000.0, decode=4000.0, ttft=98.25, lookup=300.0)


@pytest.fixture(autouse=True)
async def _furnished(db: Database) -> None:
    await db.run(furnish)


def turn(
    session: Session, turn_id: str, minutes: float, end: SettledTurn, tenant: Tenant = KAMALA, talk: str = ""
) -> None:
    new = question(turn_id, tenant, minutes)
    open_turn(session, replace(new, conversation_id=talk) if talk else new)
    settle_turn(session, end)


def ended(
    turn_id: str, tokens: TokenUse, outcome: TurnOutcome = TurnOutcome.ANSWERED, unknown: str = ""
) -> SettledTurn:
    return replace(ending(turn_id, outcome, tokens), times=TIMES, unknown=unknown)


async def test_that_tokens_of_a_day_are_told_by_the_quarter_in_which_they_were_asked_for(db: Database) -> None:
    def write(session: Session) -> None:
        turn(session, "a", 0, ended("a", TokenUse(100, 60, 20)))
        turn(session, "b", 14.9, ended("b", TokenUse(10, 0, 1)))
        turn(session, "c", 15, ended("c", TokenUse(7, 0, 0)))
        turn(session, "d", 15, ended("d", TokenUse(900, 0, 0)), PORTLAND)
        open_turn(session, question("open", minutes=16))

    await db.run(write)
    assert await db.run(lambda s: tokens_by_slot(s, "kamala", (TODAY,))) == (
        SlotUse(TODAY, NOON, 2, 131),
        SlotUse(TODAY, NOON + timedelta(minutes=15), 2, 7),
    )
    assert await db.run(lambda s: tokens_by_slot(s, "kamala", (TODAY - timedelta(days=7),))) == ()


async def test_that_a_slot_belongs_to_the_tenants_own_day(db: Database) -> None:
    """00:30 in Pune is still the day before in UTC."""
    late = (datetime(2026, 11, 30, 19, 0, tzinfo=UTC) - NOON).total_seconds() / 60
    await db.run(lambda s: turn(s, "a", late, ended("a", TokenUse(5, 0, 5))))
    assert await db.run(lambda s: tokens_by_slot(s, "kamala", (TODAY,))) == ()
    (slot,) = await db.run(lambda s: tokens_by_slot(s, "kamala", (date(2026, 12, 1),)))
    assert (slot.start.hour, slot.tokens) == (19, 10)


async def test_that_the_slots_of_a_day_add_up_to_its_usage(db: Database) -> None:
    def write(session: Session) -> None:
        for number in range(9):
            turn(session, f"t{number}", number * 11, ended(f"t{number}", TokenUse(100 + number, 60, 20)))
        add_output_tokens(session, "t3", TokenUse(0, 0, 5))

    await db.run(write)
    (day,) = await db.run(lambda s: usage_by_day(s, TODAY, TODAY))
    slots = await db.run(lambda s: tokens_by_slot(s, "kamala", (TODAY,)))
    assert sum(slot.tokens for slot in slots) == day.tokens.prompt + day.tokens.output
    assert sum(slot.requests for slot in slots) == day.requests


async def test_that_held_memory_is_tokens_times_seconds(db: Database) -> None:
    """100 tokens for 6 s of prefill and decode, and 20 more that came one after the other in 4 s."""

    def write(session: Session) -> None:
        turn(session, "a", 0, ended("a", TokenUse(100, 60, 20)))
        turn(session, "b", 1, replace(ended("b", TokenUse(50, 0, 5)), times=TurnTimes()))
        turn(session, "c", 2, ended("c", TokenUse(10, 0, 0)), PORTLAND)

    await db.run(write)
    found = await db.run(lambda s: kv_by_day(s, TODAY - timedelta(days=1), TODAY))
    # 22:32 on the 29th in Portland.
    assert found == (
        KvDay("portland", date(2026, 11, 29), pytest.approx(60.0)),  # type: ignore[arg-type]
        KvDay("kamala", TODAY, pytest.approx(640.0)),  # type: ignore[arg-type]
    )


async def test_that_the_conversations_that_used_most_come_first(db: Database) -> None:
    def write(session: Session) -> None:
        for talk in ("long", "idle"):
            start_conversation(session, "kamala", "C-2", "Ravi", NOON, talk)
        turn(session, "a", 0, ended("a", TokenUse(100, 60, 20)))
        turn(session, "b", 1, ended("b", TokenUse(100, 50, 30)), talk="long")
        turn(session, "c", 2, ended("c", TokenUse(40, 0, 3)), talk="long")
        turn(session, "d", 3, ended("d", TokenUse(), TurnOutcome.REFUSED), talk="idle")
        turn(session, "e", 0, ended("e", TokenUse(9000, 0, 0)), PORTLAND)

    await db.run(write)
    found = await db.run(lambda s: top_conversations(s, "kamala", TODAY, TODAY))
    assert [(one.conversation_id, one.turns) for one in found] == [("long", 2), ("talk-kamala", 1)]
    assert found[0] == ConversationUse(
        "long", "Ravi", "Where is my dabba?", NOON + timedelta(minutes=2), 2, TokenUse(140, 50, 33)
    )
    assert len(await db.run(lambda s: top_conversations(s, "kamala", TODAY, TODAY, limit=1))) == 1


async def test_that_counters_add_up_tenants_runs_outcomes_and_reasons(db: Database) -> None:
    def write(session: Session) -> None:
        turn(session, "a", 0, ended("a", TokenUse(100, 60, 20)))
        turn(session, "b", 1, replace(ended("b", TokenUse(100, 0, 2)), withheld=3, times=TurnTimes(ttft=700.0)))
        turn(session, "c", 2, ended("c", TokenUse(5, 0, 1), TurnOutcome.DOES_NOT_KNOW, "no_passage"))
        open_turn(session, question("open", minutes=3))

    await db.run(write)
    answered, unknown = await db.run(lambda s: turn_totals(s, EDGES, "kamala", TODAY))
    assert (answered.outcome, answered.engine_run, answered.turns, answered.withheld) == (
        TurnOutcome.ANSWERED, "run-1", 2, 3,
    )  # fmt: skip
    assert answered.tokens == TokenUse(200, 60, 22)
    assert answered.ttft == Spread((0, 1, 1), 2, pytest.approx(0.79825))  # type: ignore[arg-type]
    assert answered.lookup == Spread((0, 0, 1), 1, pytest.approx(0.3))  # type: ignore[arg-type]
    assert (unknown.unknown, unknown.turns) == ("no_passage", 1)
    assert await db.run(lambda s: turn_totals(s, EDGES, "kamala", TODAY - timedelta(days=1))) == ()
    assert await db.run(lambda s: turn_totals(s, EDGES, "portland", TODAY)) == ()


async def test_that_a_turn_that_is_put_right_never_makes_a_counter_fall(db: Database) -> None:
    await db.run(lambda s: open_turn(s, question("a")))
    await db.run(lambda s: close_abandoned(s, NOON + timedelta(hours=1)))
    (failed,) = await db.run(lambda s: turn_totals(s, EDGES, "kamala", TODAY))
    assert (failed.outcome, failed.turns) == (TurnOutcome.FAILED, 0)
    await db.run(lambda s: settle_turn(s, ended("a", TokenUse(9, 0, 1))))
    (answered,) = await db.run(lambda s: turn_totals(s, EDGES, "kamala", TODAY))
    assert (answered.outcome, answered.turns, answered.ttft.count) == (TurnOutcome.ANSWERED, 1, 1)


async def test_that_what_another_engine_made_for_a_turn_is_told(db: Database) -> None:
    moved = replace(ended("a", TokenUse(100, 0, 20)), elsewhere=(RunShare("run-2", TokenUse(40, 0, 6)),))
    await db.run(lambda s: turn(s, "a", 0, moved))
    assert await db.run(lambda s: share_totals(s, "kamala", TODAY)) == (
        ShareTotals("kamala", "run-1", "run-2", TokenUse(40, 0, 6)),
    )


async def test_that_an_engine_run_keeps_its_first_name(db: Database) -> None:
    for name in ("cpu-demo", "other"):
        await db.run(lambda s, name=name: keep_engine_run(s, "run-1", name))
    assert await db.run(engine_run_names) == {"run-1": "cpu-demo"}


async def test_that_usage_is_added_up_without_reading_the_long_rows(db: Database, url: str) -> None:
    if not url.startswith("sqlite"):
        pytest.skip("PostgreSQL chooses by the size of the table.")
    plan = (
        "EXPLAIN QUERY PLAN SELECT tenant_id, sum(prompt_tokens), sum(ttft_ms), sum(abandoned), count(unknown) "
        "FROM turn WHERE usage_day >= '2026-11-01' GROUP BY tenant_id, engine_run, outcome"
    )
    told = await db.run(lambda s: " ".join(str(row[3]) for row in s.execute(text(plan))))
    assert "USING COVERING INDEX ix_turn_usage" in told
