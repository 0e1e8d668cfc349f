"""The engines of a home beside its first one, as the settings name them: taken into use, read, and let go together."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine_host.engine.attaching import key_name
from engine_host.engine.errors import EngineRoomError
from engine_host.engine.pool_member import PoolMember
from engine_host.engine.pool_places import free_number, numbered
from engine_host.engine.run_file import DEFAULT_SLOT
from engine_host.engine.session import EngineSession
from engine_host.engine.state import EngineStatus
from engine_host.metrics.poller import MetricsPoller
from storage.errors import SecretError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from engine_host.engine.profile import EngineProfile
    from storage.paths import Home
    from storage.settings import MoreEngine, Settings

log = logging.getLogger(__name__)

LOOK_EVERY_S = 10.0
"""How often an engine that was not there is looked for again."""

_OUT_OF_USE = (EngineStatus.NONE, EngineStatus.STOPPED)


def slot_of(number: int) -> str:
    """The place in the home of an engine of the pool; 1 is the first one."""
    return DEFAULT_SLOT if number == 1 else f"{DEFAULT_SLOT}-{number}"


def profile_of(number: int, profile: EngineProfile) -> EngineProfile:
    """The same profile for another engine of the pool, under a name of its own."""
    return profile if number == 1 else replace(profile, name=f"{profile.name} {number}")


def read_metrics(session: EngineSession) -> MetricsPoller:
    """A poller of the metrics of whatever engine the session has; `start` it to read them each second.

    Its readings serve the session's watch too, so that an engine is asked for its metrics once.
    """

    def url() -> str | None:
        state = session.state.value
        return state.url if state.can_answer else None

    poller = MetricsPoller(url, tls=lambda: session.tls, model=lambda: session.state.value.model)
    session.heed(lambda: poller.newest)
    return poller


@dataclass(slots=True)
class FurtherEngine:
    """`fault` says, in a sentence, why it could not be taken into use the last time. `let_go`: a person detached or
    removed it, so that it is not looked for any more.
    """

    number: int
    wanted: MoreEngine
    session: EngineSession
    poller: MetricsPoller
    member: PoolMember
    fault: str = ""
    let_go: bool = False

    @staticmethod
    def of(home: Home, settings: Settings, number: int, wanted: MoreEngine) -> FurtherEngine:
        session = EngineSession(home, settings, slot=slot_of(number))
        poller = read_metrics(session)
        return FurtherEngine(number, wanted, session, poller, PoolMember(session, poller.latest, wanted.weight))


class PoolCrew:
    """`key_of` gives the kept key of an engine by the name of its secret. All methods belong to one loop."""

    def __init__(self, home: Home, settings: Settings, key_of: Callable[[str], Awaitable[str | None]]) -> None:
        self.engines = tuple(
            FurtherEngine.of(home, settings, number, wanted) for number, wanted in numbered(settings.engine.more)
        )
        self._home, self._settings = home, settings
        self._key_of = key_of
        self._looking: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def members(self) -> tuple[PoolMember, ...]:
        return tuple(one.member for one in self.engines)

    def add(self, wanted: MoreEngine) -> FurtherEngine:
        """One more, in the next free place of the home; it is not started nor taken into use yet."""
        number = wanted.number or free_number(one.number for one in self.engines)
        made = FurtherEngine.of(self._home, self._settings, number, wanted)
        self.engines = (*self.engines, made)
        made.poller.start()
        return made

    def of(self, session: EngineSession) -> FurtherEngine | None:
        """The further engine of this session; None for the first one and for one that was removed."""
        return next((one for one in self.engines if one.session is session), None)

    async def remove(self, one: FurtherEngine, drain_s: float) -> None:
        """Let it end what it writes for us within `drain_s` seconds, then stop it, or let it go when it is attached.

        Who gives out work must know before. Raises StopFailed when a process survives; it is then still one of us.
        """
        one.let_go = True
        if one.session.state.value.hosted:
            await one.session.stop(drain_s)
        else:
            await one.member.finish(drain_s)
            await one.session.detach()
        await one.session.close()
        await one.poller.close()
        self.engines = tuple(other for other in self.engines if other is not one)

    async def detach(self, session: EngineSession) -> None:
        """Let an attached engine go for as long as this program runs; what is hosted goes on."""
        if (one := self.of(session)) is not None:
            one.let_go = True
        await session.detach()

    async def join(self) -> None:
        """Take into use what runs already, all at the same time; what does not is left, and its `fault` says why."""
        await asyncio.gather(*(self._join(one) for one in self.engines))

    async def start(self, profile: EngineProfile) -> None:
        """Read metrics, take what runs, start the hosted ones that do not, and look for the others again and again.

        One after the other: two engines that load at once take twice the time each.
        """
        for one in self.engines:
            one.poller.start()
        await self.join()
        for one in self.engines:
            if self._closed:
                return
            if one.wanted.url is None and not one.let_go and one.session.state.value.status in _OUT_OF_USE:
                await self._start(one, profile_of(one.number, profile))
        if self._looking is None and self.engines and not self._closed:
            self._looking = asyncio.create_task(self._look_again(), name="pool crew")

    async def close(self) -> None:
        """Also in mid-start: what is starting is stopped, and no other one is started."""
        self._closed = True
        looking, self._looking = self._looking, None
        if looking is not None:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
        for one in self.engines:
            await one.poller.close()
        await asyncio.gather(*(one.session.close() for one in self.engines))

    async def _join(self, one: FurtherEngine) -> None:
        if one.let_go or one.session.state.value.status not in _OUT_OF_USE:
            return
        try:
            if one.wanted.url is None:
                await one.session.adopt()
            else:
                await one.session.attach(one.wanted.url, await self._key_of(key_name(one.wanted.url)))
            one.fault = ""
        except (EngineRoomError, SecretError) as error:
            one.fault = str(error)

    async def _start(self, one: FurtherEngine, profile: EngineProfile) -> None:
        try:
            await one.session.start(profile)
            one.fault = ""
        except EngineRoomError as error:
            one.fault = str(error)
            log.warning("The further engine %s did not start: %s", profile.name, error)

    async def _look_again(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            await asyncio.gather(*(self._join(one) for one in self.engines if one.wanted.url))
