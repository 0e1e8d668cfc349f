"""The core is stopped by SIGSTOP: how long until the engine is called stalled, and well again after SIGCONT."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from console.bench.engine_kills.killing import Victim, pid_of
from engine_host.engine.state import EngineStatus

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine_host.engine.session import EngineSession
    from engine_host.engine.state import EngineState

LIMIT_S: Final = 30.0


async def stopped_core(session: EngineSession) -> tuple[float | None, float | None]:
    """Seconds to "stalled", and back to well; None = not within 30 s."""
    core = pid_of(session, Victim.CORE)
    os.kill(core, signal.SIGSTOP)
    try:
        stalled = await _until(session, lambda now: now.status is EngineStatus.STALLED)
    finally:
        with suppress(ProcessLookupError):
            os.kill(core, signal.SIGCONT)
    return stalled, await _until(session, lambda now: now.is_well)


async def _until(session: EngineSession, holds: Callable[[EngineState], bool]) -> float | None:
    began, seen = time.monotonic(), asyncio.Event()
    unwatch = session.state.watch(lambda now: seen.set() if holds(now) else None)
    try:
        if not holds(session.state.value):
            await asyncio.wait_for(seen.wait(), LIMIT_S)
    except TimeoutError:
        return None
    finally:
        unwatch()
    return time.monotonic() - began
