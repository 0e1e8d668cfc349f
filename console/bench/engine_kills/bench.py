"""`dabba bench engine-kills`: each process of a real engine is killed at rest, in prefill and in decode."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from console.bench.engine_kills.killing import Death, Moment, Victim, kill_at
from console.bench.engine_kills.orphaning import orphaned
from console.bench.engine_kills.place import PROFILE, lent_session
from console.bench.engine_kills.stopping import stopped_core
from console.bench.engine_kills.streams import cancel_streams
from console.bench.report import judge
from engine_host.engine.errors import EngineRoomError

if TYPE_CHECKING:
    from console.bench.engine_kills.streams import Cancelled
    from console.bench.report import BenchResult
    from engine_host.engine.session import EngineSession
    from storage.paths import Home

KILL_TARGETS: Final = {
    "state_s_max": "<= 3",
    "streams_s_max": "<= 3",
    "left_behind": "== 0",
    "unexplained": "== 0",
    "starts_failed": "== 0",
}
STOP_TARGETS: Final = {"stalled_s": "<= 10", "well_again_s": "<= 10"}
OWNER_TARGETS: Final = {"owner_death_gone_s": "<= 10", "taken_back": "== 1"}
STREAM_TARGETS: Final = {
    "kv_more": "<= 0",
    "open_connections": "== 0",
    "memory_growth_mib": "<= 64",
    "idle_s": "<= 30",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """`victims` and `moments` are tried in every pair, `times` each, by so many `engines` side by side.

    0 streams = none are cancelled.
    """

    times: int = 1
    engines: int = 1
    victims: tuple[Victim, ...] = tuple(Victim)
    moments: tuple[Moment, ...] = tuple(Moment)
    streams: int = 1000
    stop_core: bool = True
    kill_owner: bool = True

    def shares(self) -> list[list[tuple[Victim, Moment]]]:
        """The kills of each engine, dealt out one by one; an engine that would have none is left out."""
        pairs = [(victim, moment) for victim in self.victims for moment in self.moments] * self.times
        return [share for number in range(self.engines) if (share := pairs[number :: self.engines])]

    @property
    def targets(self) -> dict[str, str]:
        targets = dict(KILL_TARGETS) if self.times else {}
        targets |= OWNER_TARGETS if self.kill_owner else {}
        return targets | (STOP_TARGETS if self.stop_core else {}) | (STREAM_TARGETS if self.streams else {})


async def run_engine_kills_bench(wanted: Wanted, home: Home) -> BenchResult:
    """`home` lends its runtime and models. Raises EngineRoomError when a start fails twice."""
    figures = await _alive_figures(wanted, home)
    rounds = await asyncio.gather(*(_kill_in_turn(home, share) for share in wanted.shares()))
    figures |= _kill_figures([death for deaths, _ in rounds for death in deaths], sum(failed for _, failed in rounds))
    if wanted.kill_owner:
        figures |= await _owner_figures(home)
    return judge("engine-kills" if wanted.times else "engine-kills --times 0", figures, wanted.targets)


async def _alive_figures(wanted: Wanted, home: Home) -> dict[str, float | None]:
    """What is measured of an engine that nobody kills."""
    figures: dict[str, float | None] = {}
    if not wanted.stop_core and not wanted.streams:
        return figures
    async with lent_session(home) as session:
        await session.start(PROFILE)
        if wanted.stop_core:
            stalled, well = await stopped_core(session)
            figures |= _said({"stalled_s": stalled, "well_again_s": well})
        if wanted.streams:
            figures |= _stream_figures(await cancel_streams(session, wanted.streams))
    return figures


async def _kill_in_turn(home: Home, kills: list[tuple[Victim, Moment]]) -> tuple[list[Death], int]:
    """The deaths of one engine, each followed by a start, and how many starts failed the first time."""
    deaths: list[Death] = []
    async with lent_session(home) as session:
        starts_failed = int(not await _starts(session))
        for victim, moment in kills:
            deaths.append(await kill_at(session, victim, moment))
            _tell(deaths[-1])
            starts_failed += not await _starts(session)
    return deaths, starts_failed


async def _owner_figures(home: Home) -> dict[str, float | None]:
    gone_s, taken = await orphaned(home)
    return _said({"owner_death_gone_s": gone_s, "taken_back": int(taken)})


def _said(figures: dict[str, float | None]) -> dict[str, float | None]:
    """Told at once: a long bench that is cut short has not been for nothing."""
    for name, figure in figures.items():
        print(f"  {name}: {figure}", file=sys.stderr)
    return figures


async def _starts(session: EngineSession) -> bool:
    """Whether the first try succeeds. Raises EngineRoomError when the second fails too."""
    try:
        await session.start(PROFILE)
    except EngineRoomError as error:
        print(f"  the start failed: {error}", file=sys.stderr)
        await session.start(PROFILE)
        return False
    return True


def _kill_figures(deaths: list[Death], starts_failed: int) -> dict[str, float | None]:
    if not deaths:
        return {}
    return {
        "kills": len(deaths),
        "state_s_max": _worst([death.state_s for death in deaths]),
        "streams_s_max": _worst([death.streams_s for death in deaths]),
        "processes_gone_s_max": _worst([death.gone_s for death in deaths]),
        "left_behind": sum(death.left for death in deaths),
        "unexplained": sum(not death.reason for death in deaths),
        "starts_failed": starts_failed,
    }


def _worst(seconds: list[float | None]) -> float | None:
    """None when one was not seen at all."""
    seen = [one for one in seconds if one is not None]
    return round(max(seen), 3) if len(seen) == len(seconds) else None


def _stream_figures(told: Cancelled) -> dict[str, float | None]:
    return _said(
        {
            "cancelled_streams": told.streams,
            "kv_more": told.kv_more,
            "open_connections": told.connections,
            "memory_growth_mib": round(told.growth_mib, 1),
            "idle_s": told.idle_s,
        }
    )


def _tell(death: Death) -> None:
    print(
        f"  {death.victim.value} at {death.moment.value}: state {_shown(death.state_s)}, streams "
        f"{_shown(death.streams_s)}, gone {_shown(death.gone_s)}, left {death.left}. {death.reason}",
        file=sys.stderr,
    )


def _shown(seconds: float | None) -> str:
    return "never" if seconds is None else f"{seconds:.2f} s"
