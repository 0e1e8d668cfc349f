"""Turns and usage: they change together, once, on the tenant's own day."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from storage.errors import NoSuchRecord, RecordRefused
from storage.queries.conversations import conversation, conversation_turns, start_conversation
from storage.queries.turn_counts import turns_since
from storage.queries.turns import (
    add_output_tokens,
    close_abandoned,
    newest_broken_turn,
    open_turn,
    recent_turns,
    settle_turn,
)
from storage.queries.usage import engine_run_totals, usage_by_day, usage_today
from storage.records import RunShare, TokenUse, Turn, TurnOutcome, UsageDay
from tests.storage.kitchen import KAMALA, NOON, PORTLAND, ending, furnish, question, whole_turn

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.database import Database

TODAY = date(2026, 11, 30)


@pytest.fixture(autouse=True)
async def _furnished(db: Database) -> None:
    await db.run(furnish)


async def test_that_a_turn_is_kept_whole(db: Database) -> None:
    opened = await db.run(lambda s: open_turn(s, question("t1")))
    assert opened == Turn(question("t1"), None)
    settled = await db.run(lambda s: settle_turn(s, ending("t1")))
    assert settled == Turn(question("t1"), ending("t1"))
    assert await db.run(lambda s: conversation_turns(s, "talk-kamala")) == (settled,)
    assert await db.run(lambda s: recent_turns(s, NOON)) == (settled,)


async def test_that_settling_adds_to_the_tenants_day(db: Database) -> None:
    def day_of_work(session: Session) -> None:
        whole_turn(session, "t1", TurnOutcome.ANSWERED, TokenUse(100, 60, 20))
        whole_turn(session, "t2", TurnOutcome.REFUSED, TokenUse())
        whole_turn(session, "t3", TurnOutcome.FAILED, TokenUse(5, 0, 1))
        whole_turn(session, "t4", TurnOutcome.CANCELLED, TokenUse(7, 7, 3))

    await db.run(day_of_work)
    assert await db.run(lambda s: usage_by_day(s, TODAY, TODAY)) == (
        UsageDay("kamala", TODAY, 4, 1, 1, 1, TokenUse(112, 67, 24)),
    )


async def test_that_settling_twice_counts_once_and_keeps_the_first_ending(db: Database) -> None:
    await db.run(lambda s: open_turn(s, question("t1")))
    first = await db.run(lambda s: settle_turn(s, ending("t1")))
    second = await db.run(lambda s: settle_turn(s, ending("t1", TurnOutcome.CANCELLED, TokenUse(1, 1, 1))))
    assert second == first
    assert (await db.run(lambda s: usage_today(s, "kamala", NOON))).tokens == TokenUse(100, 60, 20)


@pytest.mark.parametrize(
    ("asked_at", "kamala_day", "portland_day"),
    [
        (datetime(2026, 11, 30, 18, 29, 59, tzinfo=UTC), date(2026, 11, 30), date(2026, 11, 30)),
        (datetime(2026, 11, 30, 18, 30, tzinfo=UTC), date(2026, 12, 1), date(2026, 11, 30)),
        (datetime(2026, 12, 1, 7, 59, tzinfo=UTC), date(2026, 12, 1), date(2026, 11, 30)),
        (datetime(2026, 12, 1, 8, 0, tzinfo=UTC), date(2026, 12, 1), date(2026, 12, 1)),
    ],
)
async def test_that_the_usage_day_is_the_day_where_the_tenant_is(
    db: Database, asked_at: datetime, kamala_day: date, portland_day: date
) -> None:
    def ask(session: Session) -> tuple[UsageDay, ...]:
        for tenant in (KAMALA, PORTLAND):
            open_turn(session, replace(question(tenant.name, tenant), asked_at=asked_at))
            settle_turn(session, ending(tenant.name))
        return tuple(usage_today(session, tenant.tenant_id, asked_at) for tenant in (KAMALA, PORTLAND))

    kamala, portland = await db.run(ask)
    assert (kamala.day, kamala.requests) == (kamala_day, 1)
    assert (portland.day, portland.requests) == (portland_day, 1)


async def test_that_a_turn_settled_after_midnight_counts_on_the_day_it_was_asked(db: Database) -> None:
    late = replace(question("t1"), asked_at=datetime(2026, 11, 30, 18, 29, tzinfo=UTC))
    await db.run(lambda s: open_turn(s, late))
    await db.run(lambda s: settle_turn(s, ending("t1")))
    days = await db.run(lambda s: usage_by_day(s, TODAY, TODAY + timedelta(days=1)))
    assert [day.day for day in days] == [TODAY]


async def test_that_a_day_without_turns_is_a_day_of_zeros(db: Database) -> None:
    assert await db.run(lambda s: usage_today(s, "portland", NOON)) == UsageDay("portland", date(2026, 11, 29))
    assert await db.run(lambda s: usage_by_day(s, TODAY, TODAY)) == ()


async def test_that_an_abandoned_turn_is_closed_as_failed(db: Database) -> None:
    await db.run(lambda s: open_turn(s, question("old")))
    await db.run(lambda s: open_turn(s, question("new", minutes=10)))
    closed = await db.run(lambda s: close_abandoned(s, NOON + timedelta(minutes=5)))
    assert [(t.opened.turn_id, t.settled and t.settled.outcome) for t in closed] == [("old", TurnOutcome.FAILED)]
    totals = await db.run(lambda s: engine_run_totals(s, "run-1"))
    assert (totals.requests, totals.open_turns) == (2, 1)
    assert (await db.run(lambda s: usage_today(s, "kamala", NOON))).failed == 1
    assert await db.run(lambda s: close_abandoned(s, NOON + timedelta(minutes=5))) == ()


async def test_that_a_turn_closed_too_early_is_put_right_by_its_own_settling(db: Database) -> None:
    await db.run(lambda s: open_turn(s, question("t1")))
    await db.run(lambda s: close_abandoned(s, NOON + timedelta(minutes=5)))
    settled = await db.run(lambda s: settle_turn(s, ending("t1")))
    assert settled.settled == ending("t1")
    usage = await db.run(lambda s: usage_today(s, "kamala", NOON))
    assert (usage.requests, usage.failed, usage.tokens) == (1, 0, TokenUse(100, 60, 20))
    again = await db.run(lambda s: settle_turn(s, ending("t1")))
    assert again == settled
    assert await db.run(lambda s: usage_today(s, "kamala", NOON)) == usage


async def test_that_late_tokens_change_turn_and_usage_together(db: Database) -> None:
    await db.run(lambda s: whole_turn(s, "t1", TurnOutcome.CANCELLED, TokenUse(100, 60, 20)))
    turn = await db.run(lambda s: add_output_tokens(s, "t1", TokenUse(output=9)))
    assert turn.settled
    assert turn.settled.tokens == TokenUse(100, 60, 29)
    assert (await db.run(lambda s: usage_today(s, "kamala", NOON))).tokens == TokenUse(100, 60, 29)
    assert (await db.run(lambda s: engine_run_totals(s, "run-1"))).tokens == TokenUse(100, 60, 29)


async def test_that_a_turn_that_moved_is_put_down_to_each_run_by_what_it_did(db: Database) -> None:
    shares = (RunShare("run-1", TokenUse(40, 20, 6)), RunShare("run-1", TokenUse(10, 0, 1)))
    moved = replace(ending("t1"), engine_run="run-2", elsewhere=shares)
    await db.run(lambda s: open_turn(s, question("t1")))
    await db.run(lambda s: settle_turn(s, moved))
    await db.run(lambda s: settle_turn(s, moved))
    dead, alive = [await db.run(lambda s, run=run: engine_run_totals(s, run)) for run in ("run-1", "run-2")]
    assert (dead.requests, dead.tokens) == (1, TokenUse(50, 20, 7))
    assert (alive.requests, alive.tokens) == (1, TokenUse(50, 40, 13))
    assert (await db.run(lambda s: usage_today(s, "kamala", NOON))).tokens == TokenUse(100, 60, 20)


async def test_that_late_tokens_of_an_engine_that_was_left_are_its_own(db: Database) -> None:
    moved = replace(ending("t1"), engine_run="run-2", elsewhere=(RunShare("run-1", TokenUse(40, 20, 6)),))
    await db.run(lambda s: open_turn(s, question("t1")))
    await db.run(lambda s: settle_turn(s, moved))
    turn = await db.run(lambda s: newest_broken_turn(s, "run-1"))
    assert turn is not None
    await db.run(lambda s: add_output_tokens(s, "t1", TokenUse(output=1), "run-1"))
    assert (await db.run(lambda s: engine_run_totals(s, "run-1"))).tokens == TokenUse(40, 20, 7)
    assert (await db.run(lambda s: engine_run_totals(s, "run-2"))).tokens == TokenUse(60, 40, 14)
    assert (await db.run(lambda s: usage_today(s, "kamala", NOON))).tokens == TokenUse(100, 60, 21)


async def test_that_tokens_never_fall_below_none(db: Database) -> None:
    await db.run(lambda s: whole_turn(s, "t1", TurnOutcome.ANSWERED, TokenUse(100, 60, 20)))
    with pytest.raises(RecordRefused, match="fewer than none"):
        await db.run(lambda s: add_output_tokens(s, "t1", TokenUse(output=-21)))
    assert (await db.run(lambda s: usage_today(s, "kamala", NOON))).tokens.output == 20


async def test_that_a_failed_transaction_changes_neither_turn_nor_usage(db: Database) -> None:
    await db.run(lambda s: open_turn(s, question("t1")))

    def settle_and_break(session: Session) -> None:
        settle_turn(session, ending("t1"))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await db.run(settle_and_break)
    assert (await db.run(lambda s: conversation_turns(s, "talk-kamala")))[0].settled is None
    assert (await db.run(lambda s: usage_today(s, "kamala", NOON))).requests == 0


async def test_that_the_conversation_follows_its_turns(db: Database) -> None:
    def talk(session: Session) -> None:
        open_turn(session, question("t1", text="first", minutes=1))
        settle_turn(session, ending("t1"))
        open_turn(session, question("t2", text="second", minutes=2))

    await db.run(talk)
    kept = await db.run(lambda s: conversation(s, "talk-kamala"))
    assert (kept.turns, kept.last_question, kept.has_withheld) == (2, "second", False)
    assert kept.last_at == NOON + timedelta(minutes=2)
    await db.run(lambda s: settle_turn(s, ending("t2", withheld=1)))
    assert (await db.run(lambda s: conversation(s, "talk-kamala"))).has_withheld


async def test_that_unknown_and_foreign_names_are_refused(db: Database) -> None:
    with pytest.raises(NoSuchRecord, match="no turn nobody"):
        await db.run(lambda s: settle_turn(s, ending("nobody")))
    with pytest.raises(NoSuchRecord, match="no conversation"):
        await db.run(lambda s: open_turn(s, replace(question("t1"), conversation_id="gone")))
    with pytest.raises(NoSuchRecord, match="another's"):
        await db.run(lambda s: open_turn(s, replace(question("t1"), tenant_id="portland")))
    with pytest.raises(NoSuchRecord, match="no tenant nobody"):
        await db.run(lambda s: start_conversation(s, "nobody", None, "", NOON))


async def test_that_a_turn_opens_once_and_never_settles_as_open(db: Database) -> None:
    await db.run(lambda s: open_turn(s, question("t1")))
    with pytest.raises(RecordRefused, match="already open"):
        await db.run(lambda s: open_turn(s, question("t1")))
    with pytest.raises(RecordRefused, match="no ending"):
        await db.run(lambda s: settle_turn(s, ending("t1", TurnOutcome.OPEN)))
    assert (await db.run(lambda s: conversation(s, "talk-kamala"))).turns == 1


async def test_that_text_that_no_database_takes_is_kept_with_marks(db: Database) -> None:
    await db.run(lambda s: open_turn(s, question("t1", text="a\x00b\ud83dc")))
    odd = replace(ending("t1"), answer="x\x00", events=({"text": "\udc00"},))
    turn = await db.run(lambda s: settle_turn(s, odd))
    assert turn.opened.question
    (kept,) = await db.run(lambda s: conversation_turns(s, "talk-kamala"))
    assert kept.opened.question == "a\ufffdb\ufffdc"
    assert kept.settled
    assert (kept.settled.answer, kept.settled.events) == ("x\ufffd", ({"text": "\ufffd"},))


async def test_that_the_newest_turns_are_kept_within_the_limit(db: Database) -> None:
    for number in range(5):
        await db.run(lambda s, n=number: open_turn(s, question(f"t{n}", minutes=n)))
    turns = await db.run(lambda s: recent_turns(s, NOON + timedelta(minutes=1), limit=3))
    assert [turn.opened.turn_id for turn in turns] == ["t2", "t3", "t4"]


async def test_that_turns_are_counted_by_their_ending_however_many_there_are(db: Database) -> None:
    def hour(session: Session) -> None:
        for number in range(1_003):
            outcome = TurnOutcome.FAILED if number % 2 else TurnOutcome.ANSWERED
            whole_turn(session, f"t{number}", outcome, TokenUse())

    await db.run(hour)
    assert await db.run(lambda s: turns_since(s, NOON, TurnOutcome.FAILED)) == 501
    assert await db.run(lambda s: turns_since(s, NOON + timedelta(seconds=1), TurnOutcome.FAILED)) == 0
