"""Where incidents happen: questions are asked of the house, and a usual day goes on beside them."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Final

from console.bench.why.words import Questions
from engine_host.answering.events import Opened, Question, Quoted, Text
from engine_host.answering.under_way import Step
from engine_host.orders.identity import issue_token

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable

    from console.bench.why.words import Asked
    from console.house import House
    from engine_host.answering.under_way import TurnUnderWay
    from engine_host.orders.demo.book import DemoCustomer

REGULARS: Final = ("kamala", "meridian")
NEWCOMER: Final = "annapurna"
"""Nobody of this tenant asks on the usual day: the engine has read nothing of it."""
TOKEN_LIFE_S: Final = 3600
LOOK_S: Final = 0.02
ORDERS: Final = 0.25
"""The share of the usual day that is about orders."""


@dataclass(slots=True)
class Asking:
    """One question under way. `turn_id` comes with the first event."""

    turn_id: asyncio.Future[str]
    task: asyncio.Task[None] | None = None

    async def end(self) -> str:
        """The turn's id, when the turn has ended."""
        if self.task is not None:
            await self.task
        return await self.turn_id


@dataclass(slots=True)
class Stage:
    """All methods belong to the loop. What is asked and when comes by `seed`; how fast it is answered does not.

    `usual_ended` are when the ended turns of the usual day began, in monotonic s.
    """

    house: House
    seed: int
    customers: tuple[DemoCustomer, ...]
    usual_ended: list[float] = field(default_factory=list[float])
    _askers: list[asyncio.Task[None]] = field(default_factory=list[asyncio.Task[None]])
    _asking: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    def questions(self, whose: str) -> Questions:
        """Of one incident or one asker: others draw from others."""
        return Questions(Random(f"{self.seed} {whose}"), self.customers)  # noqa: S311 - no secrets

    # Asking

    def begin(self, asked: Asked) -> Asking:
        asking = Asking(asyncio.get_running_loop().create_future())
        asking.task = asyncio.create_task(self._ask(asked, asking.turn_id), name="question of the bench")
        self._asking.add(asking.task)
        asking.task.add_done_callback(self._asking.discard)
        return asking

    async def ask(self, asked: Asked) -> str:
        """The turn's id, when it has ended."""
        return await self.begin(asked).end()

    async def _ask(self, asked: Asked, opened: asyncio.Future[str]) -> None:
        question = Question(asked.text, asked.tenant_id, await self._token(asked))
        left = asked.reader_s
        async with aclosing(self.house.turns.answer(question)) as events:
            async for event in events:
                if isinstance(event, Opened):
                    opened.set_result(event.turn_id)
                if isinstance(event, Text | Quoted) and left:
                    await asyncio.sleep(left)
                    left = 0.0

    async def _token(self, asked: Asked) -> str | None:
        if asked.customer_id is None:
            return None
        secret = await self.house.secrets.tenant_secret(asked.tenant_id)
        return issue_token(secret, asked.tenant_id, asked.customer_id, TOKEN_LIFE_S)

    # Waiting

    async def writing(self, askings: Iterable[Asking], wanted: int) -> None:
        """Until the engine writes for `wanted` of them, or one has ended already."""
        known = [await one.turn_id for one in askings]
        while True:
            now = {one.turn_id: one.step for one in self.house.turns.under_way.snapshot()}
            if sum(now.get(turn_id) is Step.WRITING for turn_id in known) >= wanted or not now.keys() >= set(known):
                return
            await asyncio.sleep(LOOK_S)

    async def at_engine(self, asking: Asking) -> str | None:
        """The engine run that works on it; None when the turn has ended."""
        turn_id = await asking.turn_id
        while one := self._under_way(turn_id):
            if one.engine_run is not None:
                return one.engine_run
            await asyncio.sleep(LOOK_S)
        return None

    def _under_way(self, turn_id: str) -> TurnUnderWay | None:
        return next((one for one in self.house.turns.under_way.snapshot() if one.turn_id == turn_id), None)

    async def usual_turns(self, wanted: int) -> None:
        """Until so many turns of the usual day have begun from now on and ended. Raises what broke an asker off."""
        since = time.monotonic()
        while sum(began >= since for began in self.usual_ended) < wanted:
            for asker in self._askers:
                if asker.done():
                    asker.result()
            await asyncio.sleep(LOOK_S)

    # The usual day

    @asynccontextmanager
    async def usual_day(self) -> AsyncGenerator[None]:
        """One asker of each regular tenant: one question after the other, one in four about an order."""
        self._askers = [asyncio.create_task(self._asker(tenant), name=f"asker of {tenant}") for tenant in REGULARS]
        try:
            yield
        finally:
            tasks = [*self._askers, *self._asking]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _asker(self, tenant_id: str) -> None:
        questions = self.questions(tenant_id)
        while True:
            began, about_order = time.monotonic(), questions.chance.random() < ORDERS
            await self.ask(questions.order(tenant_id) if about_order else questions.usual(tenant_id))
            self.usual_ended.append(began)
            await asyncio.sleep(questions.chance.uniform(0.3, 1.2))
