"""Conversations and what staff say about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal
from uuid import uuid4

from sqlalchemy import or_, select

from storage.models import ConversationTable, TenantTable, TurnTable
from storage.models.base import storable
from storage.queries.rows import conversation_of, existing, turn_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from storage.records import Conversation, Turn


def start_conversation(
    session: Session,
    tenant_id: str,
    customer_id: str | None,
    customer_name: str,
    at: datetime,
    conversation_id: str | None = None,
) -> Conversation:
    """A new, empty conversation; its id is made here unless given. Raises NoSuchRecord for an unknown tenant."""
    existing(session, TenantTable, tenant_id, "tenant")
    row = ConversationTable(
        conversation_id=conversation_id or uuid4().hex,
        tenant_id=tenant_id,
        customer_id=customer_id,
        customer_name=customer_name,
        started_at=at,
        last_at=at,
        last_question="",
        turns=0,
        has_withheld=False,
        flagged=False,
    )
    session.add(row)
    session.flush()
    return conversation_of(row)


def conversation(session: Session, conversation_id: str) -> Conversation:
    """Raises NoSuchRecord."""
    return conversation_of(existing(session, ConversationTable, conversation_id, "conversation"))


def list_conversations(
    session: Session, limit: int = 200, search: str = "", tenant: str | None = None
) -> tuple[Conversation, ...]:
    """The last used first. `search` is looked for in customers, questions and answers; `tenant` None = all tenants."""
    query = matching(search, tenant).order_by(ConversationTable.last_at.desc(), ConversationTable.conversation_id)
    return tuple(conversation_of(row) for row in session.scalars(query.limit(limit)))


def matching(search: str = "", tenant: str | None = None) -> Select[ConversationTable]:
    """The conversations that `list_conversations` looks through, for queries that ask more of them."""
    query = select(ConversationTable)
    if tenant is not None:
        query = query.where(ConversationTable.tenant_id == tenant)
    if wanted := storable(search.strip()):
        said = select(TurnTable.turn_id).where(
            TurnTable.conversation_id == ConversationTable.conversation_id,
            or_(
                TurnTable.question.icontains(wanted, autoescape=True),
                TurnTable.answer.icontains(wanted, autoescape=True),
            ),
        )
        query = query.where(
            or_(
                ConversationTable.customer_name.icontains(wanted, autoescape=True),
                ConversationTable.customer_id.icontains(wanted, autoescape=True),
                said.exists(),
            )
        )
    return query


def conversation_turns(session: Session, conversation_id: str) -> tuple[Turn, ...]:
    """All turns of a conversation, oldest first; empty for an unknown one."""
    query = select(TurnTable).where(TurnTable.conversation_id == conversation_id)
    return tuple(turn_of(row) for row in session.scalars(query.order_by(TurnTable.asked_at, TurnTable.turn_id)))


def set_feedback(session: Session, turn_id: str, feedback: Literal[-1, 0, 1]) -> Turn:
    """Thumb up (+1), thumb down (-1) or none. Raises NoSuchRecord."""
    row = existing(session, TurnTable, turn_id, "turn", lock=True)
    row.feedback = feedback
    return turn_of(row)


def set_flag(session: Session, conversation_id: str, flagged: bool) -> Conversation:
    """Put a conversation on the review list or take it off. Raises NoSuchRecord."""
    row = existing(session, ConversationTable, conversation_id, "conversation", lock=True)
    row.flagged = flagged
    return conversation_of(row)
