"""One turn as the chat page knows it: while it streams, and as the ledger gives it back later. Both look the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from engine_host.answering.event_json import event_from_json
from engine_host.answering.events import Ended, Opened, PassagesFound, Quoted, Text
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from datetime import datetime

    from engine_host.answering.events import TurnEvent
    from knowledge.article import Passage
    from storage.records import Turn

E = TypeVar("E")

BROKE_OFF = "This turn has no end in the ledger: the program ended before it did. Ask again."
UNREADABLE = "The events of this turn can't be read: another version of the program kept them. The ledger has its sums."


@dataclass(frozen=True, slots=True)
class TrackedTurn:
    """`key` names it on this page, `turn_id` in the ledger (None until it is opened there).

    `running` means that this page streams it. `fault` is a sentence: why the turn has no ending of its own.
    """

    key: str
    question: str
    asked_at: datetime
    customer_name: str
    turn_id: str | None = None
    events: tuple[TurnEvent, ...] = ()
    running: bool = False
    stopping: bool = False
    fault: str = ""
    feedback: int = 0

    def all_of(self, kind: type[E]) -> tuple[E, ...]:
        return tuple(event for event in self.events if isinstance(event, kind))

    def last_of(self, kind: type[E]) -> E | None:
        return next((event for event in reversed(self.events) if isinstance(event, kind)), None)


def with_events(turn: TrackedTurn, events: tuple[TurnEvent, ...]) -> TrackedTurn:
    """The turn after more of its events; Opened gives it its id and its time."""
    turn = replace(turn, events=turn.events + events)
    opened = next((event for event in events if isinstance(event, Opened)), None)
    if opened is not None:
        turn = replace(turn, turn_id=opened.turn_id, asked_at=opened.asked_at)
    return turn


def from_ledger(kept: Turn) -> TrackedTurn:
    """A turn of an old conversation. One that is still open is being answered elsewhere."""
    opened = kept.opened
    turn = TrackedTurn(
        key=opened.turn_id,
        question=opened.question,
        asked_at=opened.asked_at,
        customer_name=opened.customer_name,
        turn_id=opened.turn_id,
        feedback=kept.feedback,
    )
    if kept.settled is None:
        return turn
    try:
        turn = replace(turn, events=tuple(event_from_json(event) for event in kept.settled.events))
    except ValueError:
        return replace(turn, fault=UNREADABLE)
    if turn.last_of(Ended) is None:
        fault = BROKE_OFF if kept.settled.outcome is TurnOutcome.FAILED else UNREADABLE
        return replace(turn, fault=fault)
    return turn


def given_passages(turn: TrackedTurn) -> tuple[Passage, ...]:
    """The passages over the threshold: citation n of the turn is the n-th of them."""
    found = turn.last_of(PassagesFound)
    return tuple(passage for passage in found.passages if passage.given) if found else ()


def cited_numbers(turn: TrackedTurn) -> tuple[int, ...]:
    """The citations of the turn, each once, in the order in which they first came."""
    numbers: list[int] = []
    for event in turn.events:
        if isinstance(event, Text):
            numbers += event.citations
        elif isinstance(event, Quoted):
            numbers.append(event.citation)
    return tuple(dict.fromkeys(numbers))


def source_of(turn: TrackedTurn, number: int) -> Passage | None:
    """The passage behind a citation; None when there is none of that number."""
    passages = given_passages(turn)
    return passages[number - 1] if 0 < number <= len(passages) else None


def source_name(passage: Passage) -> str:
    return " › ".join((passage.title, *passage.heading_path[-1:]))
