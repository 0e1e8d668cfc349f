"""A constant load of one engine: so many answers at a time, and the moment of each of their tokens by one clock."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from engine_host.client.chat import EngineClient
from engine_host.client.types import ChatDelta, ChatMessage, ChatRequest, ChatUsage
from engine_host.engine.errors import EngineRoomError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

ANSWER_TOKENS: Final = 2_000
"""An answer that ends is begun anew, so the batch stays full."""
FIRST_TOKENS_S: Final = 120.0


class LoadSpoilt(EngineRoomError):
    """The load did not come about, so nothing could be measured."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A piece of an answer came `at`, in monotonic seconds; the engine had then written `tokens` of it."""

    at: float
    tokens: int


@dataclass(slots=True)
class Writing:
    """One of the answers at a time: what came of it, and of those that were begun anew after it."""

    answers: list[list[Mark]] = field(default_factory=list[list[Mark]])

    @property
    def has_begun(self) -> bool:
        return any(mark.tokens for marks in self.answers for mark in marks)

    def note(self, tokens: int) -> None:
        self.answers[-1].append(Mark(time.monotonic(), tokens))


@dataclass(frozen=True, slots=True)
class Load:
    writings: tuple[Writing, ...]
    tasks: tuple[asyncio.Task[None], ...]

    async def hold(self, seconds: float) -> None:
        """Let it go on for so long. Raises, at once, what broke it: LoadSpoilt or EngineError."""
        done, _ = await asyncio.wait(self.tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()

    def latencies_ms(self, begun: float, ended: float) -> tuple[float, ...]:
        """Of all answers, in the time given."""
        answers = (marks for one in self.writings for marks in one.answers)
        return tuple(value for marks in answers for value in latencies_ms(marks, begun, ended))


def latencies_ms(marks: Sequence[Mark], begun: float, ended: float) -> list[float]:
    """Inter-token latency of each token of one answer that came in the time given.

    The first token has none: what passed before it is TTFT. Tokens that came in one piece share the time since the
    piece before.
    """
    told = [mark for mark in marks if mark.tokens]
    found: list[float] = []
    for before, mark in pairwise(told):
        new = mark.tokens - before.tokens
        if new > 0 and begun <= mark.at < ended:
            found += [(mark.at - before.at) * 1000 / new] * new
    return found


@asynccontextmanager
async def load(url: str, model: str, streams: int) -> AsyncGenerator[Load]:
    """`streams` answers at a time, the same ones each time, all begun when the block begins; they end with it.

    Raises LoadSpoilt or EngineError.
    """
    client = EngineClient(url)
    writings = tuple(Writing() for _ in range(streams))
    tasks = [asyncio.create_task(_write(client, model, number, one)) for number, one in enumerate(writings)]
    one = Load(writings, tuple(tasks))
    try:
        await _until_begun(one)
        yield one
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await client.aclose()


async def _write(client: EngineClient, model: str, number: int, into: Writing) -> None:
    asked = ChatMessage("user", f"Story {number}: tell me a very long story about a kitchen and its lunch boxes.")
    request = ChatRequest(model, (asked,), ANSWER_TOKENS, past_end=True)
    while True:
        into.answers.append([])
        async with aclosing(client.stream(request)) as events:
            async for event in events:
                if isinstance(event, ChatUsage):
                    into.note(event.output_tokens)
                elif isinstance(event, ChatDelta) and event.output_tokens is None:
                    raise LoadSpoilt(
                        "The tokens cannot be counted: the engine does not tell how many it wrote. Update its vLLM."
                    )


async def _until_begun(one: Load) -> None:
    try:
        async with asyncio.timeout(FIRST_TOKENS_S):
            while not all(writing.has_begun for writing in one.writings):
                await one.hold(0.05)
    except TimeoutError as late:
        begun = sum(writing.has_begun for writing in one.writings)
        raise LoadSpoilt(
            f"Only {begun} of {len(one.writings)} answers had begun after {FIRST_TOKENS_S:.0f} s: the engine is too "
            "slow for this load. Try fewer streams."
        ) from late
