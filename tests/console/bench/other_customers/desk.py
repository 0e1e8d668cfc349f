"""The way of a question with this bench's order system behind the real HTTP book; library and engine are fakes."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import httpx

from console.bench.other_customers.house import UNBOUNDED, planted_articles
from console.bench.other_customers.liar import Liar
from console.bench.other_customers.scenes import Stage
from console.bench.other_customers.tries import Kind
from console.bench.other_customers.world import World, order_system
from engine_host.client.types import ChatDelta, ChatEnd
from engine_host.orders.http import HttpOrderBook
from storage.database import Database
from tests.console.bench.other_customers.ledger import MemoryLedger
from tests.engine_host.answering.desk import REFUNDS, Desk
from tests.fakes.answering import KAMALA, FixedLibrary, MemoryBook, ScriptedEngine, passage

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from console.bench.other_customers.scenes import Scenes
    from console.bench.other_customers.tries import Try
    from engine_host.client.types import ChatEvent, ChatRequest
    from engine_host.orders.port import OrderReading, VerifiedCustomer

KITCHEN = replace(KAMALA, quota=UNBOUNDED)
OTHER_KITCHEN = replace(KITCHEN, tenant_id="annapurna", name="Annapurna Rasoi", order_prefix="AR")
SECRETS = {KITCHEN.tenant_id: b"s" * 32, OTHER_KITCHEN.tenant_id: b"o" * 32}
CLEAN = (passage(REFUNDS, "Refunds"),)


class WorldBook(MemoryBook):
    """Looks orders up in the world of the bench, with the real HTTP book but without a socket."""

    def __init__(self, world: World) -> None:
        super().__init__(asyncio.get_running_loop().time)
        transport = httpx.ASGITransport(app=order_system(world))
        self.http = HttpOrderBook("http://orders", client=lambda: httpx.AsyncClient(transport=transport))

    async def active_orders(self, customer: VerifiedCustomer) -> OrderReading:
        return await self.http.active_orders(customer)

    async def order(self, customer: VerifiedCustomer, order_id: str) -> OrderReading:
        return await self.http.order(customer, order_id)


class LyingEngine(ScriptedEngine):
    """Says what the liar of the bench says to these messages."""

    def __init__(self, liar: Liar) -> None:
        super().__init__(languages=("en", "hi", "mr", "hi-Latn"), context_tokens=8192)
        self._liar = liar

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        told = self._liar.told([message.content for message in request.messages])
        for line in told:
            yield ChatDelta(f"{line}\n", None, asyncio.get_running_loop().time())
        yield ChatEnd("stop", None)


@dataclass
class TriedDesk:
    world: World
    stage: Stage
    library: FixedLibrary

    async def play(self, one: Try) -> Scenes:
        """The try's own planted article is found first, the clean one after it."""
        planted = planted_articles(self.world.began) if one.kind is Kind.ARTICLE else {}
        texts = [text for name, text in planted.items() if one.name.startswith(f"article {name}")]
        self.library.passages = (*(passage(text.split("---\n")[2]) for text in texts), *CLEAN)
        return await self.stage.play(one)


@asynccontextmanager
async def tried_desk(folder: Path) -> AsyncGenerator[TriedDesk]:
    database = await Database.open(f"sqlite:///{folder / 'ledger.db'}")
    world = World()
    book, library = WorldBook(world), FixedLibrary()
    try:
        desk = Desk(database, KITCHEN, book, library, LyingEngine(Liar(world.began)))
        desk.turns._ledger, desk.turns._secret_of = MemoryLedger(KITCHEN, OTHER_KITCHEN), secret_of
        yield TriedDesk(world, Stage(desk.turns.answer, world, SECRETS), library)
    finally:
        await book.http.close()
        await database.close()


async def secret_of(tenant_id: str) -> bytes:
    return SECRETS[tenant_id]
