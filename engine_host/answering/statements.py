"""The sentences that code writes: about an order, from its row; and what is said when nothing is known.

Templates are data (assets/statements/<language>.toml); which one is used is decided here, what fills it in
statement_fields.py.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import TYPE_CHECKING

from engine_host.answering.asking import Asks
from engine_host.answering.statement_fields import MOST_LISTED, fields_of, listed, seconds_clock
from engine_host.orders.port import Order, OrderStatus

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from zoneinfo import ZoneInfo

LANGUAGES = ("en", "hi", "hi-Latn", "mr")
JUST_NOW = timedelta(minutes=2)
_DONE = (OrderStatus.DELIVERED, OrderStatus.CANCELLED)
_VARIANTS = ("", "_no_courier", "_no_time", "_short")
_NOTHING = Asks()


@cache
def templates(language: str) -> dict[str, str]:
    """All templates of one of LANGUAGES."""
    return tomllib.loads(files("assets").joinpath(f"statements/{language}.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Voice:
    """How a kitchen speaks to one customer: language of the templates, time zone of the clock, support phone."""

    language: str
    zone: ZoneInfo
    phone: str

    def say(self, key: str) -> str:
        """A sentence that states no order fact, e.g. `do_not_know_order`."""
        return templates(self.language)[key].format(phone=self.phone)


def write_statement(order: Order, voice: Voice, asks: Asks = _NOTHING, after: tuple[Order, ...] = ()) -> str:
    """What `order` says about itself: status, when it is expected, what was asked besides, and the time of reading.

    `after` are the orders that were stated before it in the same turn.
    """
    words, fields = templates(voice.language), _named_fields(order, voice)
    sentences = [_fill(words, _status_key(order), fields)]
    if not is_done(order):
        sentences.append(_fill(words, _promise_key(order, after), fields))
    sentences += [_fill(words, key, fields) for key in _besides(order, fields, asks)]
    sentences.append(_fill(words, "as_of", fields))
    text = " ".join(sentences)
    return words["and_also"].format(statement=text[0].lower() + text[1:]) if after else text


def write_choice(orders: tuple[Order, ...], voice: Voice) -> str:
    """Names `orders` and asks which is meant, as of the oldest of their rows."""
    words = templates(voice.language)
    names = [_fill(words, "one_of", fields_of(order, words, voice.zone)) for order in orders]
    as_of = seconds_clock(min(order.as_of for order in orders), voice.zone)
    return words["which_order"].format(as_of=as_of, orders=listed(names, MOST_LISTED, words))


def write_none_active(as_of: datetime, voice: Voice) -> str:
    """That no order is active, `as_of` the moment at which that was asked."""
    clock = seconds_clock(as_of, voice.zone)
    return templates(voice.language)["no_active_orders"].format(as_of=clock, phone=voice.phone)


def is_done(order: Order) -> bool:
    """Nothing is to come of it."""
    return order.status in _DONE


def is_late(order: Order) -> bool:
    """Its expected time has passed and it is still to come."""
    return not is_done(order) and order.expected_at is not None and order.expected_at < order.as_of


def _named_fields(order: Order, voice: Voice) -> dict[str, str]:
    words = templates(voice.language)
    fields = fields_of(order, words, voice.zone) | {"phone": voice.phone}
    return fields | {key: _fill(words, key, fields) for key in ("dabba", "named")}


def _status_key(order: Order) -> str:
    if order.status is OrderStatus.PLACED and order.as_of - order.placed_at < JUST_NOW:
        return "status_placed_now"
    return f"status_{order.status.value}"


def _promise_key(order: Order, after: tuple[Order, ...]) -> str:
    if not is_late(order):
        return "expected"
    return "late_short" if any(map(is_late, after)) else "late"


def _besides(order: Order, fields: dict[str, str], asks: Asks) -> Iterator[str]:
    said = order.status is OrderStatus.OUT_FOR_DELIVERY and "courier" in fields
    if asks.courier and not said and order.status is not OrderStatus.CANCELLED:
        yield "courier"
    if asks.contents:
        yield "contents"
    if asks.total:
        yield "total"


def _fill(words: dict[str, str], key: str, fields: dict[str, str]) -> str:
    """The fullest of the key's templates for which the row has every field."""
    variants = (words[key + ending] for ending in _VARIANTS if key + ending in words)
    return next(text for text in variants if _fields_in(text) <= fields.keys()).format_map(fields)


@cache
def _fields_in(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)
