"""What talks to one engine while it is in use, and what watches it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine_host.client.chat import EngineClient
from engine_host.engine.health import EngineProbe

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from engine_host.engine.hosted import HostedEngine
    from engine_host.engine.watch import Watcher
    from engine_host.http import Tls


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
    """The engine that a session has in hand: its process if it is hosted, its link, and the watch over it."""

    engine: HostedEngine | None = None
    link: EngineLink | None = None
    watcher: Watcher | None = None
    _watching: asyncio.Task[None] | None = field(default=None, repr=False)

    def watch(self, watcher: Watcher, watching: Coroutine[Any, Any, None]) -> None:
        self.watcher = watcher
        self._watching = asyncio.create_task(watching, name="engine watch")

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
