"""Reads what alerts are judged by out of the rooms of the house. Runs in the loop; what it gives is frozen."""

from __future__ import annotations

import shutil
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, Protocol
from zoneinfo import ZoneInfo

from engine_host.answering.reconcile import compare
from engine_host.engine.state import EngineStatus
from engine_host.metrics.alert_facts import AlertFacts, EngineFacts, HouseFacts, LedgerDrift
from engine_host.metrics.samples import MetricSample
from engine_host.usage.forecast import forecast, same_weekday
from storage.errors import StorageError
from storage.queries.alert_facts import ended_turns, tenant_days
from storage.queries.usage_turns import tokens_by_slot

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from console.house_engines import Seat
    from engine_host.metrics.samples import Scrape
    from engine_host.usage.forecast import Outlook
    from storage.alert_records import TenantDay
    from storage.database import Database
    from storage.paths import Home

HOUSE_EVERY_S: Final = 5.0
OUTLOOK_EVERY_S: Final = 60.0
DRIFT_EVERY_S: Final = 60.0
AT_REST: Final = (
    EngineStatus.NONE, EngineStatus.STOPPING, EngineStatus.STOPPED, EngineStatus.DRAINING, EngineStatus.SLEEPING,
)  # fmt: skip
"""Nobody waits for figures of such an engine. One that answered and then failed or was lost is still waited for."""


class Engines(Protocol):
    @property
    def seats(self) -> tuple[Seat, ...]: ...


class AlertReader:
    """`turns_s`: how far back turns are looked for, in seconds."""

    def __init__(self, home: Home, database: Database, engines: Engines, turns_s: float) -> None:
        self._home, self._database, self._engines = home, database, engines
        self._turns_s = turns_s
        self._house: HouseFacts | None = None
        self._outlooks: dict[str, Outlook] = {}
        self._drifts: dict[str, LedgerDrift] = {}
        self._expected: dict[str, float] = {}
        self._due: dict[str, float] = {}

    async def read(self) -> AlertFacts:
        """Engines as they are now; ledger and disk as they were a few seconds ago at most."""
        if self._house is None or self._is_due("house", HOUSE_EVERY_S):
            self._house = await self._read_house()
        await self._compare()
        mono = time.monotonic()
        engines = tuple(self._engine(seat, mono) for seat in self._engines.seats)
        return AlertFacts(datetime.now(UTC), mono, engines, self._house)

    def _is_due(self, what: str, every_s: float) -> bool:
        now = time.monotonic()
        due = now >= self._due.get(what, now)
        if due:
            self._due[what] = now + every_s
        return due

    async def _read_house(self) -> HouseFacts:
        now, wanted = datetime.now(UTC), self._is_due("outlook", OUTLOOK_EVERY_S)
        since = now - timedelta(seconds=self._turns_s)

        def read(session: Session) -> HouseFacts:
            turns, tenants = ended_turns(session, since), tenant_days(session, now)
            outlooks = {one.tenant_id: _outlook(session, one, now) for one in tenants} if wanted else {}
            return HouseFacts(now, turns, tenants, outlooks=outlooks)

        try:
            house = await self._database.run(read)
        except StorageError:
            house = HouseFacts(now)
        self._outlooks = dict(house.outlooks) or self._outlooks
        return replace(house, disk_free=self._disk_free(), outlooks=self._outlooks)

    def _disk_free(self) -> int | None:
        try:
            return shutil.disk_usage(self._home.root).free
        except OSError:
            return None

    async def _compare(self) -> None:
        """Ledger against counters, of each engine that is idle: else both are still counting."""
        for seat in self._engines.seats:
            if not _is_idle(seat.poller.latest.value):
                self._drifts.pop(seat.key, None)
        if not self._is_due("drift", DRIFT_EVERY_S):
            return
        for seat in self._engines.seats:
            state = seat.session.state.value
            if not state.hosted or not state.can_answer:
                self._drifts[seat.key] = LedgerDrift(None)
            elif _is_idle(seat.poller.latest.value):
                await self._compare_one(seat)

    async def _compare_one(self, seat: Seat) -> None:
        try:
            found = await compare(self._database, seat.session)
        except StorageError:
            found = None
        quiet = _is_idle(seat.poller.latest.value) and not seat.session.is_being_checked
        if found is None or found.ledger.open_turns or not quiet:
            self._drifts.pop(seat.key, None)
        else:
            self._drifts[seat.key] = LedgerDrift(abs(found.drift.prompt) + abs(found.drift.output))

    def _engine(self, seat: Seat, mono: float) -> EngineFacts:
        scrapes, state = seat.poller.scrapes, seat.session.state.value
        if state.can_answer:
            self._expected.setdefault(seat.key, mono)
        elif state.status in AT_REST:
            self._expected.pop(seat.key, None)
        return EngineFacts(
            key=seat.key,
            name=state.name,
            scrapes=scrapes,
            expected=seat.key in self._expected,
            heard=next((one.mono for one in reversed(scrapes) if isinstance(one, MetricSample)), None),
            asked=self._expected.get(seat.key),
            drift=self._drifts.get(seat.key),
        )


def _outlook(session: Session, tenant: TenantDay, now: datetime) -> Outlook:
    slots = tokens_by_slot(session, tenant.tenant_id, (tenant.day, *same_weekday(tenant.day)))
    return forecast(tenant.day, ZoneInfo(tenant.timezone), now, slots, tenant.daily_tokens)


def _is_idle(scrape: Scrape | None) -> bool:
    return isinstance(scrape, MetricSample) and scrape.running == 0 and scrape.waiting == 0
