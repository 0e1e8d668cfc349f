"""The conversation list as staff go through it: all, those to review, those with withheld sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sqlalchemy import func, or_, select

from storage.models import ConversationTable, TurnTable
from storage.queries.conversations import matching
from storage.queries.rows import conversation_of

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from storage.records import Conversation

Segment = Literal["all", "review", "withheld"]


@dataclass(frozen=True, slots=True)
class ReviewList:
    """The newest conversations of one segment. The counts are of everything that matches the search, shown or not.

    `disliked` holds the ids of those shown that have a turn with a thumb down.
    """

    conversations: tuple[Conversation, ...] = ()
    disliked: frozenset[str] = frozenset()
    all: int = 0
    review: int = 0
    withheld: int = 0


def review_list(session: Session, segment: Segment = "all", search: str = "", limit: int = 200) -> ReviewList:
    """To review = flagged, or with a thumb down. `search` as in `list_conversations`."""
    found = matching(search)
    conditions = {"review": _to_review(), "withheld": ConversationTable.has_withheld.is_(True)}
    query = found.where(conditions[segment]) if segment in conditions else found
    query = query.order_by(ConversationTable.last_at.desc(), ConversationTable.conversation_id).limit(limit)
    shown = tuple(conversation_of(row) for row in session.scalars(query))
    counts = {
        name: session.scalar(select(func.count()).select_from(found.where(condition).subquery())) or 0
        for name, condition in conditions.items()
    }
    everything = session.scalar(select(func.count()).select_from(found.subquery())) or 0
    return ReviewList(shown, _disliked(session, shown), everything, counts["review"], counts["withheld"])


def _to_review() -> ColumnElement[bool]:
    thumbed = select(TurnTable.turn_id).where(
        TurnTable.conversation_id == ConversationTable.conversation_id, TurnTable.feedback < 0
    )
    return or_(ConversationTable.flagged.is_(True), thumbed.exists())


def _disliked(session: Session, shown: tuple[Conversation, ...]) -> frozenset[str]:
    ids = [conversation.conversation_id for conversation in shown]
    query = select(TurnTable.conversation_id).where(TurnTable.conversation_id.in_(ids), TurnTable.feedback < 0)
    return frozenset(session.scalars(query))
