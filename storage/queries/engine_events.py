"""Marks on the time axis: what happened to the engine, the articles and the quotas, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from storage.models import EngineEventTable
from storage.records import EngineEvent

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


def add_event(session: Session, event: EngineEvent) -> None:
    session.add(EngineEventTable(at=event.at, kind=event.kind, subject=event.subject, text=event.text))


def events_since(session: Session, since: datetime, limit: int = 1000) -> tuple[EngineEvent, ...]:
    """The newest `limit` events at or after `since`, oldest first."""
    query = select(EngineEventTable).where(EngineEventTable.at >= since)
    rows = session.scalars(query.order_by(EngineEventTable.at.desc(), EngineEventTable.event_id.desc()).limit(limit))
    return tuple(EngineEvent(row.at, row.kind, row.subject, row.text) for row in reversed(rows.all()))


def events_between(session: Session, first: datetime, last: datetime, limit: int = 1000) -> tuple[EngineEvent, ...]:
    """The newest `limit` events from `first` to `last`, both included, oldest first."""
    query = select(EngineEventTable).where(EngineEventTable.at.between(first, last))
    rows = session.scalars(query.order_by(EngineEventTable.at.desc(), EngineEventTable.event_id.desc()).limit(limit))
    return tuple(EngineEvent(row.at, row.kind, row.subject, row.text) for row in reversed(rows.all()))
