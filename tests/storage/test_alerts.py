"""Alerts as kept, and what they are judged by."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from storage.alert_records import AlertEpisode, AlertMute
from storage.errors import NoSuchRecord
from storage.queries.alert_facts import ended_turns, tenant_days
from storage.queries.alerts import (
    acknowledge,
    alerts_between,
    clear,
    cleared_alerts,
    firing_alerts,
    forget_before,
    keep_fired,
    mute,
    mutes,
    tell_of,
    unmute,
)
from storage.queries.turns import open_turn, settle_turn
from storage.records import TokenUse, TurnOutcome, TurnTimes
from tests.storage.kitchen import KAMALA, NOON, PORTLAND, ending, furnish, question

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.database import Database

SLOW = AlertEpisode("a-1", "ttft_slow", "cpu-demo", "error", "TTFT p95 over 0.80 s", NOON, NOON, 1.1, "Now 1.10 s.")


def later(seconds: float) -> AlertEpisode:
    at = NOON + timedelta(seconds=seconds)
    return replace(SLOW, alert_id=f"a-{seconds}", fired_at=at, began_at=at)


async def test_that_an_alert_which_fires_already_goes_on_and_is_not_kept_twice(db: Database) -> None:
    first = await db.run(lambda session: keep_fired(session, SLOW))
    again = await db.run(lambda session: keep_fired(session, later(60)))
    assert first == again == SLOW
    assert await db.run(firing_alerts) == (SLOW,)


async def test_that_the_same_alert_of_another_engine_is_another_one(db: Database) -> None:
    await db.run(lambda session: keep_fired(session, SLOW))
    other = replace(later(5), subject="cpu-demo 2")
    assert await db.run(lambda session: keep_fired(session, other)) == other


async def test_that_an_alert_which_cleared_stays_in_the_history_and_can_fire_again(db: Database) -> None:
    ended = NOON + timedelta(seconds=90)
    await db.run(lambda session: keep_fired(session, SLOW))
    await db.run(lambda session: clear(session, "a-1", ended, "Below 0.70 s again."))
    again = await db.run(lambda session: keep_fired(session, later(120)))
    assert again.alert_id == "a-120"
    (old,) = await db.run(cleared_alerts)
    assert (old.cleared_at, old.said) == (ended, "Below 0.70 s again.")


async def test_that_the_first_end_of_an_alert_counts(db: Database) -> None:
    await db.run(lambda session: keep_fired(session, SLOW))
    await db.run(lambda session: clear(session, "a-1", NOON, "First."))
    kept = await db.run(lambda session: clear(session, "a-1", NOON + timedelta(hours=1), "Second."))
    assert (kept.cleared_at, kept.said) == (NOON, "First.")


async def test_that_who_acknowledges_second_does_not_move_the_first_time(db: Database) -> None:
    await db.run(lambda session: keep_fired(session, SLOW))
    await db.run(lambda session: acknowledge(session, "a-1", NOON))
    kept = await db.run(lambda session: acknowledge(session, "a-1", NOON + timedelta(minutes=1)))
    assert kept.acknowledged_at == NOON


async def test_that_the_newest_words_and_the_worst_value_are_kept(db: Database) -> None:
    await db.run(lambda session: keep_fired(session, SLOW))
    await db.run(lambda session: tell_of(session, "a-1", 2.4, "Now 2.40 s."))
    (kept,) = await db.run(firing_alerts)
    assert (kept.worst, kept.said) == (2.4, "Now 2.40 s.")


async def test_that_an_alert_nobody_kept_cannot_be_acknowledged(db: Database) -> None:
    with pytest.raises(NoSuchRecord, match="There is no alert a-9"):
        await db.run(lambda session: acknowledge(session, "a-9", NOON))


async def test_that_a_span_holds_what_was_firing_in_it(db: Database) -> None:
    def keep(session: Session) -> None:
        for start, end in ((0, 60), (100, 160), (200, None)):
            keep_fired(session, later(start))
            if end is not None:
                clear(session, f"a-{start}", NOON + timedelta(seconds=end), "Over.")

    await db.run(keep)
    first, last = NOON + timedelta(seconds=70), NOON + timedelta(seconds=210)
    found = await db.run(lambda session: alerts_between(session, first, last))
    assert [one.alert_id for one in found] == ["a-100", "a-200"]


async def test_that_only_what_is_long_over_is_forgotten(db: Database) -> None:
    def keep(session: Session) -> None:
        for start, end in ((0, 60), (100, 160), (200, None)):
            keep_fired(session, later(start))
            if end is not None:
                clear(session, f"a-{start}", NOON + timedelta(seconds=end), "Over.")
        mute(session, AlertMute("old", "", NOON))
        mute(session, AlertMute("good", "", None))
        forget_before(session, NOON + timedelta(seconds=100))

    await db.run(keep)
    assert [one.alert_id for one in await db.run(cleared_alerts)] == ["a-100"]
    assert [one.alert_id for one in await db.run(firing_alerts)] == ["a-200"]
    assert [one.rule for one in await db.run(lambda session: mutes(session, NOON - timedelta(days=1)))] == ["good"]


async def test_that_a_mute_ends_at_its_time_and_one_for_good_does_not(db: Database) -> None:
    hour = AlertMute("ttft_slow", "cpu-demo", NOON + timedelta(hours=1))
    good = AlertMute("disk_low", "", None)

    def both(session: Session) -> None:
        mute(session, hour)
        mute(session, good)

    await db.run(both)
    assert await db.run(lambda session: mutes(session, NOON)) == (good, hour)
    assert await db.run(lambda session: mutes(session, NOON + timedelta(hours=1))) == (good,)


async def test_that_a_mute_can_be_changed_and_taken_back(db: Database) -> None:
    def change(session: Session) -> None:
        mute(session, AlertMute("disk_low", "", NOON + timedelta(hours=1)))
        mute(session, AlertMute("disk_low", "", None))

    await db.run(change)
    assert await db.run(lambda session: mutes(session, NOON)) == (AlertMute("disk_low", "", None),)
    await db.run(lambda session: unmute(session, "disk_low", ""))
    assert await db.run(lambda session: mutes(session, NOON)) == ()


async def test_that_ended_turns_are_those_that_ended_since_then_whenever_they_were_asked(db: Database) -> None:
    def turns(session: Session) -> None:
        furnish(session)
        for turn_id, minutes, total_s in (("old", -5.0, 10.0), ("long", -5.0, 330.0), ("new", 0.1, 1.0)):
            open_turn(session, question(turn_id, minutes=minutes))
            times = TurnTimes(lookup=1700.0, ttft=210.0, total=total_s * 1000)
            settle_turn(session, replace(ending(turn_id, TurnOutcome.ORDER_STATED), times=times))
        open_turn(session, question("open", minutes=0.2))

    await db.run(turns)
    found = await db.run(lambda session: ended_turns(session, NOON))
    assert [(turn.outcome, turn.lookup_ms) for turn in found] == [(TurnOutcome.ORDER_STATED, 1700.0)] * 2
    assert {(turn.tenant_id, turn.ttft_ms) for turn in found} == {(KAMALA.tenant_id, 210.0)}
    assert found[0].ended_at == NOON + timedelta(seconds=30)


async def test_that_a_tenants_day_is_its_own(db: Database) -> None:
    def turns(session: Session) -> None:
        furnish(session)
        open_turn(session, question("one"))
        settle_turn(session, ending("one", tokens=TokenUse(100, 60, 20)))

    await db.run(turns)
    kamala, portland = await db.run(lambda session: tenant_days(session, NOON))
    assert (kamala.tenant_id, kamala.used, kamala.daily_tokens) == (KAMALA.tenant_id, 120, KAMALA.quota.daily_tokens)
    assert (portland.tenant_id, portland.used) == (PORTLAND.tenant_id, 0)
    assert (kamala.day.day, portland.day.day) == (30, 29)
