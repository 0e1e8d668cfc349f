"""What fills a statement's template: the fields that the row really has, in the words of one language. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_host.answering.names import plain_courier, plain_dish

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from engine_host.orders.port import Order

MOST_IN_A_NAME = 3
MOST_CONTENTS = 20
MOST_LISTED = 10
_RUPEES = "INR"
_DUST = 1e-6
"""What adding binary fractions leaves behind, in units of a currency."""


def fields_of(order: Order, words: Mapping[str, str], zone: ZoneInfo) -> dict[str, str]:
    """A field that the row lacks, or whose name is not to be repeated, is absent: no template can invent it."""
    times = {
        "placed_at": order.placed_at,
        "changed_at": order.status_changed_at,
        "left_kitchen_at": order.left_kitchen_at,
        "expected": order.expected_at,
        "delivered_at": order.delivered_at,
    }
    fields = {name: _clock(at, order.as_of, words, zone) for name, at in times.items() if at is not None}
    fields |= {"as_of": seconds_clock(order.as_of, zone), "order": order.order_id, "amount": _amount(order, words)}
    if order.items and all(plain_dish(item.name) for item in order.items):
        box = [item.name if item.quantity == 1 else f"{item.quantity} × {item.name}" for item in order.items]
        fields["box"] = listed(box, MOST_IN_A_NAME, words)
        contents = [f"{item.quantity} × {item.name}" for item in order.items]
        fields["items"] = listed(contents, MOST_CONTENTS, words)
    if order.courier_first_name and plain_courier(order.courier_first_name):
        fields["courier"] = order.courier_first_name
    return fields


def seconds_clock(at: datetime, zone: ZoneInfo) -> str:
    return at.astimezone(zone).strftime("%H:%M:%S")


def listed(parts: list[str], most: int, words: Mapping[str, str]) -> str:
    """`parts` as words; beyond `most` they are counted."""
    shown, beyond = ", ".join(parts[:most]), len(parts) - most
    return words["more"].format(items=shown, count=beyond) if beyond > 0 else shown


def _clock(at: datetime, as_of: datetime, words: Mapping[str, str], zone: ZoneInfo) -> str:
    local, today = at.astimezone(zone), as_of.astimezone(zone)
    clock = local.strftime("%H:%M")
    if local.date() == today.date():
        return clock
    month = words["months"].split()[local.month - 1]
    template = words["another_day" if local.year == today.year else "another_year"]
    return template.format(clock=clock, day=local.day, month=month, year=local.year)


def _amount(order: Order, words: Mapping[str, str]) -> str:
    """To the last decimal that the row has: some currencies have three."""
    amount, currency = f"{order.total_amount:,.2f}", order.total_currency
    if abs(order.total_amount - round(order.total_amount, 2)) > _DUST:
        amount = f"{order.total_amount:,.6f}".rstrip("0")
    amount = amount.removesuffix(".00")
    return words["rupees"].format(amount=amount) if currency == _RUPEES else f"{currency} {amount}"
