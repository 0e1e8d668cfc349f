"""Listens at the engine's stream: which turn asks, and when each character came, to tell the gate's delay."""

from __future__ import annotations

import re
import time
from contextlib import aclosing
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from console.bench.around import AroundWriter
from engine_host.client.types import ChatDelta

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from engine_host.answering.help_way import Writer
    from engine_host.client.types import ChatEvent, ChatRequest

_SENTENCE_ENDS = re.compile(r"[.!?।\n]+")


@dataclass(slots=True)
class Heard:
    """What the engine wrote in one turn: all its text so far, and when it had which length."""

    mark: str
    tools: bool = False
    text: str = ""
    lengths: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])

    def take(self, delta: ChatDelta) -> None:
        self.text += delta.text
        self.lengths.append((len(self.text), time.monotonic()))

    def delay_of(self, sentence: str, released_at: float) -> Delay | None:
        """How long after its last character `sentence` was released; None when the engine did not write it so."""
        words = [re.escape(word) for word in sentence.split()]
        found = re.search(r"\s+".join(words), self.text) if words else None
        if found is None:
            return None
        came_at = next((at for length, at in self.lengths if length >= found.end()), released_at)
        later = self.text[found.end() :].lstrip(' .!?।\n*_`"”')
        return Delay((released_at - came_at) * 1000, len(_SENTENCE_ENDS.findall(later)))


@dataclass(frozen=True, slots=True)
class Delay:
    """What the gate added to a sentence. `sentences`: whole ones that the engine had written meanwhile."""

    ms: float
    sentences: int


HEARD: ContextVar[Heard] = ContextVar("heard")
"""Of the turn that this task is answering."""


class Source(Protocol):
    """What gives the engine: a session's writers, or an engine at an address."""

    @property
    def run(self) -> str | None: ...
    async def writer(self) -> Writer | None: ...


@dataclass(frozen=True, slots=True)
class TappedWriter(AroundWriter):
    """A writer whose stream is listened to. `marked`: the request names its turn by its model, for the liar."""

    marked: bool

    @property
    def tools(self) -> bool:
        """A liar is one that was trained for tools in some turns and one that was not in the others."""
        return HEARD.get().tools if self.marked else self.writer.tools

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        heard = HEARD.get()
        asked = replace(request, model=f"{request.model}/{heard.mark}") if self.marked else request
        async with aclosing(self.writer.stream(asked)) as events:
            async for event in events:
                if isinstance(event, ChatDelta):
                    heard.take(event)
                yield event


@dataclass(frozen=True, slots=True)
class TappedWriters:
    """A WriterSource around another one."""

    source: Source
    marked: bool

    @property
    def run(self) -> str | None:
        return self.source.run

    async def writer(self) -> TappedWriter | None:
        writer = await self.source.writer()
        return TappedWriter(writer, self.marked) if writer else None
