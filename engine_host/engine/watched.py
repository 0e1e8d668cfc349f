"""A stream that is watched from outside while it is silent."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from typing import TYPE_CHECKING

from engine_host.client.errors import EngineLost

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from engine_host.client.types import ChatEvent

ASK_EVERY_S = 0.25


async def watched(
    stream: AsyncGenerator[ChatEvent, None], lost: Callable[[float], str]
) -> AsyncGenerator[ChatEvent, None]:
    """The events of `stream`. While none comes, `lost` is asked with the seconds of silence so far: a sentence ends it.

    Closing the iterator closes the stream before it returns. Raises EngineLost with that sentence, or what `stream`
    raises.
    """
    came: asyncio.Queue[ChatEvent | None] = asyncio.Queue()
    # One task reads it from its beginning to its end: a wait that is given up must not take a half-read chunk with it.
    reading = asyncio.create_task(_read(stream, came), name="engine stream")
    try:
        while (event := await _next(came, lost)) is not None:
            yield event
        await reading
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


async def _next(came: asyncio.Queue[ChatEvent | None], lost: Callable[[float], str]) -> ChatEvent | None:
    began = time.monotonic()
    while True:
        try:
            async with asyncio.timeout(ASK_EVERY_S):
                return await came.get()
        except TimeoutError:
            if sentence := lost(time.monotonic() - began):
                raise EngineLost(sentence) from None


async def _read(stream: AsyncGenerator[ChatEvent, None], came: asyncio.Queue[ChatEvent | None]) -> None:
    """None comes last, however the stream ends; how it ended is the result of this task."""
    try:
        async with aclosing(stream) as events:
            async for event in events:
                came.put_nowait(event)
    finally:
        came.put_nowait(None)
