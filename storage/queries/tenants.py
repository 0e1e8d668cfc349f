"""Tenants by their id."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlalchemy import select

from storage.errors import RecordRefused
from storage.models import TenantTable
from storage.queries.rows import existing, tenant_of

if TYPE_CHECKING:
    from datetime import date, datetime

    from sqlalchemy.orm import Session

    from storage.records import Tenant

SERIES_COLOURS = range(1, 9)


def all_tenants(session: Session) -> tuple[Tenant, ...]:
    """Every tenant, in the order of their colours."""
    rows = session.scalars(select(TenantTable).order_by(TenantTable.colour, TenantTable.tenant_id))
    return tuple(tenant_of(row) for row in rows)


def tenant(session: Session, tenant_id: str) -> Tenant:
    """Raises NoSuchRecord."""
    return tenant_of(existing(session, TenantTable, tenant_id, "tenant"))


def upsert_tenant(session: Session, new: Tenant) -> Tenant:
    """Add the tenant, or replace all fields of the one with its id. Raises RecordRefused for an unknown time zone."""
    _known_zone(new)
    if new.colour not in SERIES_COLOURS:
        raise RecordRefused(f"Tenant {new.name} can't be kept: colour {new.colour} is none of 1 to 8. Choose one.")
    values = asdict(new)
    session.merge(TenantTable(**values.pop("quota"), **values))
    return new


def tenant_day(session: Session, tenant_id: str, moment: datetime) -> date:
    """The calendar day that `moment` falls on where the tenant is. Raises NoSuchRecord."""
    return moment.astimezone(ZoneInfo(tenant(session, tenant_id).timezone)).date()


def _known_zone(new: Tenant) -> None:
    try:
        ZoneInfo(new.timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise RecordRefused(
            f"Tenant {new.name} can't be kept: {new.timezone} is no time zone. Name one such as Asia/Kolkata."
        ) from error
