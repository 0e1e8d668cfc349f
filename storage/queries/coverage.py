"""What customers asked, with what was found for them: read page by page, for a month of it is much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from storage.models import TurnTable
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session


@dataclass(frozen=True, slots=True)
class AskedTurn:
    """A settled turn as far as it tells which articles were used. `events` as in `SettledTurn`."""

    turn_id: str
    tenant_id: str
    question: str
    language: str
    asked_at: datetime
    events: tuple[Mapping[str, Any], ...]


def asked_turns(
    session: Session, since: datetime, before: tuple[datetime, str] | None, limit: int
) -> tuple[AskedTurn, ...]:
    """The newest `limit` settled turns asked at or after `since`, newest first.

    `before` = time and id of the last one of the page before, None = begin with the newest.
    """
    query = select(
        TurnTable.turn_id,
        TurnTable.tenant_id,
        TurnTable.question,
        TurnTable.language,
        TurnTable.asked_at,
        TurnTable.events,
    ).where(TurnTable.asked_at >= since, TurnTable.outcome != TurnOutcome.OPEN.value)
    if before is not None:
        at, turn_id = before
        query = query.where((TurnTable.asked_at < at) | ((TurnTable.asked_at == at) & (TurnTable.turn_id < turn_id)))
    rows = session.execute(query.order_by(TurnTable.asked_at.desc(), TurnTable.turn_id.desc()).limit(limit))
    return tuple(
        AskedTurn(row.turn_id, row.tenant_id, row.question, row.language, row.asked_at, tuple(row.events))
        for row in rows
    )
