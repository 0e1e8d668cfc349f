"""What the Tenants page reads: days that are over once, today anew."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, cast
from zoneinfo import ZoneInfo

import pytest

from console.tenants.reading import UsageReader, read_talks
from engine_host.usage.forecast import Forecast
from storage.paths import Home
from storage.queries.conversations import start_conversation
from storage.queries.turns import open_turn, settle_turn
from storage.records import NewTurn, SettledTurn, TokenUse, TurnOutcome, TurnTimes
from tests.console.tenants.house import KAMALA, House, open_house

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import date
    from pathlib import Path

    from sqlalchemy.orm import Session

    from console.tenants.reading import TenantsHouse


PUNE = ZoneInfo("Asia/Kolkata")
TIMES = TurnTimes(prefill=1000.0, decode=2000.0)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    house = await open_house(Home(tmp_path / "home"), KAMALA)
    yield house
    await house.database.close()


def rooms(house: House) -> TenantsHouse:
    """Its engines are fakes."""
    return cast("TenantsHouse", house)


def today() -> date:
    return datetime.now(UTC).astimezone(PUNE).date()


async def ask(house: House, day: date, turns: int = 1, talk: str = "talk") -> None:
    """Questions at noon of a day in Pune, each of 100 tokens in and 20 out."""
    at = datetime.combine(day, time(12), PUNE)

    def write(session: Session) -> None:
        conversation = f"{talk} {day}"
        start_conversation(session, "kamala", None, "Meera", at, conversation)
        for number in range(turns):
            turn = f"{conversation} {number}"
            open_turn(session, NewTurn(turn, conversation, "kamala", None, "", "q", at, "r1"))
            settle_turn(session, SettledTurn(turn, TurnOutcome.ANSWERED, "en", "a", TokenUse(100, 0, 20), TIMES))

    await house.database.run(write)


async def test_that_days_of_the_period_come_with_the_memory_that_they_held(house: House) -> None:
    for back in (0, 1, 20):
        await ask(house, today() - timedelta(days=back))
    reader = UsageReader(rooms(house))
    of_today = await reader.read("today", "day")
    assert [one.day for one in of_today.kv] == [today() - timedelta(days=1), today()]
    of_month = await reader.read("30", "day")
    assert len(of_month.kv) == 3
    # 100 tokens for 3 s, and half of 20 for 2 s.
    assert {round(one.token_seconds, 6) for one in of_month.kv} == {320.0}
    assert of_month.kv == (await reader.read("30", "month")).kv


async def test_that_today_is_read_anew_and_the_same_weekday_before_is_its_shape(house: House) -> None:
    await ask(house, today() - timedelta(weeks=1), turns=10)
    reader = UsageReader(rooms(house))
    before = await reader.read("today", "day")
    assert [(slot.day, slot.requests) for slot in before.slots["kamala"]] == [(today() - timedelta(weeks=1), 10)]
    await ask(house, today(), turns=2)
    after = await reader.read("today", "day")
    assert [(slot.day, slot.tokens) for slot in after.slots["kamala"]] == [
        (today(), 240),
        (today() - timedelta(weeks=1), 1200),
    ]
    outlook = after.outlooks["kamala"]
    assert isinstance(outlook, Forecast)
    assert outlook.days == (today() - timedelta(weeks=1),)


async def test_that_the_conversations_of_a_period_are_those_of_its_days(house: House) -> None:
    for back in (0, 1):
        await ask(house, today() - timedelta(days=back), turns=back + 1)
    read = await read_talks(rooms(house), "kamala", "today", today())
    assert [(one.customer_name, one.turns) for one in read.talks] == [("Meera", 1)]
    assert [one.turns for one in (await read_talks(rooms(house), "kamala", "7", today())).talks] == [2, 1]
