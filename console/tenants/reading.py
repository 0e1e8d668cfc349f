"""What the Tenants page reads and writes. Every function runs in the loop and gives frozen records."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Protocol
from zoneinfo import ZoneInfo

from console.tenants.period import bar_begins, days_of
from engine_host.answering.reconcile import Comparison, compare
from engine_host.usage.forecast import forecast, same_weekday
from storage.queries.tenants import all_tenants, tenant, upsert_tenant
from storage.queries.usage import usage_by_day
from storage.queries.usage_turns import kv_by_day, tokens_by_slot, top_conversations
from storage.usage_settings import Prices

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from sqlalchemy.orm import Session

    from console.tenants.limits import Limits
    from engine_host.engine.session import EngineSession
    from engine_host.usage.forecast import Outlook
    from storage.database import Database
    from storage.records import Tenant, UsageDay
    from storage.settings import Settings
    from storage.usage_records import ConversationUse, KvDay, SlotUse

A_DAY = timedelta(days=1)


class Engines(Protocol):
    @property
    def sessions(self) -> tuple[EngineSession, ...]: ...


class TenantsHouse(Protocol):
    """The rooms that this page uses, out of console/house.py."""

    @property
    def database(self) -> Database: ...
    @property
    def engines(self) -> Engines: ...
    @property
    def settings(self) -> Settings: ...


@dataclass(frozen=True, slots=True)
class UsageRead:
    """`days` of all tenants, each by its own calendar, as they were at `now` (UTC).

    `kv` is known of days from `kv_since` on, None = of none. `slots` are those of each tenant's today and of the same
    weekday before, and `outlooks` what they make expect. `zone` is the kitchen's.
    """

    now: datetime
    tenants: tuple[Tenant, ...]
    days: tuple[UsageDay, ...]
    kv: tuple[KvDay, ...] = ()
    kv_since: date | None = None
    slots: Mapping[str, tuple[SlotUse, ...]] = field(default_factory=dict[str, "tuple[SlotUse, ...]"])
    outlooks: Mapping[str, Outlook] = field(default_factory=dict[str, "Outlook"])
    prices: Prices = field(default_factory=Prices)
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))

    def today(self, tenant: Tenant) -> date:
        """The day that it is now where the tenant is."""
        return self.now.astimezone(ZoneInfo(tenant.timezone)).date()


@dataclass(frozen=True, slots=True)
class EngineCheck:
    """One engine of the pool; `comparison` None = there is nothing to compare."""

    engine: str
    comparison: Comparison | None


@dataclass(frozen=True, slots=True)
class Checked:
    """The ledger held against every engine of the pool at `at`."""

    at: datetime
    engines: tuple[EngineCheck, ...]


@dataclass(frozen=True, slots=True)
class TalksRead:
    """The conversations of a tenant that used most in a period."""

    tenant_id: str
    period: str
    talks: tuple[ConversationUse, ...]


class UsageReader:
    """Days that are over are read once: their slots, and the memory that their turns held."""

    def __init__(self, house: TenantsHouse) -> None:
        self._house = house
        self._slots: dict[tuple[str, date], tuple[SlotUse, ...]] = {}
        self._kv: dict[date, tuple[KvDay, ...]] = {}

    async def read(self, period: str, grain: str) -> UsageRead:
        """What the rows of `period` and the bars of `grain` are made of. Raises StorageError."""
        settings = self._house.settings
        zone, now = ZoneInfo(settings.kitchen.timezone), datetime.now(UTC)
        today = now.astimezone(zone).date()
        first = min(days_of(period, today)[0], bar_begins(grain, today)[0]) - A_DAY
        kv_since = days_of(period, today)[0] - A_DAY

        def read(session: Session) -> UsageRead:
            tenants = all_tenants(session)
            days = usage_by_day(session, first, today + A_DAY)
            kv = self._read_kv(session, kv_since, today)
            bare = UsageRead(now, tenants, days, kv, kv_since, prices=settings.prices, zone=zone)
            slots = {one.tenant_id: self._read_slots(session, one.tenant_id, bare.today(one)) for one in tenants}
            return replace(bare, slots=slots)

        found = await self._house.database.run(read)
        return replace(found, outlooks=derive_outlooks(found))

    def _read_kv(self, session: Session, first: date, today: date) -> tuple[KvDay, ...]:
        """Of two days, since somewhere it is still yesterday or tomorrow already, anew each time."""
        wanted = [first + A_DAY * number for number in range((today - first).days + 2)]
        unknown = [day for day in wanted if day not in self._kv or day >= today - A_DAY]
        for day in unknown:
            self._kv[day] = ()
        for one in kv_by_day(session, unknown[0], unknown[-1]):
            self._kv[one.day] = (*(kept for kept in self._kv[one.day] if kept.tenant_id != one.tenant_id), one)
        return tuple(one for day in wanted for one in self._kv[day])

    def _read_slots(self, session: Session, tenant_id: str, today: date) -> tuple[SlotUse, ...]:
        before = same_weekday(today)
        unknown = [day for day in before if (tenant_id, day) not in self._slots]
        if unknown:
            found = tokens_by_slot(session, tenant_id, unknown)
            for day in unknown:
                self._slots[tenant_id, day] = tuple(slot for slot in found if slot.day == day)
        own = tokens_by_slot(session, tenant_id, (today,))
        return (*own, *(slot for day in before for slot in self._slots[tenant_id, day]))


def derive_outlooks(read: UsageRead) -> Mapping[str, Outlook]:
    """By tenant. Pure; it takes a moment, so it is made in the loop."""
    return {one.tenant_id: _outlook(read, one) for one in read.tenants}


def _outlook(read: UsageRead, tenant: Tenant) -> Outlook:
    slots = read.slots.get(tenant.tenant_id, ())
    return forecast(read.today(tenant), ZoneInfo(tenant.timezone), read.now, slots, tenant.quota.daily_tokens)


async def read_talks(house: TenantsHouse, tenant_id: str, period: str, today: date) -> TalksRead:
    """`today` is the tenant's. Raises StorageError."""
    first, last = days_of(period, today)
    talks = await house.database.run(lambda session: top_conversations(session, tenant_id, first, last))
    return TalksRead(tenant_id, period, talks)


async def check_ledger(house: TenantsHouse) -> Checked:
    """Every engine of the pool, one after the other: each may put tokens of a broken turn where they belong.

    Raises StorageError.
    """
    found = [
        EngineCheck(session.state.value.name, await compare(house.database, session))
        for session in house.engines.sessions
    ]
    return Checked(datetime.now(UTC), tuple(found))


async def save_limits(house: TenantsHouse, tenant_id: str, limits: Limits) -> Tenant:
    """The tenant with other limits; what else was changed meanwhile stays. Raises StorageError."""
    return await house.database.run(lambda session: upsert_tenant(session, limits.of(tenant(session, tenant_id))))
