"""A stream that is watched while it is silent."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from engine_host.client.errors import EngineBusy, EngineLost
from engine_host.client.types import ChatDelta
from engine_host.engine import watched as room
from engine_host.engine.watched import watched

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from engine_host.client.types import ChatEvent


class Source:
    """Writes `words`, then hangs, fails or ends. `closed` is set when it is closed."""

    def __init__(self, *words: str, error: Exception | None = None, hangs: bool = False) -> None:
        self.closed = asyncio.Event()
        self._words = words
        self._error = error
        self._hangs = hangs

    async def stream(self) -> AsyncGenerator[ChatEvent, None]:
        try:
            for word in self._words:
                yield ChatDelta(word, None, 0.0)
            if self._error:
                raise self._error
            if self._hangs:
                await asyncio.Event().wait()
        finally:
            self.closed.set()


@pytest.fixture(autouse=True)
def _asked_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "ASK_EVERY_S", 0.001)


async def test_that_events_come_in_order_and_the_end_is_the_end() -> None:
    source = Source("a", "b", "c")
    assert [event.text async for event in watched(source.stream(), lambda _: "") if isinstance(event, ChatDelta)] == [
        "a", "b", "c",
    ]  # fmt: skip
    assert source.closed.is_set()


async def test_that_what_the_stream_raises_comes_after_its_events() -> None:
    async with aclosing(watched(Source("a", error=EngineBusy("It is full.")).stream(), lambda _: "")) as events:
        assert isinstance(await anext(events), ChatDelta)
        with pytest.raises(EngineBusy, match="full"):
            await anext(events)


async def test_that_a_silent_stream_is_given_up_with_the_sentence_and_closed() -> None:
    source, silences = Source("a", hangs=True), list[float]()

    def lost(silent_s: float) -> str:
        silences.append(silent_s)
        return "It is stalled." if len(silences) == 3 else ""

    with pytest.raises(EngineLost, match="It is stalled"):
        _ = [event async for event in watched(source.stream(), lost)]
    assert source.closed.is_set()
    assert silences == sorted(silences)


async def test_that_closing_the_iterator_closes_the_stream_before_it_returns() -> None:
    source = Source("a", hangs=True)
    async with aclosing(watched(source.stream(), lambda _: "")) as events:
        await anext(events)
    assert source.closed.is_set()


async def test_that_cancelling_the_reader_closes_the_stream() -> None:
    source = Source("a", hangs=True)
    begun = asyncio.Event()

    async def read() -> None:
        async for _ in watched(source.stream(), lambda _: ""):
            begun.set()

    reading = asyncio.create_task(read())
    await begun.wait()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert source.closed.is_set()
