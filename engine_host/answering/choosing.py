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
    from engine_host.orders.port import Order, OrderItem

_WORD = re.compile(r"[\w\u0900-\u0963\u0970-\u097f]+")
_SHORTEST = 3


def named_orders(orders: tuple[Order, ...], question: str) -> tuple[Order, ...]:
    """The orders that the question names, in their order; empty when it names none. Ambiguous: all that match.

    An order with one item that has every mark of the question goes before one whose items have them together, and
    that before one that has only some of them.
    """
    known = frozenset[str]().union(*(_item_marks(item) for order in orders for item in order.items))
    wanted = _marks(question) & known
    ranks = [_rank(order, wanted) for order in orders]
    best = max(ranks, default=0)
    return tuple(order for order, rank in zip(orders, ranks, strict=True) if best and rank == best)


def _rank(order: Order, wanted: frozenset[str]) -> int:
    items = [_item_marks(item) for item in order.items]
    together = frozenset[str]().union(*items)
    if not wanted & together:
        return 0
    return 3 if any(wanted <= marks for marks in items) else 2 if wanted <= together else 1


def _item_marks(item: OrderItem) -> frozenset[str]:
    return _marks(f"{item.name} {item.diet}")


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
