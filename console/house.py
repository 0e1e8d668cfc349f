"""The rooms of the floors below, put together for the window and for the commands. Wiring only; no Qt."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from console.alert_watch import AlertWatch
from console.house_engines import HouseEngines
from engine_host.answering.help_way import HelpLimits, HelpWay
from engine_host.answering.ledger import Ledger
from engine_host.answering.nearest import Examples
from engine_host.answering.order_way import OrderWay
from engine_host.answering.quota import QuotaDesk
from engine_host.answering.route import Router
from engine_host.answering.statements import Voice
from engine_host.answering.turn import TurnDesk
from engine_host.metrics.slots_recorder import SlotRecorder, block_sizes
from engine_host.orders.kitchen import KitchenOrders
from knowledge.library import Library
from knowledge.meanings import LibraryMeanings
from knowledge.watching import FolderWatch
from storage.database import Database
from storage.secret_room import SecretRoom
from storage.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import date

    from engine_host.answering.help_way import WriterSource
    from engine_host.engine.session import EngineSession
    from engine_host.metrics.poller import MetricsPoller
    from engine_host.published import Published
    from storage.paths import Home
    from storage.records import Tenant
    from storage.settings import Settings


@dataclass(frozen=True, slots=True)
class House:
    """Everything a page or a command may need. `closers` are run in this order, each to its end."""

    home: Home
    settings: Settings
    database: Database
    secrets: SecretRoom
    library: Library
    watching: FolderWatch
    engines: HouseEngines
    orders: KitchenOrders
    turns: TurnDesk
    alerts: AlertWatch
    slots: SlotRecorder

    @property
    def engine(self) -> EngineSession:
        """The first of the engines."""
        return self.engines.first

    @property
    def answering(self) -> Published[bool]:
        """Whether any engine can answer."""
        return self.engines.pool.answering

    @property
    def poller(self) -> MetricsPoller:
        return self.engines.poller

    @property
    def closers(self) -> tuple[tuple[str, Callable[[], Awaitable[None]]], ...]:
        return (
            ("alerts", self.alerts.close),
            ("slot recorder", self.slots.close),
            *self.engines.closers,
            ("order system", self.orders.close),
            ("watched folder", self.watching.close),
            ("article library", self.library.close),
            ("database", self.database.close),
            ("secrets", self.secrets.close),
        )

    async def close(self) -> None:
        """Close every room in order; one that fails does not keep the others open."""
        async with AsyncExitStack() as stack:
            for _, close in reversed(self.closers):
                stack.push_async_callback(close)


@dataclass(frozen=True, slots=True)
class _Walked:
    """What a question walks through."""

    database: Database
    secrets: SecretRoom
    library: Library
    orders: KitchenOrders


async def open_house(
    home: Home,
    writers: Callable[[HouseEngines, Settings], WriterSource] | None = None,
    today: Callable[[], date] | None = None,
) -> House:
    """Open database, library and desk; nothing heavy is loaded and no engine is started yet.

    `writers` gives what answers instead of the pool of engines; `today` is the day whose articles are valid, the
    kitchen's own when left out.

    Raises SettingsError, StorageError or KnowledgeError with a sentence; nothing stays open then.
    """
    home.make()
    settings = load_settings(home)
    zone = ZoneInfo(settings.kitchen.timezone)
    database = await Database.open(settings.storage.database_url or home)
    secrets = SecretRoom(home)
    library = await Library.open(database, home, settings, zone)
    watching = FolderWatch(library, home, settings.knowledge.watched_path)
    engines = HouseEngines.of(home, settings, secrets, database)
    orders = KitchenOrders(home, settings.orders, secrets)
    source = writers(engines, settings) if writers else engines.pool
    turns = _turn_desk(_Walked(database, secrets, library, orders), settings, source, home, today)
    alerts = AlertWatch(home, settings.alerts, database, engines)
    slots = SlotRecorder(turns.under_way, partial(block_sizes, engines))
    return House(home, settings, database, secrets, library, watching, engines, orders, turns, alerts, slots)


def _turn_desk(
    rooms: _Walked, settings: Settings, source: WriterSource, home: Home, today: Callable[[], date] | None
) -> TurnDesk:
    zone = ZoneInfo(settings.kitchen.timezone)

    def voice_of(tenant: Tenant, language: str) -> Voice:
        return Voice(language, ZoneInfo(tenant.timezone), tenant.phone or settings.kitchen.phone)

    def this_day() -> date:
        return datetime.now(UTC).astimezone(zone).date()

    limits, wanted = HelpLimits(settings.knowledge.passages, today or this_day), settings.orders
    return TurnDesk(
        ledger=Ledger(rooms.database),
        quota=QuotaDesk(),
        router=Router(Examples(LibraryMeanings(rooms.library, home.vectors)), source),
        orders=OrderWay(rooms.orders, wanted.statement_max_age_s, clock_tolerance_s=wanted.clock_tolerance_s),
        help_way=HelpWay(rooms.library, source, limits),
        engines=source,
        secret_of=rooms.secrets.tenant_secret,
        voice_of=voice_of,
    )
