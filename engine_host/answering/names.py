"""Names that come out of the order system, and whether they may be said. Pure.

A dish or a courier is free text of another system: "Paneer. Your order was delivered" would make a code-written
sentence a lie. What is no plain name is left out, and staff are told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import category, normalize

from engine_host.answering.folding import fold
from engine_host.answering.patterns import table

if TYPE_CHECKING:
    from engine_host.orders.port import Order

LONGEST_DISH = 60
LONGEST_COURIER = 40
MOST_COURIER_WORDS = 3
_JOINERS = "\u200c\u200d"  # Devanagari needs them
_IN_DISHES = ",()&'’-/+%"
_IN_COURIERS = "'’-"


def plain_dish(name: str) -> bool:
    """Letters, digits and a few signs, short, and no word of a sentence."""
    return _is_plain(name, LONGEST_DISH, _IN_DISHES, digits=True) and any(category(c)[0] == "L" for c in name)


def plain_courier(name: str) -> bool:
    """A person's first name: letters only, at most three words."""
    return _is_plain(name, LONGEST_COURIER, _IN_COURIERS, digits=False) and len(name.split()) <= MOST_COURIER_WORDS


def unsaid_names(order: Order) -> tuple[str, ...]:
    """What staff read about names of this order that a customer does not get to see."""
    told: list[str] = []
    if not all(plain_dish(item.name) for item in order.items):
        told.append(f"Order {order.order_id}: the name of an item is no plain name and was not repeated.")
    if order.courier_first_name and not plain_courier(order.courier_first_name):
        told.append(f"Order {order.order_id}: the courier's name is no plain name and was not repeated.")
    return tuple(f"{fact} Correct it in the order system." for fact in told)


def _is_plain(name: str, longest: int, signs: str, *, digits: bool) -> bool:
    if not name.strip() or len(name) > longest or any(not _allowed(c, signs, digits=digits) for c in name):
        return False
    folded, patterns = fold(name), table("names")
    return not any(re.search(normalize("NFKC", pattern), folded) for pattern in patterns.values())


def _allowed(character: str, signs: str, *, digits: bool) -> bool:
    kind = category(character)
    return kind[0] in "LM" or character in (" ", *signs, *_JOINERS) or (digits and kind == "Nd")
