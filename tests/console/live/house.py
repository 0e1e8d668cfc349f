"""The rooms that the Live page uses: a real database; engine and poller say what a test wants."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from console.alert_watch import AlertWatch
from engine_host.answering.under_way import TurnsUnderWay
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.metrics.samples import MetricSample
from engine_host.published import Published
from storage.database import Database
from storage.queries.conversations import start_conversation
from storage.queries.tenants import upsert_tenant
from storage.queries.turns import open_turn, settle_turn
from storage.records import NewTurn, Quota, SettledTurn, Tenant, TokenUse, TurnOutcome, TurnTimes
from storage.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy.orm import Session

    from engine_host.metrics.samples import Scrape
    from engine_host.metrics.slots import SlotSample
    from storage.paths import Home

QUOTA = Quota(20_000_000, 240, 12, 1024, 512)
KAMALA = Tenant("kamala", "Kamala Dabba", "own customers", 1, "Asia/Kolkata", "KD", QUOTA, "020")
ANNAPURNA = Tenant("annapurna", "Annapurna Rasoi", "sister kitchen", 2, "Asia/Kolkata", "AR", QUOTA, "0253")
READY = EngineState(EngineStatus.READY, "cpu-demo", "SmolLM2-135M-Instruct", "http://127.0.0.1:1", "r1", hosted=True)


@dataclass
class Poller:
    latest: Published[Scrape | None] = field(default_factory=lambda: Published(None))
    scrapes: tuple[Scrape, ...] = ()
    newest: Scrape | None = None
    closer: int = 0

    def look_closer(self) -> None:
        self.closer += 1

    def bring(self, *scrapes: Scrape) -> None:
        """In the loop, as the real one does."""
        self.scrapes = (*self.scrapes, *scrapes)
        self.newest = scrapes[-1]
        self.latest.publish(scrapes[-1])


@dataclass
class Engine:
    run_file: Path
    state: Published[EngineState] = field(default_factory=lambda: Published(READY))


@dataclass
class Seat:
    key: str
    session: Engine
    poller: Poller


@dataclass
class Engines:
    seats: tuple[Seat, ...]


@dataclass
class Turns:
    under_way: TurnsUnderWay = field(default_factory=TurnsUnderWay)


@dataclass
class Slots:
    samples: tuple[SlotSample, ...] = ()


@dataclass
class House:
    database: Database
    engine: Engine
    poller: Poller
    settings: Settings
    home: Home
    slots: Slots = field(default_factory=Slots)
    turns: Turns = field(default_factory=Turns)
    engines: Engines = field(init=False)
    alerts: AlertWatch = field(init=False)

    def __post_init__(self) -> None:
        self.engines = Engines((Seat("1", self.engine, self.poller),))
        self.alerts = AlertWatch(self.home, self.settings.alerts, self.database, self.engines)  # pyright: ignore[reportArgumentType]

    def add_engine(self, state: EngineState, *scrapes: Scrape) -> Seat:
        """One more of the pool; call it in the loop when it brings scrapes."""
        number = str(len(self.engines.seats) + 1)
        made = Seat(number, Engine(self.engine.run_file.with_name(f"engine-{number}.json"), Published(state)), Poller())
        if scrapes:
            made.poller.bring(*scrapes)
        self.engines.seats = (*self.engines.seats, made)
        return made


async def open_house(home: Home, *scrapes: Scrape) -> House:
    home.make()
    database = await Database.open(home)
    for tenant in (KAMALA, ANNAPURNA):
        await database.run(lambda session, new=tenant: upsert_tenant(session, new))
        await database.run(
            lambda session, new=tenant: start_conversation(session, new.tenant_id, None, "", now_utc(), new.tenant_id)
        )
    poller = Poller()
    if scrapes:
        poller.bring(*scrapes)
    return House(database, Engine(home.run / "engine.json"), poller, Settings(), home)


def now_utc() -> datetime:
    return datetime.now(UTC)


def recent(seconds_ago: float, **figures: Any) -> MetricSample:
    """A sample of this moment's clocks."""
    at = now_utc() - timedelta(seconds=seconds_ago)
    return MetricSample(at, time.monotonic() - seconds_ago, 2.0, **figures)


def put_turn(
    session: Session, turn_id: str, tenant_id: str, seconds_ago: float, *, total_s: float | None = 1.0,
    outcome: TurnOutcome = TurnOutcome.ANSWERED, times: TurnTimes | None = None,
) -> None:  # fmt: skip
    """A turn asked so long ago; `total_s` None leaves it open. `times` stand for the usual ones."""
    asked = now_utc() - timedelta(seconds=seconds_ago)
    open_turn(session, NewTurn(turn_id, tenant_id, tenant_id, None, "", "q", asked, "r1"))
    if total_s is not None:
        usual = TurnTimes(ttft=300.0, decode=600.0, inter_token=20.0, total=total_s * 1000)
        settle_turn(session, SettledTurn(turn_id, outcome, "en", "a", TokenUse(700, 512, 30), times or usual))
