"""Why a turn ended in "I do not know", read from its events. Pure; the words are for staff."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from engine_host.answering.events import Ended, ModelCalled, Opened, PassagesFound, Routed, ToolCalled
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine_host.answering.events import TurnEvent

E = TypeVar("E")


class UnknownReason(StrEnum):
    """In the order in which they are shown."""

    NOT_SIGNED_IN = "nobody signed in"
    ORDER_SYSTEM = "order system failed"
    UNKNOWN_ORDER = "unknown order number"
    UNMAPPED_STATUS = "status not mapped"
    NO_PASSAGE = "no passage near enough"
    NOTHING_PASSED = "nothing passed the gate"
    NO_ENGINE = "no engine answered"
    OTHER = "another reason"


def is_unknown(outcome: TurnOutcome) -> bool:
    """Whether a turn of this outcome can have a reason: asked before its events are read."""
    return outcome in (TurnOutcome.DOES_NOT_KNOW, TurnOutcome.FAILED)


def unknown_reason(events: Sequence[TurnEvent]) -> UnknownReason | None:
    """The reason of a whole turn; None when it was answered, refused or cancelled, or broke off without a word.

    A turn that went both ways is one of the order: what is said of the order leads.
    """
    ended = _last(events, Ended)
    if ended is None or not is_unknown(ended.outcome):
        return None
    if ended.outcome is TurnOutcome.FAILED:
        return _of_failure(events) if ended.say else None
    return _of_order(events) if any(map(_asks_for_order, events)) else _of_help(events)


def unmapped_words(events: Sequence[TurnEvent]) -> tuple[str, ...]:
    """Status words of the order system that Settings give no meaning, each once."""
    return tuple(dict.fromkeys(word for event in events if isinstance(event, ToolCalled) for word in event.unmapped))


def _asks_for_order(event: TurnEvent) -> bool:
    """The route's choice, or in a help turn the model's."""
    return (isinstance(event, Routed) and event.order) or (isinstance(event, ModelCalled) and event.followed)


def _of_order(events: Sequence[TurnEvent]) -> UnknownReason:
    calls = [event for event in events if isinstance(event, ToolCalled)]
    opened = _last(events, Opened)
    if not calls or (opened is not None and opened.customer is None):
        return UnknownReason.NOT_SIGNED_IN
    if any(call.unmapped for call in calls):
        return UnknownReason.UNMAPPED_STATUS
    # An order that was found and yet not stated was too old, or gone when it was read again; and a system that does
    # not know the customer at all can't be asked about single orders.
    failed = any(call.reason or call.orders for call in calls)
    return (
        UnknownReason.ORDER_SYSTEM if failed or not any(map(_names_an_order, events)) else UnknownReason.UNKNOWN_ORDER
    )


def _names_an_order(event: TurnEvent) -> bool:
    return (isinstance(event, Routed) and bool(event.order_ids)) or isinstance(event, ModelCalled)


def _of_failure(events: Sequence[TurnEvent]) -> UnknownReason:
    """The articles are searched before the engine is asked."""
    return UnknownReason.OTHER if _last(events, PassagesFound) is None else UnknownReason.NO_ENGINE


def _of_help(events: Sequence[TurnEvent]) -> UnknownReason:
    found = _last(events, PassagesFound)
    if found is None:
        return UnknownReason.OTHER
    near = any(passage.score >= found.threshold for passage in found.passages)
    return UnknownReason.NOTHING_PASSED if near else UnknownReason.NO_PASSAGE


def _last(events: Sequence[TurnEvent], kind: type[E]) -> E | None:
    return next((event for event in reversed(events) if isinstance(event, kind)), None)
