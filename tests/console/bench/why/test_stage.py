"""Questions that are asked beside a usual day, of a desk that answers at once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

import pytest

from console.bench.why.stage import REGULARS, Stage
from console.bench.why.words import Asked
from engine_host.answering.events import Opened, Question, Text, TurnEvent
from engine_host.answering.turn_record import TurnRecord
from engine_host.answering.under_way import TurnsUnderWay
from engine_host.answering.way import EngineUse
from engine_host.orders.demo.book import DemoCustomer
from storage.errors import SecretError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from console.house import House

FIRST_ABOUT_AN_ORDER = 15
"""A seed by which both askers of the usual day ask about an order first."""
CUSTOMERS = (DemoCustomer("C-1", "kamala", "Asha", "en"), DemoCustomer("C-2", "meridian", "Bipin", "en"))


@dataclass
class Desk:
    """Each turn is held open until `let_go`."""

    under_way: TurnsUnderWay = field(default_factory=TurnsUnderWay)
    asked: list[Question] = field(default_factory=list[Question])
    let_go: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, question: Question) -> AsyncGenerator[TurnEvent, None]:
        self.asked.append(question)
        record = TurnRecord(question, "r1")
        self.under_way.enter(record)
        try:
            yield Opened(record.turn_id, record.conversation_id, datetime.now(UTC), None, "en")
            record.take(EngineUse(0.0, first_token_at=1.0).at("r1"))
            await self.let_go.wait()
            yield Text("An answer.", ())
        finally:
            self.under_way.leave(record.turn_id)


@dataclass
class Secrets:
    broken: bool = False

    async def tenant_secret(self, tenant_id: str) -> bytes:
        if self.broken:
            raise SecretError("The keyring is locked.")
        return tenant_id.encode().ljust(32, b".")


@dataclass
class Rooms:
    turns: Desk = field(default_factory=Desk)
    secrets: Secrets = field(default_factory=Secrets)


def stage_of(rooms: Rooms) -> Stage:
    return Stage(cast("House", rooms), 1, CUSTOMERS)


async def test_that_a_question_is_followed_from_its_engine_to_its_end() -> None:
    rooms = Rooms()
    asking = stage_of(rooms).begin(Asked("When?", "kamala"))
    assert await stage_of(rooms).at_engine(asking) == "r1"
    await stage_of(rooms).writing([asking], 1)
    rooms.turns.let_go.set()
    turn_id = await asking.end()
    assert turn_id == await asking.turn_id
    assert await stage_of(rooms).at_engine(asking) is None


async def test_that_on_a_usual_day_both_tenants_ask_and_nothing_stays_behind() -> None:
    rooms = Rooms()
    rooms.turns.let_go.set()
    stage = stage_of(rooms)
    async with stage.usual_day():
        await stage.usual_turns(4)
    assert {one.tenant_id for one in rooms.turns.asked} == set(REGULARS)
    assert rooms.turns.under_way.snapshot() == ()


async def test_that_a_usual_day_that_breaks_off_is_not_waited_for() -> None:
    rooms = Rooms()
    rooms.secrets.broken = True
    rooms.turns.let_go.set()
    stage = Stage(cast("House", rooms), FIRST_ABOUT_AN_ORDER, CUSTOMERS)
    with pytest.raises(SecretError, match="keyring"):
        async with stage.usual_day():
            await stage.usual_turns(1000)


async def test_that_what_is_asked_comes_by_the_seed_alone() -> None:
    one, again = stage_of(Rooms()).questions("FLOOD"), stage_of(Rooms()).questions("FLOOD")
    assert [one.usual("kamala") for _ in range(9)] == [again.usual("kamala") for _ in range(9)]
    assert one.letter("kamala") != stage_of(Rooms()).questions("KV_FULL").letter("kamala")
