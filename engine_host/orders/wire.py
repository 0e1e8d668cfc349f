"""The order API's JSON, read strictly: bytes -> Order, or the fact that makes the answer unbelievable. Pure.

One wrong row spoils the whole answer: who sends one order of a stranger may have mixed up the others as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final
from unicodedata import category

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError

from engine_host.orders.port import Order, OrderItem, OrderStatus

OLDEST: Final = timedelta(seconds=60)
"""How far `as_of` may lie from our clock, and two times of one order from each other the wrong way round."""
FARTHEST: Final = timedelta(days=366)
MOST_ORDERS: Final = 200
JOINERS: Final = "\u200c\u200d"  # Devanagari needs them
MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)", re.ASCII)
IN_THE_KITCHEN: Final = frozenset({OrderStatus.PLACED, OrderStatus.PREPARING, OrderStatus.PACKED})


@dataclass(frozen=True, slots=True)
class Unbelievable:
    """Why an answer is thrown away: a clause for staff that goes on after "the order system's answer"."""

    fact: str


def _one_line(text: str) -> str:
    if not text.strip() or any(
        (category(c)[0] in "C" and c not in JOINERS) or category(c) in {"Zl", "Zp"} for c in text
    ):
        raise ValueError("blank or with control characters")
    return text


def _moment(value: object) -> datetime:
    if not isinstance(value, str) or not MOMENT.fullmatch(value):
        raise ValueError("not a time like 2026-11-30T12:41:00Z")
    moment = datetime.fromisoformat(value)
    if not 2000 <= moment.year <= 2100:
        raise ValueError("not a time of this century")
    return moment.astimezone(UTC)


Line = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_one_line)]
Moment = Annotated[datetime, BeforeValidator(_moment)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", allow_inf_nan=False)


class _Item(_Strict):
    name: Line
    quantity: int = Field(ge=1, le=100_000)
    diet: Line


class _Total(_Strict):
    amount: float = Field(ge=0, le=1e9)
    currency: Annotated[str, StringConstraints(pattern="^[A-Z]{3}$")]


class _Order(_Strict):
    order_id: Line
    customer_id: Line
    status: OrderStatus
    status_changed_at: Moment
    version: int = Field(ge=0, le=2**63)
    items: Annotated[tuple[_Item, ...], Field(min_length=1, max_length=500)]
    total: _Total
    placed_at: Moment
    left_kitchen_at: Moment | None
    expected_at: Moment | None
    delivered_at: Moment | None
    courier_first_name: Line | None
    as_of: Moment

    def as_order(self) -> Order:
        return Order(
            order_id=self.order_id,
            customer_id=self.customer_id,
            status=self.status,
            status_changed_at=self.status_changed_at,
            version=self.version,
            items=tuple(OrderItem(item.name, item.quantity, item.diet) for item in self.items),
            total_amount=self.total.amount,
            total_currency=self.total.currency,
            placed_at=self.placed_at,
            left_kitchen_at=self.left_kitchen_at,
            expected_at=self.expected_at,
            delivered_at=self.delivered_at,
            courier_first_name=self.courier_first_name,
            as_of=self.as_of,
        )


class _Orders(_Strict):
    orders: Annotated[tuple[_Order, ...], Field(max_length=MOST_ORDERS)]


def parse_orders(body: bytes, now: datetime) -> tuple[Order, ...] | Unbelievable:
    """`{"orders": […]}` as Orders; `now` is our clock in UTC."""
    try:
        orders = tuple(row.as_order() for row in _Orders.model_validate_json(body).orders)
    except ValidationError as error:
        return Unbelievable(_first_fault(error))
    if len({order.order_id for order in orders}) < len(orders):
        return Unbelievable("names the same order twice")
    return next((Unbelievable(fact) for order in orders if (fact := contradiction(order, now))), orders)


def parse_order(body: bytes, now: datetime) -> Order | Unbelievable:
    """One order object as Order; `now` is our clock in UTC."""
    try:
        order = _Order.model_validate_json(body).as_order()
    except ValidationError as error:
        return Unbelievable(_first_fault(error))
    fact = contradiction(order, now)
    return Unbelievable(fact) if fact else order


def contradiction(order: Order, now: datetime) -> str | None:
    """What in a well-formed order can't be true at `now`, or None."""
    name, past = f"order {order.order_id}", order.as_of + OLDEST
    facts = (
        (order.as_of < now - OLDEST, "is older than 60 seconds (as_of)"),
        (order.as_of > now + OLDEST, "lies in the future (as_of): compare the clocks of both machines"),
        (order.placed_at > past, f"says that {name} will be placed in the future"),
        (order.status_changed_at > past, f"says that {name} will change in the future"),
        (order.status_changed_at < order.placed_at - OLDEST, f"says that {name} changed before it was placed"),
        (_outside(order.left_kitchen_at, order.placed_at, past), f"lets {name} leave the kitchen at a false time"),
        (_outside(order.delivered_at, order.left_kitchen_at or order.placed_at, past), f"delivers {name} at no time"),
        (
            _outside(order.expected_at, order.placed_at, past + FARTHEST),
            f"expects {name} at a time that makes no sense",
        ),
        (order.left_kitchen_at and order.status in IN_THE_KITCHEN, f"has {name} both in and out of the kitchen"),
        (order.delivered_at and order.status != OrderStatus.DELIVERED, f"has {name} delivered and {order.status}"),
    )
    return next((fact for wrong, fact in facts if wrong), None)


def _outside(moment: datetime | None, first: datetime, last: datetime) -> bool:
    return moment is not None and not first - OLDEST <= moment <= last


def _first_fault(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"])[:120]
    what = first["msg"].removeprefix("Value error, ").removeprefix("Input ")[:200]
    return f"has a wrong field {where}: {what}" if where else "is not the JSON of the order API"


def order_fields(order: Order) -> dict[str, object]:
    """An Order as the order API writes it: plain JSON values, times in UTC."""
    return {
        "order_id": order.order_id,
        "customer_id": order.customer_id,
        "status": order.status.value,
        "status_changed_at": order.status_changed_at.isoformat(),
        "version": order.version,
        "items": [{"name": item.name, "quantity": item.quantity, "diet": item.diet} for item in order.items],
        "total": {"amount": order.total_amount, "currency": order.total_currency},
        "placed_at": order.placed_at.isoformat(),
        "left_kitchen_at": order.left_kitchen_at and order.left_kitchen_at.isoformat(),
        "expected_at": order.expected_at and order.expected_at.isoformat(),
        "delivered_at": order.delivered_at and order.delivered_at.isoformat(),
        "courier_first_name": order.courier_first_name,
        "as_of": order.as_of.isoformat(),
    }
