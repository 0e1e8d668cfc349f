"""A small kitchen for the chat page: real database, secrets and turn desk; orders, articles and engine are borders."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from engine_host.answering.help_way import HelpLimits, HelpWay
from engine_host.answering.ledger import Ledger
from engine_host.answering.nearest import Examples
from engine_host.answering.order_way import OrderWay
from engine_host.answering.quota import QuotaDesk
from engine_host.answering.route import Router
from engine_host.answering.statements import Voice
from engine_host.answering.turn import TurnDesk
from engine_host.client.types import ChatDelta, ChatEnd, ChatUsage
from engine_host.orders.demo.book import DemoCustomer
from engine_host.orders.port import Order, OrderItem, OrdersFound, OrderStatus
from engine_host.published import Published
from knowledge.article import Article, ArticleStatus, ArticleText, Audience, Passage, Retrieved
from knowledge.errors import ArticleUnknown
from storage.database import Database
from storage.queries.tenants import upsert_tenant
from storage.records import Quota, Tenant
from storage.secret_room import SecretRoom
from storage.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from engine_host.client.types import ChatRequest
    from engine_host.orders.port import OrderReading, VerifiedCustomer
    from storage.paths import Home

ZONE = ZoneInfo("Asia/Kolkata")
QUOTA = Quota(20_000_000, 240, 40, 1024, 512)
KAMALA = Tenant("kamala", "Kamala Dabba", "own", 1, "Asia/Kolkata", "KD", QUOTA, "020 5550 0142")
ANNAPURNA = Tenant("annapurna", "Annapurna Rasoi", "sister", 2, "Asia/Kolkata", "AR", QUOTA, "0253 555 0117")
CUSTOMERS = (
    DemoCustomer("C-2291", "kamala", "Meera Joshi", "en"),
    DemoCustomer("C-1187", "kamala", "Rohan Deshpande", "hi"),
    DemoCustomer("A-1", "annapurna", "Ward 4", "en"),
)
BODY = """\
Read this before you cancel.

## Before 09:00

If you cancel before 09:00 on the delivery day, the whole amount is returned.

## How long it takes

UPI refunds arrive within 2 working days and card refunds within 5 to 7 working days.
"""
EARLY = "If you cancel before 09:00 on the delivery day, the whole amount is returned."
LONG = "UPI refunds arrive within 2 working days and card refunds within 5 to 7 working days."


def passage(text: str, heading: str, score: float, title: str = "Refunds and cancellations") -> Passage:
    start = max(BODY.find(text), 0)
    return Passage("refunds", title, (heading,), text, start, start + len(text), "en", score, score >= 0.45)


PASSAGES = (passage(EARLY, "Before 09:00", 0.82), passage(LONG, "How long it takes", 0.79), passage("Late.", "", 0.3))
ARTICLE = Article(
    "refunds",
    ArticleText(
        "refunds.en.md", "Refunds and cancellations", "Office", Audience.CUSTOMERS, (), "en", None, None, BODY, "h"
    ),
    ArticleStatus.PUBLISHED,
    1,
    2,
    datetime(2026, 11, 1, tzinfo=UTC),
)


@dataclass
class Shelves:
    """Stands for the article library."""

    passages: tuple[Passage, ...] = PASSAGES
    articles: dict[str, Article] = field(default_factory=lambda: {"refunds": ARTICLE})

    async def retrieve(self, question: str, asker: Any, limit: int) -> Retrieved:
        return Retrieved(self.passages, 0.45, 214, 64.0)

    async def still_served(self, passages: Any, asker: Any) -> tuple[bool, ...]:
        return (True,) * len(passages)

    async def article(self, article_id: str) -> Article:
        if article_id not in self.articles:
            raise ArticleUnknown(
                f"There is no article {article_id}: it was removed meanwhile, or never was. Reload the list."
            )
        return self.articles[article_id]


@dataclass
class Pen:
    """Stands for the engine. `gate` cleared: it waits before the last word. `broken`: raised in mid-answer."""

    words: tuple[str, ...] = (EARLY, f" {LONG}", " Your courier Ravi will reach Gate 2 by 12:50.")
    model: str = "SmolLM2-135M-Instruct"
    languages: tuple[str, ...] = ("en",)
    context_tokens: int = 4096
    tools: bool = False
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    broken: Exception | None = None
    closed: int = 0
    asked: int = 0

    async def stream(self, request: ChatRequest) -> AsyncGenerator[Any, None]:
        self.asked += 1
        try:
            for number, word in enumerate(self.words):
                if number == len(self.words) - 1:
                    await self.gate.wait()
                    if self.broken is not None:
                        raise self.broken
                yield ChatDelta(word, number + 1, time.monotonic())
            yield ChatUsage(742, 512, 28)
            yield ChatEnd("stop", queue_ms=18.0)
        finally:
            self.closed += 1


class Pens:
    def __init__(self, pen: Pen | None) -> None:
        self.pen = pen
        self.run = "run-1" if pen else None

    async def writer(self) -> Pen | None:
        return self.pen


def order(order_id: str = "KD-4821", now: datetime | None = None) -> Order:
    now = now or datetime.now(UTC)
    return Order(
        order_id=order_id,
        customer_id="C-2291",
        status=OrderStatus.OUT_FOR_DELIVERY,
        status_changed_at=now - timedelta(minutes=10),
        version=7,
        items=(OrderItem("Low-sugar lunch", 1, "low sugar"),),
        total_amount=160,
        total_currency="INR",
        placed_at=now - timedelta(hours=2),
        left_kitchen_at=now - timedelta(minutes=10),
        expected_at=now + timedelta(minutes=24),
        delivered_at=None,
        courier_first_name="Imran",
        as_of=now,
    )


@dataclass
class Orders:
    """Stands for the kitchen's order system; `demo` None makes it one that lists nobody."""

    demo: object | None = field(default_factory=object)
    seen: list[VerifiedCustomer] = field(default_factory=list)

    async def known_customers(self) -> tuple[DemoCustomer, ...]:
        return CUSTOMERS if self.demo else ()

    async def active_orders(self, customer: VerifiedCustomer) -> OrderReading:
        self.seen.append(customer)
        request = f"GET /customers/{customer.customer_id}/orders?active=true"
        orders = (order(),) if customer.customer_id == "C-2291" else ()
        return OrdersFound(orders, request, 200, time.monotonic(), 118.0)

    async def order(self, customer: VerifiedCustomer, order_id: str) -> OrderReading:
        request = f"GET /customers/{customer.customer_id}/orders/{order_id}"
        return OrdersFound((), request, 404, time.monotonic(), 20.0)


@dataclass
class Engines:
    """No engine has metrics here."""

    seats: tuple[Any, ...] = ()


@dataclass
class Kitchen:
    """The rooms of the house that the chat page uses."""

    home: Home
    settings: Any
    database: Database
    secrets: SecretRoom
    library: Shelves
    answering: Published[bool]
    orders: Orders
    turns: TurnDesk
    pen: Pen | None
    engines: Engines = field(default_factory=Engines)

    async def close(self) -> None:
        await self.secrets.close()
        await self.database.close()


async def open_kitchen(home: Home, pen: Pen | None = None, orders: Orders | None = None) -> Kitchen:
    home.make()
    settings = load_settings(home)
    database = await Database.open(home)
    for tenant in (KAMALA, ANNAPURNA):
        await database.run(lambda session, new=tenant: upsert_tenant(session, new))
    secrets = SecretRoom(home)
    shelves, book, pens = Shelves(), orders or Orders(), Pens(pen)
    turns = TurnDesk(
        ledger=Ledger(database),
        quota=QuotaDesk(),
        router=Router(Examples(None), pens),
        orders=OrderWay(book, settings.orders.statement_max_age_s),
        help_way=HelpWay(shelves, pens, HelpLimits(4, lambda: date(2026, 11, 30))),
        engines=pens,
        secret_of=secrets.tenant_secret,
        voice_of=lambda tenant, language: Voice(language, ZONE, tenant.phone),
    )
    return Kitchen(home, settings, database, secrets, shelves, Published(bool(pen)), book, turns, pen)
