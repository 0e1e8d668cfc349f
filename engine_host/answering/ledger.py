"""The ledger: what a turn used is written by the turn itself, also when it fails or is cancelled."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from engine_host.answering.errors import UnknownConversation
from storage.errors import NoSuchRecord
from storage.queries import conversations, tenants, turns, usage
from storage.queries.notable_events import note_quota

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.database import Database
    from storage.records import NewTurn, SettledTurn, Tenant, Turn


@dataclass(frozen=True, slots=True)
class Account:
    """What a turn needs to know before it opens. `tokens_today` is the tenant's use on its own calendar day."""

    tenant: Tenant
    tokens_today: int
    earlier: tuple[Turn, ...]


class Ledger:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def account(self, tenant_id: str, conversation_id: str | None) -> Account | None:
        """The tenant's account with the turns of the conversation so far; None for an unknown tenant."""

        def read(session: Session) -> Account | None:
            try:
                tenant = tenants.tenant(session, tenant_id)
            except NoSuchRecord:
                return None
            today = usage.usage_today(session, tenant_id).tokens
            earlier = conversations.conversation_turns(session, conversation_id) if conversation_id else ()
            own = tuple(turn for turn in earlier if turn.opened.tenant_id == tenant_id)
            return Account(tenant, today.prompt + today.output, own)

        return await self._database.run(read)

    async def open(self, turn: NewTurn) -> None:
        """Keep the question, in a conversation of its own unless it goes on with one.

        Raises UnknownConversation when the conversation is another tenant's.
        """

        def write(session: Session) -> None:
            _enter_conversation(session, turn)
            turns.open_turn(session, turn)

        await self._database.run(write)

    async def settle(self, turn: SettledTurn) -> None:
        def write(session: Session) -> None:
            settled = turns.settle_turn(session, turn)
            note_quota(session, settled.opened.tenant_id, datetime.now(UTC))

        await self._database.run(write)


def _enter_conversation(session: Session, turn: NewTurn) -> None:
    try:
        kept = conversations.conversation(session, turn.conversation_id)
    except NoSuchRecord:
        conversations.start_conversation(
            session, turn.tenant_id, turn.customer_id, turn.customer_name, turn.asked_at, turn.conversation_id
        )
        return
    if kept.tenant_id != turn.tenant_id:
        raise UnknownConversation(f"Conversation {turn.conversation_id} is not one of this tenant. Start a new one.")
