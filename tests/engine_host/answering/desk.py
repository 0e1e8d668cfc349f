"""A TurnDesk on a real SQLite ledger with fakes at its borders, and what tests ask of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from engine_host.answering.events import Ended, Question, Quoted, Stated, Text
from engine_host.answering.help_way import HelpLimits, HelpWay
from engine_host.answering.ledger import Ledger
from engine_host.answering.nearest import Examples
from engine_host.answering.order_way import OrderWay
from engine_host.answering.quota import QuotaDesk
from engine_host.answering.route import Router
from engine_host.answering.turn import TurnDesk
from engine_host.orders.identity import issue_token
from storage.queries import conversations, tenants, turns, usage
from tests.fakes.answering import CUSTOMER, KAMALA, FixedLibrary, MemoryBook, ScriptedEngine, passage, voice

if TYPE_CHECKING:
    from engine_host.answering.events import TurnEvent
    from storage.database import Database
    from storage.records import Tenant, Turn, UsageDay

SECRET = b"s" * 32
TODAY = date(2026, 11, 30)
REFUNDS = (
    "A refund to UPI takes up to 2 working days. A refund to a wallet balance is made at once. "
    "The bank decides the exact day on which a refund appears in your account."
)


@dataclass
class Desk:
    """One kitchen's desk; change the fakes before `ask`."""

    database: Database
    tenant: Tenant = KAMALA
    book: MemoryBook = field(default_factory=lambda: MemoryBook(time.monotonic))
    library: FixedLibrary = field(default_factory=lambda: FixedLibrary((passage(REFUNDS, "Refunds"),)))
    engine: ScriptedEngine = field(default_factory=ScriptedEngine)
    max_age_s: float = 2.0

    def __post_init__(self) -> None:
        self.quota = QuotaDesk()
        self.ledger = Ledger(self.database)
        self.orders = OrderWay(self.book, self.max_age_s, self.book.clock)
        help_way = HelpWay(self.library, self.engine, HelpLimits(passages=4, today=lambda: TODAY))
        self.turns = TurnDesk(
            self.ledger,
            self.quota,
            Router(Examples(None), self.engine),
            self.orders,
            help_way,
            self.engine,
            secret_of=secret_of,
            voice_of=lambda tenant, language: voice(language),
        )

    async def keep_tenant(self) -> Desk:
        await self.database.run(lambda session: tenants.upsert_tenant(session, self.tenant))
        return self

    async def ask(self, text: str, **fields: object) -> list[TurnEvent]:
        return [event async for event in self.turns.answer(question(text, **fields))]

    async def kept(self, conversation_id: str) -> tuple[Turn, ...]:
        return await self.database.run(lambda session: conversations.conversation_turns(session, conversation_id))

    async def all_turns(self) -> tuple[Turn, ...]:
        return await self.database.run(lambda session: turns.recent_turns(session, datetime(2000, 1, 1, tzinfo=UTC)))

    async def used(self) -> UsageDay:
        return await self.database.run(lambda session: usage.usage_today(session, self.tenant.tenant_id))


async def secret_of(tenant_id: str) -> bytes:
    return SECRET


def token(customer: str = CUSTOMER, secret: bytes = SECRET, tenant: str = "kamala") -> str:
    return issue_token(secret, tenant, customer, 600)


def question(text: str, **fields: object) -> Question:
    return Question(**({"text": text, "tenant_id": "kamala", "token": token()} | fields))  # type: ignore[arg-type]


def kinds(events: list[TurnEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def ended(events: list[TurnEvent]) -> Ended:
    last = events[-1]
    assert isinstance(last, Ended)
    return last


def released(events: list[TurnEvent]) -> list[str]:
    """What the customer reads before the `say` of Ended."""
    return [event.text for event in events if isinstance(event, Stated | Text | Quoted)]
