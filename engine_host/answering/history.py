"""The conversation as the model may see it again: without any order fact, whoever told it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_host.answering.event_json import event_from_json
from engine_host.answering.events import Quoted, Routed, Stated, Text
from engine_host.answering.fact_gate import order_claim, told_by_customer
from engine_host.answering.sentences import split_sentences
from engine_host.client.types import ChatMessage
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from engine_host.answering.events import TurnEvent
    from storage.records import SettledTurn, Turn

ORDER_MARK = "(The order's status of that moment was shown.)"
_SHOWN = 2
_ANSWERED = (TurnOutcome.ANSWERED, TurnOutcome.ORDER_STATED)


def model_history(turns: tuple[Turn, ...]) -> tuple[ChatMessage, ...]:
    """Question and answer of the last answered turns, oldest first.

    What was asked and said about an order becomes a mark: the customer's own words can hold old facts too ("you told
    me it was delivered"), also in a turn that was not about an order.
    """
    answered = [(t.opened.question, t.settled) for t in turns if t.settled and t.settled.outcome in _ANSWERED]
    return tuple(message for question, settled in answered[-_SHOWN:] for message in _pair(question, settled))


def without_told_orders(text: str) -> str:
    """A customer's words, each sentence that tells of an order replaced by the mark."""
    parts = (ORDER_MARK if told_by_customer(sentence) else sentence for sentence in split_sentences(text))
    kept = " ".join(dict.fromkeys(parts))
    return ORDER_MARK if told_by_customer(text) and ORDER_MARK not in kept else kept


def _pair(question: str, settled: SettledTurn) -> tuple[ChatMessage, ChatMessage]:
    events = tuple(map(event_from_json, settled.events))
    about_order = any(isinstance(event, Routed) and event.order for event in events)
    asked = ChatMessage("user", ORDER_MARK if about_order else without_told_orders(question))
    return asked, ChatMessage("assistant", _answer(events))


def _answer(events: tuple[TurnEvent, ...]) -> str:
    """What was answered. A sentence that would be a claim today stands there no more, though it was let out then."""
    parts: list[str] = []
    for event in events:
        match event:
            case Stated():
                parts.append(ORDER_MARK)
            case Text(text=text) | Quoted(text=text):
                parts += [ORDER_MARK if order_claim(own, ()) else own for own in split_sentences(text)]
            case _:
                pass
    return " ".join(dict.fromkeys(parts)) or ORDER_MARK
