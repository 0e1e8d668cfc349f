"""The way of a help question: passages, the model's sentences one by one through the gate, else a passage quoted."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from engine_host.answering.events import PassagesFound, Quoted
from engine_host.answering.fact_gate import tells_of_an_order
from engine_host.answering.history import model_history, sources
from engine_host.answering.language import article_language, detect_language, language_name
from engine_host.answering.order_numbers import without_order_ids
from engine_host.answering.prompt import build_help_prompt
from engine_host.answering.quoting import best_quote, near_the_first
from engine_host.answering.sentences import split_sentences
from engine_host.answering.tools import tool_tokens
from engine_host.answering.way import WayEnd
from engine_host.answering.writing import Draft
from engine_host.client.errors import EngineError
from knowledge.article import Asker, Audience
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence
    from datetime import date

    from engine_host.answering.order_way import OrderWay
    from engine_host.answering.way import TurnAtHand, WayItem
    from engine_host.client.types import ChatEvent, ChatMessage, ChatRequest
    from knowledge.article import Passage, Retrieved
    from storage.records import Turn

LONGEST_ANSWER = 96
_TALES = "The passages tell of single orders, which no article can know. Correct the article."


class Writer(Protocol):
    """An engine that can write now."""

    @property
    def model(self) -> str: ...
    @property
    def languages(self) -> tuple[str, ...]: ...
    @property
    def context_tokens(self) -> int: ...
    @property
    def tools(self) -> bool:
        """Whether the model was trained for tools and the engine reads its calls."""
        ...

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
    async def still_served(self, passages: Sequence[Passage], asker: Asker) -> tuple[bool, ...]:
        """For each passage of an earlier answer: does its article still say so, to this asker?"""
        ...


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

    async def history(self, turns: tuple[Turn, ...], tenant_id: str) -> tuple[ChatMessage, ...]:
        """The conversation as the model may see it again; what was withdrawn since is not in it."""
        passages = sources(turns)
        asker = Asker(tenant_id, Audience.CUSTOMERS, "", self._limits.today())
        served = await self._library.still_served(passages, asker) if passages else ()
        gone = [passage for passage, still in zip(passages, served, strict=True) if not still]
        return model_history(turns, gone)

    async def answer(self, turn: TurnAtHand, orders: OrderWay) -> AsyncGenerator[WayItem, None]:
        """Yields PassagesFound, then Text / Withheld or Quoted events, EngineUse records and a WayEnd.

        A tool-trained model may ask for a look-up in `orders`: then its events and its WayEnd come too.
        """
        asker = Asker(turn.tenant.tenant_id, Audience.CUSTOMERS, article_language(turn.language), self._limits.today())
        found = await self._library.retrieve(_searched(turn), asker, self._limits.passages)
        passages = tuple(_given_if_general(passage, turn.tenant.order_prefix) for passage in found.passages)
        yield PassagesFound(passages, found.threshold, found.searched, found.elapsed_ms)
        given = tuple(passage for passage in passages if passage.given)
        if not given:
            near = any(passage.given for passage in found.passages)
            yield _unknown(turn, _TALES if near else "No passage reached the threshold.")
            return
        writer = None if turn.routed.order else await self._engines.writer()
        why_not = _why_not_written(turn, writer, given)
        if writer is None or why_not:
            for item in _quote(turn, given, why_not):
                yield item
            return
        async with aclosing(self._write(turn, writer, near_the_first(given), orders)) as items:
            async for item in items:
                yield item

    async def _write(
        self, turn: TurnAtHand, writer: Writer, passages: tuple[Passage, ...], orders: OrderWay
    ) -> AsyncGenerator[WayItem, None]:
        longest = min(LONGEST_ANSWER, turn.tenant.quota.longest_answer_tokens)
        kitchen, budget = turn.tenant.name, writer.context_tokens - longest - (tool_tokens() if writer.tools else 0)
        prompt = build_help_prompt(turn.question.text, passages, turn.history, kitchen, budget)
        if not prompt.given:
            for item in _quote(turn, passages, f"The context of {writer.model} holds no passage; quoted instead."):
                yield item
            return
        draft = Draft(turn, writer, prompt, orders)
        try:
            async with aclosing(draft.write(longest)) as items:
                async for item in items:
                    yield item
            ending = _ending(turn, draft, prompt.given)
        except EngineError as error:
            ending = _broken_off(turn, draft, prompt.given, str(error))
        for item in ending:
            yield item


def _searched(turn: TurnAtHand) -> str:
    """What is looked for in the articles. An order number would draw the search to one passage or another."""
    return without_order_ids(turn.question.text, (turn.tenant.order_prefix,))


def _given_if_general(passage: Passage, prefix: str) -> Passage:
    """A passage that tells of one order is given to nobody: the order may be another customer's."""
    shown = "\n".join((passage.title, *passage.heading_path, passage.text))
    tells = passage.given and tells_of_an_order(shown, prefix)
    return replace(passage, given=False) if tells else passage


def _ending(turn: TurnAtHand, draft: Draft, given: tuple[Passage, ...]) -> tuple[WayItem, ...]:
    """What ends a turn in which the model wrote. After a look-up that it asked for, a statement leads and is enough;
    that nothing is known of an order leads only where the model wrote nothing that passed."""
    looked_up = (draft.order_end,) if draft.order_end else ()
    stated = bool(draft.order_end) and draft.order_end.outcome is TurnOutcome.ORDER_STATED
    if draft.released:
        written = _rounded_off(turn, draft, given)
        return (*looked_up, *written) if stated else (*written, *looked_up)
    why = " ".join(filter(None, ("No written sentence passed the gate.", draft.why)))
    return looked_up if stated else (*looked_up, *_quote(turn, given, why))


def _rounded_off(turn: TurnAtHand, draft: Draft, given: tuple[Passage, ...]) -> tuple[WayItem, ...]:
    """The end of what the model wrote. Where all of it is beside the question, the passage is quoted as well."""
    found = None if draft.answered else best_quote(_searched(turn), given)
    if found is None or all(part in draft.said for part in split_sentences(found[1])):
        return (WayEnd(TurnOutcome.ANSWERED, why=draft.why),)
    why = " ".join(filter(None, ("What was written is beside the question, so the passage was quoted too.", draft.why)))
    return Quoted(found[1], found[0]), WayEnd(TurnOutcome.ANSWERED, why=why)


def _broken_off(turn: TurnAtHand, draft: Draft, given: tuple[Passage, ...], why: str) -> tuple[WayItem, ...]:
    """The engine failed in mid-answer. The turn has failed, but what stands in the passages still answers."""
    found = None if draft.released else best_quote(_searched(turn), given)
    if found is None:
        return (WayEnd(TurnOutcome.FAILED, turn.voice.say("engine_down"), why),)
    number, text = found
    return Quoted(text, number), WayEnd(TurnOutcome.FAILED, why=why)


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
    found = best_quote(_searched(turn), given)
    if found is None:
        return (_unknown(turn, _TALES),)
    number, text = found
    return Quoted(text, number), WayEnd(TurnOutcome.ANSWERED, why=why)


def _unknown(turn: TurnAtHand, why: str) -> WayEnd:
    say = "" if turn.routed.order else turn.voice.say("do_not_know_help")
    return WayEnd(TurnOutcome.DOES_NOT_KNOW, say, why)
