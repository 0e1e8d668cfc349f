"""Waits until an engine has finished what it has in hand."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine_host.engine.health import EngineProbe

LOOK_EVERY_S = 0.25


async def drain(probe: EngineProbe, limit_s: float, cut: asyncio.Event) -> bool:
    """Whether nothing is in hand any more, within `limit_s` seconds, before `cut` and before the engine is let go.

    A server that does not say what it has in hand is given the whole time.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + limit_s
    while loop.time() < end and not cut.is_set() and not probe.is_closed:
        pulse = await probe.pulse()
        if pulse is not None and not pulse.in_hand:
            return True
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(cut.wait(), min(LOOK_EVERY_S, max(0.0, end - loop.time())))
    return False
