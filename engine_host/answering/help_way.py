"""The way of a help question: passages, the model's sentences one by one through the gate, else a passage quoted."""

from __future__ import annotations

import time
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from engine_host.answering.events import PassagesFound, Quoted, Writing
from engine_host.answering.judge import Judge
from engine_host.answering.language import article_language, detect_language, language_name
from engine_host.answering.prompt import build_help_prompt
from engine_host.answering.quoting import best_quote
from engine_host.answering.way import EngineUse, WayEnd
from engine_host.client.types import ChatDelta, ChatEnd, ChatRequest, ChatToolCall, ChatUsage
from knowledge.article import Asker, Audience
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from datetime import date

    from engine_host.answering.way import TurnAtHand, WayItem
    from engine_host.client.types import ChatEvent
    from knowledge.article import Passage, Retrieved

LONGEST_ANSWER = 96


class Writer(Protocol):
    """An engine that can write now."""

    @property
    def model(self) -> str: ...
    @property
    def languages(self) -> tuple[str, ...]: ...
    @property
    def context_tokens(self) -> int: ...
    def stream(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]: ...


class WriterSource(Protocol):
    """Where a turn gets its engine from. `run` names the engine run that the ledger is held against."""

    @property
    def run(self) -> str | None: ...
    async def writer(self) -> Writer | None:
        """The engine that can write now; None when there is none."""
        ...


class Retriever(Protocol):
    async def retrieve(self, question: str, asker: Asker, limit: int) -> Retrieved: ...


@dataclass(frozen=True, slots=True)
class HelpLimits:
    """`passages` at most are looked for; `today` is the kitchen's day, for articles' validity."""

    passages: int
    today: Callable[[], date]


class HelpWay:
    """Answers from help articles only. What it releases stands in a passage; what does not, is withheld."""

    def __init__(self, library: Retriever, engines: WriterSource, limits: HelpLimits) -> None:
        self._library = library
        self._engines = engines
        self._limits = limits

    async def answer(self, turn: TurnAtHand) -> AsyncGenerator[WayItem, None]:
        """Yields PassagesFound, then Text / Withheld or Quoted events, EngineUse records and one WayEnd."""
        asker = Asker(turn.tenant.tenant_id, Audience.CUSTOMERS, article_language(turn.language), self._limits.today())
        found = await self._library.retrieve(turn.question.text, asker, self._limits.passages)
        yield PassagesFound(found.passages, found.threshold, found.searched, found.elapsed_ms)
        given = tuple(passage for passage in found.passages if passage.given)
        if not given:
            yield _unknown(turn, "No passage reached the threshold.")
            return
        writer = None if turn.routed.order else await self._engines.writer()
        why_not = _why_not_written(turn, writer, given)
        if writer is None or why_not:
            for item in _quote(turn, given, why_not):
                yield item
            return
        async with aclosing(self._write(turn, writer, given)) as items:
            async for item in items:
                yield item

    async def _write(
        self, turn: TurnAtHand, writer: Writer, passages: tuple[Passage, ...]
    ) -> AsyncGenerator[WayItem, None]:
        longest = min(LONGEST_ANSWER, turn.tenant.quota.longest_answer_tokens)
        kitchen, budget = turn.tenant.name, writer.context_tokens - longest
        prompt = build_help_prompt(turn.question.text, passages, turn.history, kitchen, budget)
        if not prompt.given:
            for item in _quote(turn, passages, f"The context of {writer.model} holds no passage; quoted instead."):
                yield item
            return
        judge = Judge(turn.question.text, prompt.given)
        use = EngineUse(asked_at=time.monotonic())
        request = ChatRequest(writer.model, prompt.messages, max_tokens=longest)
        async with aclosing(writer.stream(request)) as stream:
            async for event in stream:
                first = isinstance(event, ChatDelta) and use.first_token_at is None
                verdicts = judge.feed(event.text) if isinstance(event, ChatDelta) else []
                use = replace(_noted(use, event), gate_ms=judge.spent_ms)
                yield use
                if first and use.first_token_at is not None:
                    yield Writing((use.first_token_at - use.asked_at) * 1000)
                for verdict in verdicts:
                    yield verdict
        for verdict in judge.finish():
            yield verdict
        yield replace(use, gate_ms=judge.spent_ms)
        if judge.released:
            yield WayEnd(TurnOutcome.ANSWERED)
            return
        for item in _quote(turn, prompt.given, "No written sentence passed the gate."):
            yield item


def _noted(use: EngineUse, event: ChatEvent) -> EngineUse:
    match event:
        case ChatDelta(at=at, output_tokens=counted):
            first = at if use.first_token_at is None else use.first_token_at
            output = use.output_tokens if counted is None else max(use.output_tokens, counted)
            return replace(use, first_token_at=first, last_token_at=at, output_tokens=output)
        case ChatUsage(prompt, cached, output):
            return replace(use, prompt_tokens=prompt, cached_tokens=cached, output_tokens=output)
        case ChatToolCall():
            return use
        case ChatEnd(queue_ms=queue_ms):
            return replace(use, queue_ms=queue_ms)


def _why_not_written(turn: TurnAtHand, writer: Writer | None, given: tuple[Passage, ...]) -> str:
    """Why a passage is quoted without asking the model; empty when the model shall write."""
    if turn.routed.order:
        return "In a turn about an order the model does not write; the passage was quoted."
    if writer is None:
        return "No engine is ready, so the passage was quoted."
    languages = {turn.language, given[0].language, detect_language(turn.question.text)}
    if not languages <= set(writer.languages):
        unwritten = " or ".join(sorted(map(language_name, languages - set(writer.languages))))
        return f"{writer.model} does not write {unwritten}, so the passage was quoted."
    return ""


def _quote(turn: TurnAtHand, given: tuple[Passage, ...], why: str) -> tuple[WayItem, ...]:
    """A quotation and its end, for `why`; "I do not know" when all that could be quoted tells of single orders."""
    found = best_quote(turn.question.text, given)
    if found is None:
        return (_unknown(turn, "The passages tell of single orders, which no article can know. Correct the article."),)
    number, text = found
    return Quoted(text, number), WayEnd(TurnOutcome.ANSWERED, why=why)


def _unknown(turn: TurnAtHand, why: str) -> WayEnd:
    say = "" if turn.routed.order else turn.voice.say("do_not_know_help")
    return WayEnd(TurnOutcome.DOES_NOT_KNOW, say, why)
