"""Events that a change of the database is itself: written in the same transaction, so that no mark is missing."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import select

from storage.models import EngineEventTable
from storage.queries.engine_events import add_event
from storage.queries.tenants import tenant
from storage.queries.usage import usage_today
from storage.records import EngineEvent

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

PUBLISH: Final = "publish"
QUOTA: Final = "quota"
TOGETHER: Final = timedelta(seconds=60)
"""Articles that are published within so long of each other, as by an import, are one mark."""
STEPS: Final = (100, 90, 75)
"""Percent of a day's tokens at which a mark is set, the highest first."""


def note_publish(session: Session, title: str, at: datetime) -> None:
    """Mark that the article of this title answers from `at` on, with what it says now."""
    query = select(EngineEventTable).where(EngineEventTable.kind == PUBLISH, EngineEventTable.at > at - TOGETHER)
    before = session.scalars(query.order_by(EngineEventTable.at.desc()).limit(1)).first()
    if before is None:
        add_event(session, EngineEvent(at, PUBLISH, title, f"{title} was published."))
    elif before.subject != title:
        before.text = f"{before.subject} and other articles were published."


def note_quota(session: Session, tenant_id: str, now: datetime) -> None:
    """Mark that a tenant has used 75, 90 or 100 % of its day's tokens, each once a day. Raises NoSuchRecord."""
    known, today = tenant(session, tenant_id), usage_today(session, tenant_id, now)
    used = today.tokens.prompt + today.tokens.output
    reached = next((step for step in STEPS if used * 100 >= step * known.quota.daily_tokens), None)
    if reached is None:
        return
    text = f"{known.name} has used {reached} % of its tokens of {today.day.day} {today.day:%B}."
    query = select(EngineEventTable.event_id).where(
        EngineEventTable.kind == QUOTA,
        EngineEventTable.text == text,
        EngineEventTable.at > now - timedelta(days=2),
    )
    if session.scalars(query.limit(1)).first() is None:
        add_event(session, EngineEvent(now, QUOTA, known.name, text))
