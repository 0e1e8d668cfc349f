"""A profile against this machine: which vLLM would run it, and what that would refuse."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_host.engine.errors import EngineRoomError, FlagsUnknown, ProfileRefused, StartFailed
from engine_host.engine.options_parser import installed_flags
from engine_host.engine.profile_check import profile_faults, value_faults
from engine_host.engine.profile_places import Way, placement_of
from engine_host.engine.runtime import find_runtime, has_nvidia_driver, serves_on_gpu

if TYPE_CHECKING:
    from engine_host.engine.options_parser import FlagTable
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.profile_check import Fault
    from engine_host.engine.runtime import EngineRuntime
    from storage.paths import Home
    from storage.settings import Settings

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Readiness:
    """`unchecked` says why flags were not held against the installed vLLM; empty when they were."""

    runtime: EngineRuntime | None
    table: FlagTable | None
    on_gpu: bool
    unchecked: str
    faults: tuple[Fault, ...]

    def refuse(self, profile: EngineProfile) -> None:
        """Raises ProfileRefused for the first fault."""
        if self.faults:
            raise ProfileRefused(f"{profile.name} cannot be started. {self.faults[0].sentence}{_more(self.faults)}")


async def readiness(home: Home, settings: Settings, profile: EngineProfile) -> Readiness:
    """Never raises for what is missing on this machine: it is told. The first time for a vLLM it takes about 10 s."""
    runtime, table, unchecked = None, None, ""
    try:
        runtime = await find_runtime(home, settings)
        table = await installed_flags(home, runtime) if runtime else None
    except EngineRoomError as error:
        unchecked = str(error)
    if table is None:
        unchecked = unchecked or "Flags were not checked: no vLLM is installed here. Run ./dabba to finish the set-up."
    on_gpu = _on_gpu(profile, runtime)
    return Readiness(runtime, table, on_gpu, unchecked, profile_faults(profile, on_gpu=on_gpu, table=table))


async def start_flags(home: Home, runtime: EngineRuntime, profile: EngineProfile) -> frozenset[str] | None:
    """The flags that this vLLM knows, None when it does not say. Raises StartFailed for what it would refuse."""
    if not value_faults(profile) and placement_of(profile).way is not Way.HERE:
        raise StartFailed(
            f"The engine was not started: {profile.name} is for more than this machine.",
            f'`dabba engine command "{profile.name}"` prints what to type where; then attach it.',
        )
    try:
        table = await installed_flags(home, runtime)
    except FlagsUnknown as unknown:
        _LOG.warning("%s It checks its arguments itself when it starts.", unknown)
        table = None
    faults = profile_faults(profile, on_gpu=serves_on_gpu(runtime), table=table)
    if faults:
        raise StartFailed(f"The engine was not started. {faults[0].fact}", f"{faults[0].next_step}{_more(faults)}")
    return table.names if table else None


def _on_gpu(profile: EngineProfile, runtime: EngineRuntime | None) -> bool:
    if not value_faults(profile) and placement_of(profile).way is not Way.HERE:
        return True
    return serves_on_gpu(runtime) if runtime else has_nvidia_driver()


def _more(faults: tuple[Fault, ...]) -> str:
    return f" {len(faults) - 1} more of its values are not right." if len(faults) > 1 else ""
