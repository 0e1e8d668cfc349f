"""What turns used, added up within days: by a quarter of an hour, as held KV memory, and by conversation.

All of it is read from `ix_turn_usage`; the long rows of the turns are not touched.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, Float, cast, extract, func, select, type_coerce

from storage.models import ConversationTable, TurnTable
from storage.records import TokenUse
from storage.usage_records import SLOT_S, ConversationUse, KvDay, SlotUse

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session


def tokens_by_slot(session: Session, tenant_id: str, days: Sequence[date]) -> tuple[SlotUse, ...]:
    """What one tenant used on these days, by the quarter of an hour in which each question came; oldest first."""
    slot = (cast(extract("epoch", TurnTable.asked_at), BigInteger) // SLOT_S).label("slot")
    used = func.sum(TurnTable.prompt_tokens + TurnTable.output_tokens)
    query = (
        select(TurnTable.usage_day, slot, func.count(), used)
        .where(TurnTable.usage_day.in_(days), TurnTable.tenant_id == tenant_id)
        .group_by(TurnTable.usage_day, slot)
        .order_by(TurnTable.usage_day, slot)
    )
    return tuple(
        SlotUse(day, datetime.fromtimestamp(number * SLOT_S, UTC), count, int(tokens))
        for day, number, count, tokens in session.execute(query)
    )


def kv_token_seconds() -> ColumnElement[float]:
    """Tokens times seconds in KV memory, from the engine times of turns: the whole prompt while it is read (prefill)
    and while the answer is written (decode), and on the average half of the answer while it is written.

    Cached tokens count: a block that several turns share is held for each of them. A turn without engine times adds 0.
    """
    prefill, decode = func.coalesce(TurnTable.prefill_ms, 0.0), func.coalesce(TurnTable.decode_ms, 0.0)
    held = TurnTable.prompt_tokens * (prefill + decode) + TurnTable.output_tokens * decode / 2
    return type_coerce(func.coalesce(func.sum(held), 0.0) / 1000.0, Float())


def kv_by_day(session: Session, first: date, last: date) -> tuple[KvDay, ...]:
    """Of all tenants, days from `first` to `last`, both included. A tenant without a turn on a day has no row."""
    query = (
        select(TurnTable.tenant_id, TurnTable.usage_day, kv_token_seconds())
        .where(TurnTable.usage_day.between(first, last))
        .group_by(TurnTable.usage_day, TurnTable.tenant_id)
        .order_by(TurnTable.usage_day, TurnTable.tenant_id)
    )
    return tuple(KvDay(*row) for row in session.execute(query))


def top_conversations(
    session: Session, tenant_id: str, first: date, last: date, limit: int = 10
) -> tuple[ConversationUse, ...]:
    """The conversations of a tenant that used most tokens, in and out, on days from `first` to `last`."""
    tokens = [
        func.sum(column) for column in (TurnTable.prompt_tokens, TurnTable.cached_tokens, TurnTable.output_tokens)
    ]
    used = (
        select(TurnTable.conversation_id, func.count(), *tokens)
        .where(TurnTable.usage_day.between(first, last), TurnTable.tenant_id == tenant_id)
        .group_by(TurnTable.conversation_id)
        .having(tokens[0] + tokens[2] > 0)
        .order_by((tokens[0] + tokens[2]).desc(), TurnTable.conversation_id)
        .limit(limit)
    )
    found: list[ConversationUse] = []
    for conversation_id, turns, *counts in session.execute(used).all():
        kept = session.get_one(ConversationTable, conversation_id)
        use = TokenUse(*(int(count) for count in counts))
        found.append(ConversationUse(conversation_id, kept.customer_name, kept.last_question, kept.last_at, turns, use))
    return tuple(found)
