"""The sentences that code writes: about an order, from its row; and what is said when nothing is known.

Templates are data (assets/statements/statements.toml); which one is used and what fills it is decided here.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import TYPE_CHECKING

from engine_host.orders.port import Order, OrderStatus

if TYPE_CHECKING:
    from datetime import datetime
    from zoneinfo import ZoneInfo

_DONE = (OrderStatus.DELIVERED, OrderStatus.CANCELLED)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")  # %b asks the locale
_CURRENCY = {"INR": "Rs"}


@cache
def templates(language: str) -> dict[str, str]:
    """All templates of one language (en, hi, mr)."""
    text = files("assets").joinpath("statements/statements.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)[language]


@dataclass(frozen=True, slots=True)
class Voice:
    """How a kitchen speaks to one customer: language of the templates, time zone of the clock, support phone."""

    language: str
    zone: ZoneInfo
    phone: str

    def say(self, key: str) -> str:
        """A sentence that states no order fact, e.g. `do_not_know_order`."""
        return templates(self.language)[key].format(phone=self.phone)


def write_statement(order: Order, voice: Voice, *, with_contents: bool = False) -> str:
    """What `order` says about itself: status, when it is expected, its contents when asked, and the time of reading."""
    words = templates(voice.language)
    fields = _fields(order, voice)
    sentences = [_fill(words, f"status_{order.status.value}", fields)]
    if order.status not in _DONE:
        late = order.expected_at is not None and order.expected_at < order.as_of
        sentences.append(_fill(words, "late" if late else "expected", fields))
    if with_contents and order.items:
        sentences += [words[key].format_map(fields) for key in ("contents", "total")]
    sentences.append(words["as_of"].format_map(fields))
    return " ".join(sentences)


def _fill(words: dict[str, str], key: str, fields: dict[str, str]) -> str:
    """The full sentence, or the short one when the row lacks any field of the full one."""
    needed = {name for _, name, _, _ in Formatter().parse(words[key]) if name}
    return words[key if needed <= fields.keys() else f"{key}_short"].format_map(fields)


def _fields(order: Order, voice: Voice) -> dict[str, str]:
    """The fields that the row really has; a field it lacks is absent, so that no template can invent it."""
    times = {
        "placed_at": order.placed_at,
        "changed_at": order.status_changed_at,
        "left_kitchen_at": order.left_kitchen_at,
        "expected": order.expected_at,
        "delivered_at": order.delivered_at,
    }
    fields = {name: _clock(at, order.as_of, voice) for name, at in times.items() if at is not None}
    fields["as_of"] = order.as_of.astimezone(voice.zone).strftime("%H:%M:%S")
    fields["order"] = order.order_id
    fields["box"] = _box(order)
    fields["items"] = ", ".join(f"{item.quantity} × {item.name}" for item in order.items)
    fields["amount"] = f"{_CURRENCY.get(order.total_currency, order.total_currency)} {order.total_amount:,.2f}"
    fields["amount"] = fields["amount"].removesuffix(".00")
    if order.courier_first_name:
        fields["courier"] = order.courier_first_name
    return fields


def _clock(at: datetime, as_of: datetime, voice: Voice) -> str:
    local = at.astimezone(voice.zone)
    if local.date() == as_of.astimezone(voice.zone).date():
        return local.strftime("%H:%M")
    day = f"{local.day} {_MONTHS[local.month - 1]}" if voice.language == "en" else local.strftime("%d/%m")
    return f"{local.strftime('%H:%M')} ({day})"


def _box(order: Order) -> str:
    names = [item.name if item.quantity == 1 else f"{item.quantity} × {item.name}" for item in order.items]
    return ", ".join(names) if names else order.order_id
