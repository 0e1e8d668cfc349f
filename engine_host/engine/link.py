"""What talks to one engine while it is in use, and what watches it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine_host.client.chat import EngineClient
from engine_host.engine.health import EngineProbe
from engine_host.engine.pulse import pulse_of
from engine_host.metrics.samples import MetricSample

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from engine_host.engine.canary import Pulse
    from engine_host.engine.hosted import HostedEngine
    from engine_host.engine.watch import Watcher
    from engine_host.http import Tls
    from engine_host.metrics.samples import Scrape

FRESH_S = 1.5
"""An older reading says nothing of whether the engine works now."""


@dataclass(frozen=True, slots=True)
class EngineLink:
    """`context` is the longest prompt and answer together, in tokens; None when the server does not say."""

    probe: EngineProbe
    client: EngineClient
    context: int | None
    tls: Tls | None = None

    @staticmethod
    def to(url: str, context: int | None, key: str | None = None, tls: Tls | None = None) -> EngineLink:
        """Raises OSError when a certificate file of `tls` cannot be used."""
        return EngineLink(EngineProbe(url, key, tls), EngineClient(url, key, tls=tls), context, tls)

    async def aclose(self) -> None:
        await self.probe.aclose()
        await self.client.aclose()


@dataclass(slots=True)
class Hold:
    """The engine that a session has in hand: its process if it is hosted, its link, and the watch over it.

    `newest` is what somebody else read of its metrics last, None = nobody reads them.
    """

    engine: HostedEngine | None = None
    link: EngineLink | None = None
    watcher: Watcher | None = None
    newest: Callable[[], Scrape | None] = lambda: None
    _since: float = 0.0
    _watching: asyncio.Task[None] | None = field(default=None, repr=False)

    def watch(self, watcher: Watcher, watching: Coroutine[Any, Any, None]) -> None:
        self.watcher, self._since = watcher, time.monotonic()
        self._watching = asyncio.create_task(watching, name="engine watch")

    def pulse(self) -> Pulse | None:
        """Of a reading of this moment, made since the watch began; None = the watch must read the metrics itself."""
        newest, oldest = self.newest(), max(self._since, time.monotonic() - FRESH_S)
        return pulse_of(newest) if isinstance(newest, MetricSample) and newest.mono >= oldest else None

    async def end_watch(self) -> None:
        watching, self._watching = self._watching, None
        if watching is not None and watching is not asyncio.current_task():
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    async def let_go(self) -> None:
        """End the watch and close what talks to the engine; the engine itself is not touched."""
        await self.end_watch()
        engine, self.engine = self.engine, None
        link, self.link = self.link, None
        self.watcher = None
        if engine is not None:
            await engine.stop_following()
        if link is not None:
            await link.aclose()
