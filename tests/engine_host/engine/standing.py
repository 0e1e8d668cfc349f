"""Engines of a pool that stand on fake servers: what a session publishes, without a process."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from engine_host.client.chat import EngineClient
from engine_host.client.types import ChatDelta, ChatMessage, ChatRequest
from engine_host.engine.pool import EnginePool
from engine_host.engine.pool_member import PoolMember
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.published import Published
from tests.fakes.fake_vllm import STORY, Behaviour, FakeVllm

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable

    from engine_host.client.types import ChatEvent

ASKED = ChatRequest("fake-model", (ChatMessage("user", "When do refunds reach my account?"),), max_tokens=64)


class StandingEngine:
    """A READY engine at the address of a fake server."""

    def __init__(self, fake: FakeVllm, number: int, *, tools: bool = False, context: int | None = 4096) -> None:
        name = f"engine {number}"
        state = EngineState(EngineStatus.READY, name, fake.model, fake.url, f"run-{number}", tools=tools)
        self.state = Published(state)
        self.context_tokens = context
        self._client = EngineClient(fake.url)

    @property
    def client(self) -> EngineClient | None:
        return self._client if self.state.value.can_answer else None

    def becomes(self, status: EngineStatus) -> None:
        self.state.publish(replace(self.state.value, status=status, reason="It was killed."))

    async def aclose(self) -> None:
        await self._client.aclose()


class Stand:
    """A pool and what it stands on, each list in the order of the engines."""

    def __init__(self, fakes: list[FakeVllm], **told: bool) -> None:
        self.fakes = fakes
        self.engines = [StandingEngine(fake, number, **told) for number, fake in enumerate(fakes, start=1)]
        self.members = [PoolMember(engine) for engine in self.engines]
        self.pool = EnginePool(self.members)

    async def ask(self, request: ChatRequest = ASKED) -> list[ChatEvent]:
        events: list[ChatEvent] = []
        await self.ask_into(events, request)
        return events

    async def ask_into(self, events: list[ChatEvent], request: ChatRequest = ASKED) -> None:
        writer = await self.pool.writer()
        assert writer is not None
        async for event in writer.stream(request):
            events.append(event)  # noqa: PERF401 - what came before a failure counts too


@asynccontextmanager
async def stand(*behaviours: Behaviour, models: Iterable[str] = (), **told: bool) -> AsyncGenerator[Stand]:
    """A pool of one engine for each behaviour; `models` are their served names."""
    names = [*models, *("fake-model" for _ in behaviours)]
    fakes = [FakeVllm(behaviour, name) for behaviour, name in zip(behaviours, names, strict=False)]
    for fake in fakes:
        await fake.__aenter__()
    made = Stand(fakes, **told)
    try:
        yield made
    finally:
        for engine in made.engines:
            await engine.aclose()
        for fake in fakes:
            await fake.stop()


def text_of(events: Iterable[ChatEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, ChatDelta))


__all__ = ["ASKED", "STORY", "Stand", "StandingEngine", "stand", "text_of"]
