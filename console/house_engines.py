"""The engines of the house: the first one, the further ones of the settings, and the pool that they answer in."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from console.engine_events import EngineEvents
from engine_host.engine.pool import EnginePool
from engine_host.engine.pool_crew import PoolCrew, read_metrics
from engine_host.engine.pool_member import PoolMember
from engine_host.engine.pool_places import written
from engine_host.engine.session import EngineSession

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from engine_host.metrics.poller import MetricsPoller
    from storage.database import Database
    from storage.paths import Home
    from storage.secret_room import SecretRoom
    from storage.settings import MoreEngine, Settings


@dataclass(frozen=True, slots=True)
class Seat:
    """One engine of the house and who reads its metrics; `key` is its number as text."""

    key: str
    session: EngineSession
    poller: MetricsPoller


@dataclass(frozen=True, slots=True)
class HouseEngines:
    """`poller` reads the metrics of `first`; those of `crew` have their own. `events` are written for each of them."""

    first: EngineSession
    poller: MetricsPoller
    crew: PoolCrew
    pool: EnginePool
    events: list[EngineEvents]
    database: Database | None = None

    @staticmethod
    def of(home: Home, settings: Settings, secrets: SecretRoom, database: Database | None) -> HouseEngines:
        """In the running loop. No engine is started or taken into use yet; without a database no event is kept."""
        first, crew = EngineSession(home, settings), PoolCrew(home, settings, secrets.get)
        poller = read_metrics(first)
        pool = EnginePool((PoolMember(first, poller.latest, settings.engine.weight), *crew.members))
        made = HouseEngines(first, poller, crew, pool, [], database)
        for session in made.sessions:
            made._keep_events(session)
        return made

    def add(self, wanted: MoreEngine) -> EngineSession:
        """One more engine for the pool, at once; it is not started yet, and the settings are for the caller to keep."""
        made = self.crew.add(wanted)
        self.pool.add(made.member)
        self._keep_events(made.session)
        return made.session

    async def remove(self, session: EngineSession, drain_s: float) -> None:
        """Take a further engine out of the pool: nothing new for it, `drain_s` seconds for what it writes, then its end
        (hosted) or no more use of it (attached). The settings are for the caller to keep.

        Raises StopFailed when a process survives: removing it again tries once more. Another session changes nothing.
        """
        one = self.crew.of(session)
        if one is None:
            return
        self.pool.remove(one.member)
        await self.crew.remove(one, drain_s)
        for events in tuple(self.events):
            if events.state is session.state:
                self.events.remove(events)
                await events.close()

    def _keep_events(self, session: EngineSession) -> None:
        if self.database is not None:
            events = EngineEvents(self.database, session.state)
            events.start()
            self.events.append(events)

    @property
    def sessions(self) -> tuple[EngineSession, ...]:
        return (self.first, *(one.session for one in self.crew.engines))

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Every engine with its poller, the first one first."""
        further = (Seat(str(one.number), one.session, one.poller) for one in self.crew.engines)
        return (Seat("1", self.first, self.poller), *further)

    @property
    def more(self) -> tuple[MoreEngine, ...]:
        """The further engines as the settings would name them."""
        return written((one.number, one.wanted) for one in self.crew.engines)

    def number_of(self, session: EngineSession) -> int:
        """What an engine of the house is called by, as `dabba engine list` shows it; 1 is the first one."""
        one = self.crew.of(session)
        return one.number if one else 1

    @property
    def closers(self) -> tuple[tuple[str, Callable[[], Awaitable[None]]], ...]:
        return (
            ("metrics poller", self.poller.close),
            ("engines", self._close_sessions),
            ("engine events", self._close_events),
        )

    async def join(self) -> None:
        """Take into use every engine that runs already; of several, read once how much each has to do."""
        await asyncio.gather(self.first.adopt(), self.crew.join())
        if self.crew.engines:
            await self.read_metrics()

    async def read_metrics(self) -> None:
        pollers = (self.poller, *(one.poller for one in self.crew.engines))
        await asyncio.gather(*(poller.scrape() for poller in pollers))

    async def close(self) -> None:
        """Every part to its end; hosted engines that are not to outlive this program end."""
        async with AsyncExitStack() as stack:
            for _, close in reversed(self.closers):
                stack.push_async_callback(close)

    async def _close_sessions(self) -> None:
        """All at the same time: each may take seconds to end."""
        ends = await asyncio.gather(self.first.close(), self.crew.close(), return_exceptions=True)
        for end in ends:
            if end is not None:
                raise end

    async def _close_events(self) -> None:
        await asyncio.gather(*(one.close() for one in self.events))
