"""What the Tenants page reads and writes. Every function runs in the loop and gives frozen records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, Protocol
from zoneinfo import ZoneInfo

from engine_host.answering.reconcile import Comparison, compare
from storage.queries.tenants import all_tenants, tenant, upsert_tenant
from storage.queries.usage import usage_by_day

if TYPE_CHECKING:
    from datetime import date

    from sqlalchemy.orm import Session

    from engine_host.engine.session import EngineSession
    from storage.database import Database
    from storage.records import Quota, Tenant, UsageDay

DAYS_READ: Final = 32
"""The longest period with the days before and after it that other time zones are on."""


class TenantsHouse(Protocol):
    """The rooms that this page uses, out of console/house.py."""

    @property
    def database(self) -> Database: ...
    @property
    def engine(self) -> EngineSession: ...


@dataclass(frozen=True, slots=True)
class UsageRead:
    """`days` of all tenants, each by its own calendar, as they were at `now` (UTC)."""

    now: datetime
    tenants: tuple[Tenant, ...]
    days: tuple[UsageDay, ...]

    def today(self, tenant: Tenant) -> date:
        """The day that it is now where the tenant is."""
        return self.now.astimezone(ZoneInfo(tenant.timezone)).date()


@dataclass(frozen=True, slots=True)
class Checked:
    """The ledger held against the engine called `engine` at `at`; None = there was nothing to compare."""

    at: datetime
    comparison: Comparison | None
    engine: str


async def read_usage(house: TenantsHouse) -> UsageRead:
    """Raises StorageError."""
    now = datetime.now(UTC)
    first, last = (now + timedelta(days=days) for days in (-DAYS_READ, 1))

    def read(session: Session) -> UsageRead:
        return UsageRead(now, all_tenants(session), usage_by_day(session, first.date(), last.date()))

    return await house.database.run(read)


async def check_ledger(house: TenantsHouse) -> Checked:
    """Raises StorageError."""
    comparison = await compare(house.database, house.engine)
    return Checked(datetime.now(UTC), comparison, house.engine.state.value.name)


async def save_quota(house: TenantsHouse, tenant_id: str, quota: Quota) -> Tenant:
    """The tenant with other limits; what else was changed meanwhile stays. Raises StorageError."""
    return await house.database.run(
        lambda session: upsert_tenant(session, replace(tenant(session, tenant_id), quota=quota))
    )
