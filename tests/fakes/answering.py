"""Fakes at the borders of a turn: an order book that can lie, an engine that writes a script, a library of passages."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from engine_host.answering.statements import Voice
from engine_host.client.types import ChatDelta, ChatEnd, ChatUsage
from engine_host.orders.port import Order, OrderItem, OrdersFound, OrderStatus, OrdersUnavailable, UnmappedOrder
from knowledge.article import Passage, Retrieved
from storage.records import Quota, Tenant

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from engine_host.client.types import ChatEvent, ChatRequest, ChatToolCall
    from engine_host.orders.port import OrderReading, VerifiedCustomer
    from knowledge.article import Asker

KAMALA = Tenant(
    tenant_id="kamala",
    name="Kamala Dabba",
    note="own customers",
    colour=1,
    timezone="Asia/Kolkata",
    order_prefix="KD",
    quota=Quota(20_000_000, 240, 12, 1024, 512),
    phone="020 5550 0142",
)
CUSTOMER = "C-2291"


def voice(language: str = "en") -> Voice:
    return Voice(language, ZoneInfo("Asia/Kolkata"), KAMALA.phone)


def order(at: datetime | None = None, **changes: object) -> Order:
    """A true order on its way, read at `at` (UTC; now by default), with `changes`."""
    now = at or datetime.now(UTC)
    row = Order(
        order_id="KD-4821",
        customer_id=CUSTOMER,
        status=OrderStatus.OUT_FOR_DELIVERY,
        status_changed_at=now - timedelta(minutes=31),
        version=4,
        items=(OrderItem("Low-sugar lunch", 1, "low-sugar"),),
        total_amount=160.0,
        total_currency="INR",
        placed_at=now - timedelta(hours=3),
        left_kitchen_at=now - timedelta(minutes=31),
        expected_at=now + timedelta(minutes=24),
        delivered_at=None,
        courier_first_name="Ravi",
        as_of=now,
    )
    return replace(row, **changes)  # type: ignore[arg-type]


class Clock:
    """Monotonic seconds that only a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class MemoryBook:
    """Orders in memory. `lies` come first, one a look-up; `before_answer` is called before each answer."""

    clock: Callable[[], float]
    orders: list[Order] = field(default_factory=list[Order])
    lies: list[OrderReading] = field(default_factory=list["OrderReading"])
    asked: list[tuple[str, str | None]] = field(default_factory=list[tuple[str, str | None]])
    before_answer: Callable[[], None] | None = None
    down: bool = False

    async def active_orders(self, customer: VerifiedCustomer) -> OrderReading:
        own = tuple(o for o in self.orders if o.customer_id == customer.customer_id)
        return await self._answer(customer, None, own)

    async def order(self, customer: VerifiedCustomer, order_id: str) -> OrderReading:
        own = tuple(o for o in self.orders if o.customer_id == customer.customer_id and o.order_id == order_id)
        return await self._answer(customer, order_id, own)

    async def _answer(self, customer: VerifiedCustomer, order_id: str | None, own: tuple[Order, ...]) -> OrderReading:
        self.asked.append((customer.customer_id, order_id))
        sent = self.clock()
        await asyncio.sleep(0)
        if self.before_answer:
            self.before_answer()
        if self.lies:
            return self.lies.pop(0)
        if self.down:
            return unavailable()
        return found(*own, read_at=sent)


def found(*orders: Order, read_at: float, http_status: int = 200) -> OrdersFound:
    return OrdersFound(orders, "GET /orders", http_status, read_at, 4.0)


def unmapped(word: str, *orders: Order, read_at: float, order_id: str = "KD-4821") -> OrdersFound:
    """A reading with a row of `CUSTOMER` whose status word nobody has mapped."""
    row = UnmappedOrder(order_id, CUSTOMER, word)
    return OrdersFound(orders, "GET /orders", 200, read_at, 4.0, (row,))


def unavailable(reason: str = "The order system gave no whole answer within 3 s.") -> OrdersUnavailable:
    return OrdersUnavailable(reason, "GET /orders", None, 3000.0)


def passage(text: str, title: str = "Help", **changes: object) -> Passage:
    return replace(Passage("a1", title, (), text, 0, len(text), "en", 0.8, True), **changes)  # type: ignore[arg-type]


@dataclass
class FixedLibrary:
    """A Retriever that finds what it is given; `error` is raised instead. Of `withdrawn` articles nothing is served."""

    passages: tuple[Passage, ...] = ()
    error: Exception | None = None
    askers: list[Asker] = field(default_factory=list["Asker"])
    questions: list[str] = field(default_factory=list[str])
    before_answer: Callable[[], None] | None = None
    withdrawn: set[str] = field(default_factory=set[str])

    async def still_served(self, passages: Sequence[Passage], asker: Asker) -> tuple[bool, ...]:
        return tuple(passage.article_id not in self.withdrawn for passage in passages)

    async def retrieve(self, question: str, asker: Asker, limit: int) -> Retrieved:
        self.askers.append(asker)
        self.questions.append(question)
        await asyncio.sleep(0)
        if self.before_answer:
            self.before_answer()
        if self.error:
            raise self.error
        return Retrieved(self.passages[:limit], 0.35, 40, 7.0)


@dataclass
class ScriptedEngine:
    """An engine that writes `pieces`, then dies of `error`, hangs, or ends. `closed` counts closed streams.

    Later requests get `then` instead, one each; a piece may be a call, or an error to die of. `refusals` come first.
    """

    pieces: tuple[str | ChatToolCall, ...] = ()
    then: tuple[tuple[str | ChatToolCall | Exception, ...], ...] = ()
    refusals: list[Exception] = field(default_factory=list[Exception])
    tools: bool = False
    error: Exception | None = None
    hangs: bool = False
    ready: bool = True
    model: str = "scripted"
    languages: tuple[str, ...] = ("en",)
    context_tokens: int = 4096
    run: str | None = "run-1"
    requests: list[ChatRequest] = field(default_factory=list["ChatRequest"])
    closed: int = 0
    waiting: asyncio.Event = field(default_factory=asyncio.Event)

    async def writer(self) -> ScriptedEngine | None:
        return self if self.ready else None

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        self.requests.append(request)
        scripts = dict(enumerate((self.pieces, *self.then), start=1))
        script = scripts.get(len(self.requests), self.pieces)
        try:
            if self.refusals:
                raise self.refusals.pop(0)
            for number, piece in enumerate(script, start=1):
                await asyncio.sleep(0)
                if isinstance(piece, Exception):
                    raise piece
                yield ChatDelta(piece, None, asyncio.get_running_loop().time()) if isinstance(piece, str) else piece
                yield ChatUsage(100, 64, number)
            if self.error:
                raise self.error
            if self.hangs:
                self.waiting.set()
                await asyncio.Event().wait()
            yield ChatEnd("stop", 1.5)
        finally:
            self.closed += 1
