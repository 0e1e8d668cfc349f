"""Listens at the pool: what the model wrote, and which engine writes it, so that the right one can be killed."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from console.bench.around import AroundWriter
from engine_host.client.types import ChatDelta, ChatEngine

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from engine_host.answering.help_way import Writer, WriterSource
    from engine_host.client.types import ChatEvent, ChatRequest


@dataclass(slots=True)
class Heard:
    """Of one turn. `tokens` are pieces that came; `strike(run)` is called once, when `after` of them are there."""

    after: int | None = None
    strike: Callable[[str], None] = lambda _run: None
    text: str = ""
    tokens: int = 0
    runs: list[str] = field(default_factory=list[str])

    def take(self, event: ChatEvent) -> None:
        if isinstance(event, ChatEngine):
            self.runs.append(event.run or "")
        elif isinstance(event, ChatDelta):
            self.text += event.text
            self.tokens += 1
        if self.after is not None and self.runs and self.tokens >= self.after:
            self.after = None
            self.strike(self.runs[-1])


@dataclass(slots=True)
class ListeningPool:
    """A WriterSource around the pool; one turn at a time, each with its own `heard`."""

    pool: WriterSource
    heard: Heard = field(default_factory=Heard)

    @property
    def run(self) -> str | None:
        return self.pool.run

    async def writer(self) -> Writer | None:
        writer = await self.pool.writer()
        return _Listening(writer, self.heard) if writer else None


@dataclass(frozen=True, slots=True)
class _Listening(AroundWriter):
    heard: Heard

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        async with aclosing(self.writer.stream(request)) as events:
            async for event in events:
                self.heard.take(event)
                yield event
