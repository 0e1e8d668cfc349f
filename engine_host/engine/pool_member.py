"""One engine of a pool: what it is, how much it has to do, and how it is spoken to."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from engine_host.client.errors import EngineLost
from engine_host.engine.pool_choice import Candidate, family, load_from
from engine_host.engine.state import EngineStatus
from engine_host.engine.watched import watched
from engine_host.engine.writers import CONTEXT_WHEN_UNTOLD, languages_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from engine_host.client.chat import EngineClient
    from engine_host.client.types import ChatEvent, ChatRequest
    from engine_host.engine.pool_choice import Load
    from engine_host.engine.state import EngineState
    from engine_host.metrics.samples import Scrape
    from engine_host.published import Published

STALLED_FOR_S = 3.0
"""How long a stream of a stalled engine may be silent before its answer moves to another engine."""

_GONE = (EngineStatus.FAILED, EngineStatus.LOST)


class PooledEngine(Protocol):
    """An EngineSession, as a pool sees it."""

    @property
    def state(self) -> Published[EngineState]: ...
    @property
    def client(self) -> EngineClient | None: ...
    @property
    def context_tokens(self) -> int | None: ...


class PoolMember:
    """`metrics` are the scrapes of this engine, None when nobody reads them; all methods belong to one loop."""

    def __init__(
        self, engine: PooledEngine, metrics: Published[Scrape | None] | None = None, weight: float = 1.0
    ) -> None:
        self.engine = engine
        self.weight = weight
        self.streams = 0
        self._metrics = metrics
        self._streams_then = 0
        self._idle = asyncio.Event()
        self._idle.set()
        if metrics is not None:
            metrics.watch(self._scraped)

    @property
    def state(self) -> EngineState:
        return self.engine.state.value

    @property
    def can_answer(self) -> bool:
        return self.state.can_answer and self.engine.client is not None

    @property
    def model(self) -> str:
        return self.state.model

    @property
    def family(self) -> str:
        return family(self.state.model)

    @property
    def languages(self) -> tuple[str, ...]:
        return languages_of(self.state.model)

    @property
    def context_tokens(self) -> int:
        return self.engine.context_tokens or CONTEXT_WHEN_UNTOLD

    def takes(self, request: ChatRequest) -> bool:
        """Tools only where they are read, an answer that was begun only where it is known that it is continued.

        A vLLM goes on within a message; other servers may begin a new one and say everything again.
        """
        found = self.state.found
        is_vllm = found is None or found.version is not None or found.metrics
        return (self.state.tools or not request.tools) and (is_vllm or not request.continues)

    @property
    def label(self) -> str:
        """Its name and address, for staff."""
        where = self.state.url.split("://", 1)[-1]
        return where if self.state.name in ("", where) else f"{self.state.name} at {where}"

    @property
    def load(self) -> Load:
        return load_from(self._metrics.value if self._metrics else None, self.streams, self._streams_then)

    @property
    def candidate(self) -> Candidate:
        return Candidate(self.state.status, self.load, self.weight)

    async def stream(self, request: ChatRequest, may_leave: Callable[[], bool]) -> AsyncGenerator[ChatEvent, None]:
        """As EngineClient.stream; `may_leave` tells whether another engine could go on when this one is silent.

        Raises EngineLost also when the engine is known to be gone, or stalled, while its connection still stands.
        """
        client = self.engine.client
        if client is None:
            raise EngineLost(f"The engine {self.label} is not in use any more: it was stopped or detached.")

        def lost(silent_s: float) -> str:
            status = self.state.status
            if status in _GONE:
                return f"The engine {self.label} stopped in the middle of its answer. {self.state.reason}"
            if status is EngineStatus.STALLED and silent_s >= STALLED_FOR_S and may_leave():
                return f"The engine {self.label} is stalled: it wrote nothing for {silent_s:.0f} s."
            return ""

        self.streams += 1
        self._idle.clear()
        try:
            async for event in watched(client.stream(request), lost):
                yield event
        finally:
            self.streams -= 1
            if not self.streams:
                self._idle.set()

    async def finish(self, limit_s: float) -> bool:
        """Whether all of our streams ended within `limit_s` seconds."""
        try:
            await asyncio.wait_for(self._idle.wait(), limit_s)
        except TimeoutError:
            return False
        return True

    def _scraped(self, _scrape: Scrape | None) -> None:
        self._streams_then = self.streams
