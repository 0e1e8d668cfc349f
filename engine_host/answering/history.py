"""The conversation as the model may see it again: without any order fact, and without what no article says any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_host.answering.event_json import event_from_json
from engine_host.answering.events import PassagesFound, Quoted, Routed, Stated, Text
from engine_host.answering.fact_gate import order_claim, told_by_customer
from engine_host.answering.sentences import split_sentences
from engine_host.client.types import ChatMessage
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from engine_host.answering.events import TurnEvent
    from knowledge.article import Passage
    from storage.records import SettledTurn, Turn

GONE_MARK = "(What was answered then is not in the articles any more.)"
ORDER_MARK = "(The order's status of that moment was shown.)"
_SHOWN = 2
_ANSWERED = (TurnOutcome.ANSWERED, TurnOutcome.ORDER_STATED)


def model_history(turns: tuple[Turn, ...], gone: Collection[Passage] = ()) -> tuple[ChatMessage, ...]:
    """Question and answer of the last answered turns, oldest first; a mark for what was taken from passages now `gone`.

    What was asked and said about an order becomes a mark: the customer's own words can hold old facts too ("you told
    me it was delivered"), also in a turn that was not about an order.
    """
    return tuple(message for question, settled in _shown(turns) for message in _pair(question, settled, gone))


def sources(turns: tuple[Turn, ...]) -> tuple[Passage, ...]:
    """The passages from which the answers of `model_history` were taken."""
    found = (_events(settled) for _, settled in _shown(turns))
    return tuple({passage: None for events in found for event in events for passage in _taken_from(event, events)})


def _shown(turns: tuple[Turn, ...]) -> list[tuple[str, SettledTurn]]:
    answered = [(t.opened.question, t.settled) for t in turns if t.settled and t.settled.outcome in _ANSWERED]
    return answered[-_SHOWN:]


def _events(settled: SettledTurn) -> tuple[TurnEvent, ...]:
    return tuple(map(event_from_json, settled.events))


def _taken_from(event: TurnEvent, events: tuple[TurnEvent, ...]) -> Iterator[Passage]:
    """The passages that a released sentence cites; all that were given when it cites none."""
    if not isinstance(event, Text | Quoted):
        return
    cited = event.citations if isinstance(event, Text) else (event.citation,)
    for found in events:
        if isinstance(found, PassagesFound):
            given = [passage for passage in found.passages if passage.given]
            yield from (passage for number, passage in enumerate(given, start=1) if number in cited or not cited)


def without_told_orders(text: str) -> str:
    """A customer's words, each sentence that tells of an order replaced by the mark."""
    parts = (ORDER_MARK if told_by_customer(sentence) else sentence for sentence in split_sentences(text))
    kept = " ".join(dict.fromkeys(parts))
    return ORDER_MARK if told_by_customer(text) and ORDER_MARK not in kept else kept


def _pair(question: str, settled: SettledTurn, gone: Collection[Passage]) -> tuple[ChatMessage, ChatMessage]:
    events = _events(settled)
    about_order = any(isinstance(event, Routed) and event.order for event in events)
    asked = ChatMessage("user", ORDER_MARK if about_order else without_told_orders(question))
    return asked, ChatMessage("assistant", _answer(events, gone))


def _answer(events: tuple[TurnEvent, ...], gone: Collection[Passage]) -> str:
    """What was answered. A sentence that would be a claim today stands there no more, though it was let out then."""
    parts: list[str] = []
    for event in events:
        match event:
            case Stated():
                parts.append(ORDER_MARK)
            case Text() | Quoted() if any(passage in gone for passage in _taken_from(event, events)):
                parts.append(GONE_MARK)
            case Text(text=text) | Quoted(text=text):
                parts += [ORDER_MARK if order_claim(own, ()) else own for own in split_sentences(text)]
            case _:
                pass
    return " ".join(dict.fromkeys(parts)) or ORDER_MARK
