"""How long turns are, in tokens: what the KV cache must hold of one conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from storage.models import TurnTable

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


def newest_turn_lengths(session: Session, limit: int = 2000) -> tuple[int, ...]:
    """Prompt and answer together, in tokens, of the newest `limit` turns that an engine took part in, newest first."""
    length = TurnTable.prompt_tokens + TurnTable.output_tokens
    query = select(length).where(TurnTable.output_tokens > 0).order_by(TurnTable.asked_at.desc(), TurnTable.turn_id)
    return tuple(session.scalars(query.limit(limit)))
