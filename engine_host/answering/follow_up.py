"""Questions that only make sense with the turn before: "and the other one?", "still?", "अजून?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_host.answering.event_json import event_from_json
from engine_host.answering.events import Routed, Stated
from engine_host.answering.signs import ALONE, FOLLOW_UP, OPENER, spelt_words

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from storage.records import Turn

MOST_WORDS = 6
FEW_WORDS = 4
_ANOTHER = frozenset({"thing", "another"})
_OF_ITS_OWN = frozenset({"general", "howto", "refund", "own_refund", "act", "trouble", "elsewhere", "topic", "thing"})


@dataclass(frozen=True, slots=True)
class Before:
    """The turn before: its way, and the orders that it was about, by number or as it stated them."""

    routed: Routed
    order_ids: tuple[str, ...] = ()


def is_follow_up(text: str, signs: AbstractSet[str], order_rule: str) -> bool:
    """Whether `text` leaves to the turn before what it is about."""
    if FOLLOW_UP in signs or order_rule:
        return FOLLOW_UP in signs
    return OPENER in signs and _words(text) <= MOST_WORDS and not signs & (_OF_ITS_OWN - {"thing"})


def names_nothing(text: str, signs: AbstractSet[str]) -> bool:
    """Whether so few words say nothing of their own; with a turn before they go its way."""
    return _words(text) <= FEW_WORDS and not signs & _OF_ITS_OWN


def is_bare(signs: AbstractSet[str]) -> bool:
    """Whether the question names nothing: "when?" may be for an order or for what the turn before was about."""
    return ALONE in signs and "thing" not in signs


def turn_before(earlier: tuple[Turn, ...]) -> Before | None:
    """The last turn that went a way; small talk in between does not count."""
    for turn in reversed(earlier):
        events = [event_from_json(data) for data in (turn.settled.events if turn.settled else ())]
        for event in events:
            if isinstance(event, Routed) and (event.order or event.help):
                stated = (one.order.order_id for one in events if isinstance(one, Stated) and one.order)
                return Before(event, event.order_ids or tuple(dict.fromkeys(stated)))
    return None


def same_orders(before: Before | None, signs: AbstractSet[str]) -> tuple[str, ...]:
    """The orders of the turn before when the question names no other: "and has it left?" is for the same one."""
    return () if before is None or signs & _ANOTHER else before.order_ids


def _words(text: str) -> int:
    return len(spelt_words(text).split())
