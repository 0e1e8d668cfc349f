"""Which of a customer's orders a question names: by meal, by diet or by dish. Pure; the words are data.

A choice never makes a statement false: it only says which true statements are made.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from engine_host.answering.folding import fold
from engine_host.answering.patterns import rules, table

if TYPE_CHECKING:
    from datetime import tzinfo

    from engine_host.orders.port import Order

_WORD = re.compile(r"[\w\u0900-\u0963\u0970-\u097f]+")
_SHORTEST = 3


def named_orders(orders: tuple[Order, ...], question: str, zone: tzinfo) -> tuple[Order, ...]:
    """The orders that the question names, in their order; empty when it names none. Ambiguous: all that match.

    An order with one item that has every mark of the question goes before one whose items have them together, and
    that before one that has only some of them. `zone` is the kitchen's: an order at noon is a lunch there.
    """
    marks = [_order_marks(order, zone) for order in orders]
    wanted = _marks(question) & frozenset[str]().union(*(item for items in marks for item in items))
    ranks = [_rank(items, wanted) for items in marks]
    best = max(ranks, default=0)
    return tuple(order for order, rank in zip(orders, ranks, strict=True) if best and rank == best)


def _rank(items: list[frozenset[str]], wanted: frozenset[str]) -> int:
    together = frozenset[str]().union(*items)
    if not wanted & together:
        return 0
    return 3 if any(wanted <= marks for marks in items) else 2 if wanted <= together else 1


def _order_marks(order: Order, zone: tzinfo) -> list[frozenset[str]]:
    """The marks of each item, and with them the meal that the order is: as a name says, else by its hour."""
    items = [_marks(f"{item.name} {item.diet}") for item in order.items]
    named = any(marks & _meals().keys() for marks in items)
    meal = frozenset[str]() if named else _meal_at(order, zone)
    return [marks | meal for marks in items]


def _meal_at(order: Order, zone: tzinfo) -> frozenset[str]:
    """The meal at the hour at which the order is expected; all of them when that is not known."""
    if order.expected_at is None:
        return frozenset(_meals())
    hour = order.expected_at.astimezone(zone).hour
    return frozenset(meal for meal, (start, end) in _meals().items() if (hour - start) % 24 < (end - start) % 24)


def _marks(text: str) -> frozenset[str]:
    folded = fold(text)
    meant = {rule.name for rule in rules("asking", "named", "mark") if rule.pattern.search(folded)}
    words = {_stem(word) for word in _WORD.findall(folded) if len(word) >= _SHORTEST}
    return frozenset(meant | (words - _generic()))


def _stem(word: str) -> str:
    return word.removesuffix("s") if len(word) > _SHORTEST else word


@cache
def _generic() -> frozenset[str]:
    return frozenset(_stem(fold(word)) for word in table("asking")["generic"]["words"].split())


@cache
def _meals() -> dict[str, tuple[int, int]]:
    """From which hour to which a meal is eaten."""
    return {meal: (start, end) for meal, (start, end) in table("asking")["meals"].items()}
