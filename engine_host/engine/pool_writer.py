"""An answer that survives its engine: it goes on at another one, from the same prompt and the text already given."""

from __future__ import annotations

import time
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from engine_host.client.errors import EngineBusy, EngineError, EngineLost, EngineRefused
from engine_host.client.types import ChatDelta, ChatEnd, ChatEngine, ChatMessage, ChatToolCall, ChatUsage
from engine_host.engine.pool_text import WholeWords

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from engine_host.client.types import ChatEvent, ChatRequest
    from engine_host.engine.pool_member import PoolMember

_NOTHING = ChatUsage(0, 0, 0)


@dataclass(frozen=True, slots=True)
class PooledWriter:
    """The engine that a turn was given, and those that could take its place. `context_tokens` is what each of these
    holds, so that a prompt that fits one fits all.

    `others(request, tried)` gives the engine of the same model that could go on best, None when there is none.
    """

    first: PoolMember
    context_tokens: int
    others: Callable[[ChatRequest, tuple[PoolMember, ...]], PoolMember | None]

    @property
    def model(self) -> str:
        return self.first.model

    @property
    def languages(self) -> tuple[str, ...]:
        return self.first.languages

    @property
    def tools(self) -> bool:
        return self.first.state.tools

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        """One answer, as from one engine. When its engine dies or stalls it goes on at another, once at each.

        What was given out stays; text is given out up to the last whole word, so that nothing is said twice or lost.
        Raises EngineBusy, EngineRefused or EngineLost when no engine could go on.
        """
        told, tried = _Told(request), (self._begin(request),)
        while True:
            try:
                async with aclosing(self._part(tried, told)) as events:
                    async for event in events:
                        yield event
                return
            except EngineError as error:
                following = None if _is_the_requests_fault(error, tried) else self.others(told.request(), tried)
                if following is None:
                    raise _given_up(error, tried) from error
                told.broke_off(str(error))
                tried = (*tried, following)

    def _begin(self, request: ChatRequest) -> PoolMember:
        """The engine may have gone since the turn was given it."""
        return self.first if self.first.can_answer else self.others(request, ()) or self.first

    async def _part(self, tried: tuple[PoolMember, ...], told: _Told) -> AsyncGenerator[ChatEvent, None]:
        """What the last of `tried` writes of the answer."""
        member, request = tried[-1], told.request()
        if member is not self.first:
            request = replace(request, model=member.model)
        yield ChatEngine(member.label, member.state.run, time.monotonic(), told.lost)
        if told.is_full:
            yield ChatEnd("length")
            return

        def may_leave() -> bool:
            return self.others(told.request(), tried) is not None

        async with aclosing(member.stream(request, may_leave)) as events:
            async for event in events:
                for part in told.take(event):
                    yield part


@dataclass(slots=True)
class _Told:
    """How far an answer has come. `lost` is why the engine before writes no more."""

    asked: ChatRequest
    lost: str = ""
    _words: WholeWords = field(default_factory=WholeWords)
    _spent: ChatUsage = _NOTHING
    _usage: ChatUsage = _NOTHING
    _last_at: float = 0.0

    def request(self) -> ChatRequest:
        """What the next engine is asked: the same, with the text so far as the beginning of its answer."""
        begun = self._words.passed.rstrip()
        if not begun:
            return self.asked
        messages = (*self.asked.messages, ChatMessage("assistant", begun))
        return replace(self.asked, messages=messages, max_tokens=self._left, continues=True)

    @property
    def _left(self) -> int:
        return self.asked.max_tokens - self._words.tokens

    @property
    def is_full(self) -> bool:
        return self._left <= 0

    def take(self, event: ChatEvent) -> tuple[ChatEvent, ...]:
        match event:
            case ChatDelta(text, counted, at):
                self._last_at = at
                return (ChatDelta(self._words.feed(text, counted), self._counted(counted), at),)
            case ChatUsage():
                self._usage = event
                return (_sum(self._spent, event),)
            case ChatToolCall() | ChatEnd():
                rest = self._words.finish()
                return (ChatDelta(rest, None, self._last_at), event) if rest else (event,)
            case ChatEngine():
                return ()

    def broke_off(self, lost: str) -> None:
        """What the engine counted up to its last chunk was spent, also for words that are written anew."""
        self.lost = lost
        self._spent, self._usage = _sum(self._spent, self._usage), _NOTHING
        self._words.move()

    def _counted(self, counted: int | None) -> int | None:
        return None if counted is None else self._spent.output_tokens + counted


def _sum(one: ChatUsage, other: ChatUsage) -> ChatUsage:
    return ChatUsage(
        one.prompt_tokens + other.prompt_tokens,
        one.cached_tokens + other.cached_tokens,
        one.output_tokens + other.output_tokens,
    )


def _is_the_requests_fault(error: EngineError, tried: tuple[PoolMember, ...]) -> bool:
    """A refusal is the request's; but one of a continuation may be of an engine that can't continue."""
    return isinstance(error, EngineRefused) and len(tried) == 1


def _given_up(error: EngineError, tried: tuple[PoolMember, ...]) -> EngineError:
    if len(tried) == 1 or isinstance(error, EngineBusy):
        return error
    names = ", ".join(member.label for member in tried)
    return EngineLost(f"{error} The answer was begun at {len(tried)} engines, and none ended it: {names}.")
