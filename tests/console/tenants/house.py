"""The rooms that the Tenants page uses: a real database, and an engine that is a fake vLLM or none."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from engine_host.engine.health import WarmUp
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.published import Published
from storage.database import Database
from storage.queries.conversations import start_conversation
from storage.queries.tenants import upsert_tenant
from storage.queries.turns import open_turn, settle_turn
from storage.queries.usage import add_usage
from storage.records import NewTurn, Quota, SettledTurn, Tenant, TokenUse, TurnOutcome, TurnTimes, UsageDay
from storage.settings import Settings

if TYPE_CHECKING:
    from storage.paths import Home

QUOTA = Quota(20_000_000, 240, 12, 1024, 512)
KAMALA = Tenant("kamala", "Kamala Dabba", "own customers", 1, "Asia/Kolkata", "KD", QUOTA, "020")
MERIDIAN = Tenant(
    "meridian", "Meridian Offices", "four towers", 3, "Asia/Kolkata", "MO", Quota(8_000_000, 120, 6, 512, 256), "020"
)


@dataclass
class Engine:
    state: Published[EngineState] = field(default_factory=lambda: Published(EngineState()))
    warm_up: WarmUp = field(default_factory=lambda: WarmUp(31, 1))
    is_being_checked: bool = False

    def runs_at(self, url: str, name: str = "cpu-demo", run: str = "r1") -> None:
        self.state.publish(EngineState(EngineStatus.READY, name, "fake-model", url, run, hosted=True))


@dataclass
class Engines:
    sessions: tuple[Engine, ...]


@dataclass
class House:
    database: Database
    engines: Engines
    settings: Settings

    @property
    def engine(self) -> Engine:
        return self.engines.sessions[0]


async def open_house(home: Home, *tenants: Tenant) -> House:
    database = await Database.open(home.make())
    for tenant in tenants:
        await database.run(lambda session, new=tenant: upsert_tenant(session, new))
    return House(database, Engines((Engine(),)), Settings())


async def use(house: House, tenant_id: str, day: date, tokens: TokenUse, requests: int = 1) -> None:
    await house.database.run(lambda session: add_usage(session, UsageDay(tenant_id, day, requests, tokens=tokens)))


async def settle(house: House, turn_id: str, outcome: TurnOutcome, tokens: TokenUse) -> None:
    now = datetime.now(UTC)
    await house.database.run(lambda s: start_conversation(s, "kamala", None, "", now, turn_id))
    await house.database.run(lambda s: open_turn(s, NewTurn(turn_id, turn_id, "kamala", None, "", "q", now, "r1")))
    ending = SettledTurn(turn_id, outcome, "en", "a", tokens, TurnTimes())
    await house.database.run(lambda s: settle_turn(s, ending))
