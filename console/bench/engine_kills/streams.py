"""Answers that are left after their first words: what the engine still holds when the last one is gone."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import psutil

from engine_host.client.errors import EngineError
from engine_host.client.types import ChatDelta, ChatMessage, ChatRequest
from engine_host.engine.process import group_members
from engine_host.metrics.poller import read_once
from engine_host.metrics.samples import MetricSample

if TYPE_CHECKING:
    from engine_host.engine.session import EngineSession

AT_ONCE: Final = 16
IDLE_S: Final = 30.0
LOOKS: Final = 12
LOOK_EVERY_S: Final = 0.2
_KEPT_S: Final = 3.0
"""Connections that may be used again are kept for 2 s."""
_MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Cancelled:
    """`kv_more` is the fraction of KV blocks held more than before, `connections` how many more are open to the engine,
    `growth_mib` by how much its processes grew.
    """

    streams: int
    kv_more: float | None
    connections: int
    growth_mib: float
    idle_s: float | None


async def cancel_streams(session: EngineSession, count: int) -> Cancelled:
    """Begin and leave `count` answers. The first few are not counted for the growth: they fill caches."""
    group, url = session.state.value.process_group or 0, session.state.value.url
    await _leave_all(session, min(AT_ONCE * 4, count))
    await _idle(url)
    await asyncio.sleep(_KEPT_S)
    before, memory, open_before = await _kv(url), _memory(group), await _kept_open_to(url)
    await _leave_all(session, count)
    idle_s = await _idle(url)
    await asyncio.sleep(_KEPT_S)
    after = await _kv(url)
    more = None if before is None or after is None else after - before
    opened = max(0, await _kept_open_to(url) - open_before)
    return Cancelled(count, more, opened, (_memory(group) - memory) / _MIB, idle_s)


async def _leave_all(session: EngineSession, count: int) -> None:
    places = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> None:
        async with places:
            await _leave(session, number)

    await asyncio.gather(*(one(number) for number in range(count)))


async def _leave(session: EngineSession, number: int) -> None:
    client = session.client
    if client is None:
        return
    asked = ChatMessage("user", f"Question {number}: tell me a very long story.")
    request = ChatRequest(session.state.value.model, (asked,), max_tokens=500)
    with suppress(EngineError):
        async with aclosing(client.stream(request)) as stream:
            async for event in stream:
                if isinstance(event, ChatDelta):
                    return


async def _idle(url: str) -> float | None:
    began = time.monotonic()
    while time.monotonic() - began < IDLE_S:
        sample = await read_once(url)
        if isinstance(sample, MetricSample) and sample.running == 0 and sample.waiting == 0:
            return time.monotonic() - began
        await asyncio.sleep(0.2)
    return None


async def _kv(url: str) -> float | None:
    sample = await read_once(url)
    return sample.kv_usage if isinstance(sample, MetricSample) else None


def _memory(group: int) -> int:
    return sum(one.memory_info().rss for one in group_members(group))


async def _kept_open_to(url: str) -> int:
    """Connections that stay: the watch opens one now and then and closes it again."""
    seen = [_open_to(url)]
    for _ in range(LOOKS):
        await asyncio.sleep(LOOK_EVERY_S)
        seen.append(_open_to(url))
    return min(seen)


def _open_to(url: str) -> int:
    port = int(url.rsplit(":", 1)[1])
    ours = psutil.Process().net_connections("tcp")
    return sum(one.status == psutil.CONN_ESTABLISHED and bool(one.raddr) and one.raddr.port == port for one in ours)
