"""Keeps asking a server how it is."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING

from engine_host.engine.health import Health

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine_host.engine.health import EngineProbe

ASK_EVERY_S = 0.5
SILENT_TIMES = 2
UNREACHABLE_TIMES = 2


class Verdict(StrEnum):
    WELL = "well"
    STALLED = "stalled"


async def watch_health(probe: EngineProbe, heard: Callable[[Verdict], None]) -> None:
    """Ask twice a second, tell each verdict, and return when the engine is dead or gone.

    One unreachable moment may be a full backlog, two are not; silence is only a stall, because a long prefill on a
    busy machine is silent too.
    """
    silent = unreachable = 0
    while True:
        health = await probe.health()
        unreachable = unreachable + 1 if health is Health.UNREACHABLE else 0
        silent = silent + 1 if health is Health.SILENT else 0
        if health is Health.DEAD or unreachable >= UNREACHABLE_TIMES:
            return
        if health is Health.WELL:
            heard(Verdict.WELL)
        if silent >= SILENT_TIMES:
            heard(Verdict.STALLED)
        await asyncio.sleep(ASK_EVERY_S)
