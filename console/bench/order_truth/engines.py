"""The engine that writes in this bench: the liar, one at an address, or the one of the user's home."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from console.bench.order_truth.liar import CONTEXT, MODEL, LiarEngine
from console.bench.order_truth.tap import TappedWriters
from engine_host.client.chat import EngineClient
from engine_host.engine.session import EngineSession
from engine_host.engine.writers import ALL_LANGUAGES, SessionWriters
from storage.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from engine_host.client.types import ChatEvent, ChatRequest
    from storage.paths import Home

LIAR, EMBEDDED = "liar", "embedded"


@dataclass(frozen=True, slots=True)
class Engine:
    """`liar` is None for an engine that is not told what to say."""

    writers: TappedWriters
    liar: LiarEngine | None = None


@dataclass(frozen=True, slots=True)
class LiarWriter:
    client: EngineClient
    model: str = MODEL
    languages: tuple[str, ...] = ALL_LANGUAGES
    context_tokens: int = CONTEXT
    tools: bool = True

    def stream(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        return self.client.stream(request)


@dataclass(frozen=True, slots=True)
class LiarSource:
    client: EngineClient
    run: str | None = "liar"

    async def writer(self) -> LiarWriter:
        return LiarWriter(self.client)


@asynccontextmanager
async def open_engine(engine: str, home: Home) -> AsyncGenerator[Engine]:
    """`engine` is liar, embedded, or a URL. Raises EngineRoomError when it can't be reached or started."""
    if engine == LIAR:
        async with LiarEngine() as liar:
            client = EngineClient(liar.url)
            try:
                yield Engine(TappedWriters(LiarSource(client), marked=True), liar)
            finally:
                await client.aclose()
        return
    session = EngineSession(home, load_settings(home))
    try:
        await (_bring_up(session) if engine == EMBEDDED else session.attach(engine))
        yield Engine(TappedWriters(SessionWriters(session), marked=False))
    finally:
        await session.close()


async def _bring_up(session: EngineSession) -> None:
    """The engine that the home runs already, else a new one that ends with this bench."""
    from console.commands.starting import default_profile, say_steps

    session.state.watch(say_steps())
    if not await session.adopt():
        await session.start(await default_profile(session.settings))
