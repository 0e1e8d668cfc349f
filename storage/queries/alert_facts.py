"""What alerts are judged by, out of the ledger: read every few seconds, so no text and no event is loaded."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from sqlalchemy import select

from storage.alert_records import EndedTurn, TenantDay
from storage.models import TenantTable, TurnTable, UsageDayTable
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

LONGEST_TURN = timedelta(minutes=10)
"""A turn that took longer than this is not looked for: it is found by the time at which it was asked."""


def ended_turns(session: Session, since: datetime) -> tuple[EndedTurn, ...]:
    """The turns that ended at or after `since`, in the order in which they were asked."""
    query = select(
        TurnTable.asked_at, TurnTable.outcome, TurnTable.total_ms, TurnTable.lookup_ms,
        TurnTable.tenant_id, TurnTable.ttft_ms,
    ).where(TurnTable.asked_at >= since - LONGEST_TURN, TurnTable.outcome != TurnOutcome.OPEN.value)  # fmt: skip
    rows = session.execute(query.order_by(TurnTable.asked_at, TurnTable.turn_id))
    told = (
        EndedTurn(asked, asked + timedelta(milliseconds=total or 0.0), TurnOutcome(outcome), lookup, tenant_id, ttft)
        for asked, outcome, total, lookup, tenant_id, ttft in rows
    )
    return tuple(turn for turn in told if turn.ended_at >= since)


def tenant_days(session: Session, now: datetime) -> tuple[TenantDay, ...]:
    """Every tenant, by its id, with its use of the day that it is now where it is."""
    return tuple(_day(session, row, now) for row in session.scalars(select(TenantTable).order_by("tenant_id")))


def _day(session: Session, row: TenantTable, now: datetime) -> TenantDay:
    day = now.astimezone(ZoneInfo(row.timezone)).date()
    use = session.get(UsageDayTable, (row.tenant_id, day))
    used = use.prompt_tokens + use.output_tokens if use else 0
    return TenantDay(row.tenant_id, row.name, row.timezone, day, row.daily_tokens, used, row.ttft_target_ms)
