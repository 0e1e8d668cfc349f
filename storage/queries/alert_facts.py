"""What alerts are judged by, out of the ledger: read every few seconds, so no text and no event is loaded."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from sqlalchemy import func, select

from storage.alert_records import EndedTurn, TenantPace
from storage.models import TenantTable, TurnTable, UsageDayTable
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

LONGEST_TURN = timedelta(minutes=10)
"""A turn that took longer than this is not looked for: it is found by the time at which it was asked."""
HOUR = timedelta(hours=1)


def ended_turns(session: Session, since: datetime) -> tuple[EndedTurn, ...]:
    """The turns that ended at or after `since`, in the order in which they were asked."""
    query = select(TurnTable.asked_at, TurnTable.outcome, TurnTable.total_ms, TurnTable.lookup_ms).where(
        TurnTable.asked_at >= since - LONGEST_TURN, TurnTable.outcome != TurnOutcome.OPEN.value
    )
    rows = session.execute(query.order_by(TurnTable.asked_at, TurnTable.turn_id))
    told = (
        EndedTurn(asked, asked + timedelta(milliseconds=total or 0.0), TurnOutcome(outcome), lookup)
        for asked, outcome, total, lookup in rows
    )
    return tuple(turn for turn in told if turn.ended_at >= since)


def tenant_paces(session: Session, now: datetime) -> tuple[TenantPace, ...]:
    """Every tenant, by its id, with its use of the day that it is now where it is."""
    tokens = func.coalesce(func.sum(TurnTable.prompt_tokens + TurnTable.output_tokens), 0)
    recent = select(TurnTable.tenant_id, tokens).where(TurnTable.asked_at >= now - HOUR)
    hour = {tenant: int(total) for tenant, total in session.execute(recent.group_by(TurnTable.tenant_id))}
    return tuple(_pace(session, row, now, hour) for row in session.scalars(select(TenantTable).order_by("tenant_id")))


def _pace(session: Session, row: TenantTable, now: datetime, hour: dict[str, int]) -> TenantPace:
    day = now.astimezone(UTC).astimezone(ZoneInfo(row.timezone)).date()
    use = session.get(UsageDayTable, (row.tenant_id, day))
    return TenantPace(
        tenant_id=row.tenant_id,
        name=row.name,
        timezone=row.timezone,
        daily_tokens=row.daily_tokens,
        used_today=use.prompt_tokens + use.output_tokens if use else 0,
        last_hour=hour.get(row.tenant_id, 0),
    )
