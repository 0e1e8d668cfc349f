"""The conversation as the model may see it again: without any order fact."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_host.answering.event_json import event_from_json
from engine_host.answering.events import Quoted, Stated, Text
from engine_host.answering.fact_gate import order_claim
from engine_host.client.types import ChatMessage
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from storage.records import SettledTurn, Turn

ORDER_MARK = "(The order's status of that moment was shown.)"
_SHOWN = 2


def model_history(turns: tuple[Turn, ...]) -> tuple[ChatMessage, ...]:
    """Question and answer of the last answered turns, oldest first; stated facts and order claims become a mark."""
    messages: list[ChatMessage] = []
    for turn in turns:
        if turn.settled and turn.settled.outcome in (TurnOutcome.ANSWERED, TurnOutcome.ORDER_STATED):
            question = turn.opened.question
            messages.append(ChatMessage("user", ORDER_MARK if order_claim(question, ()) else question))
            messages.append(ChatMessage("assistant", _answer(turn.settled)))
    return tuple(messages[-2 * _SHOWN :])


def _answer(settled: SettledTurn) -> str:
    parts: list[str] = []
    for event in map(event_from_json, settled.events):
        match event:
            case Stated():
                parts.append(ORDER_MARK)
            case Text(text=text) | Quoted(text=text):
                parts.append(text)
            case _:
                pass
    return " ".join(dict.fromkeys(parts)) or ORDER_MARK
