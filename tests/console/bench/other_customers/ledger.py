"""A ledger in memory: the same answers as the real one, without a database's time for each of thousands of turns."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine_host.answering.errors import UnknownConversation
from engine_host.answering.ledger import Account, Ledger
from storage.records import Turn

if TYPE_CHECKING:
    from storage.records import NewTurn, SettledTurn, Tenant


class MemoryLedger(Ledger):
    def __init__(self, *tenants: Tenant) -> None:
        self._tenants = {tenant.tenant_id: tenant for tenant in tenants}
        self._turns: dict[str, Turn] = {}
        self._conversations: dict[str, list[str]] = {}

    async def account(self, tenant_id: str, conversation_id: str | None) -> Account | None:
        earlier = (self._turns[turn_id] for turn_id in self._conversations.get(conversation_id or "", ()))
        own = tuple(turn for turn in earlier if turn.opened.tenant_id == tenant_id)
        return Account(self._tenants[tenant_id], 0, own)

    async def open(self, turn: NewTurn) -> None:
        earlier = self._conversations.setdefault(turn.conversation_id, [])
        if any(self._turns[turn_id].opened.tenant_id != turn.tenant_id for turn_id in earlier):
            raise UnknownConversation("It is another tenant's.")
        earlier.append(turn.turn_id)
        self._turns[turn.turn_id] = Turn(turn, None)

    async def settle(self, turn: SettledTurn) -> None:
        self._turns[turn.turn_id] = replace(self._turns[turn.turn_id], settled=turn)
