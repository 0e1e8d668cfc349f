"""The order API's JSON, read strictly: bytes -> Order, or the fact that makes the answer unbelievable. Pure.

One wrong row spoils the whole answer: who sends one order of a stranger may have mixed up the others as well. A status
word that nobody has mapped is no wrong row: only that order is not known.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Final, cast
from unicodedata import category

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError

from engine_host.orders.dialect import OURS
from engine_host.orders.port import Order, OrderItem, OrderStatus, UnmappedOrder

if TYPE_CHECKING:
    from engine_host.orders.clocks import Asked
    from engine_host.orders.dialect import Dialect

SLACK: Final = timedelta(seconds=60)
"""How far two times of one order may lie from each other the wrong way round."""
FARTHEST: Final = timedelta(days=366)
MOST_ORDERS: Final = 200
JOINERS: Final = "\u200c\u200d"  # Devanagari needs them
NUMBER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9#/_-]{0,39}", re.ASCII)
MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)", re.ASCII)
IN_THE_KITCHEN: Final = frozenset({OrderStatus.PLACED, OrderStatus.PREPARING, OrderStatus.PACKED})


@dataclass(frozen=True, slots=True)
class Unbelievable:
    """Why an answer is thrown away: a clause for staff that goes on after "the order system's answer".

    `strangers`: because it is somebody else's.
    """

    fact: str
    strangers: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """What one answer says."""

    orders: tuple[Order, ...] = ()
    unmapped: tuple[UnmappedOrder, ...] = ()


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
    status: Line
    status_changed_at: Moment
    version: int = Field(ge=0, le=2**63)
    items: Annotated[list[_Item], Field(min_length=1, max_length=500)]
    total: _Total
    placed_at: Moment
    left_kitchen_at: Moment | None
    expected_at: Moment | None
    delivered_at: Moment | None
    courier_first_name: Line | None
    as_of: Moment

    def as_order(self, status: OrderStatus) -> Order:
        return Order(
            order_id=self.order_id,
            customer_id=self.customer_id,
            status=status,
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


def parse_orders(body: bytes, asked: Asked, dialect: Dialect = OURS) -> Rows | Unbelievable:
    """`{"orders": […]}` as Rows."""
    said = _json(body)
    if isinstance(said, Unbelievable):
        return said
    listed = dialect.orders_in(said)
    if not isinstance(listed, list):
        return Unbelievable(f"is not the JSON of the order API: it has no list {dialect.name('orders')}")
    listed = cast("list[object]", listed)
    if len(listed) > MOST_ORDERS:
        return Unbelievable(f"has {len(listed):,} orders of one customer, more than {MOST_ORDERS}")
    return _rows(listed, asked, dialect)


def parse_order(body: bytes, asked: Asked, dialect: Dialect = OURS) -> Rows | Unbelievable:
    """One order object as Rows with one row."""
    said = _json(body)
    return said if isinstance(said, Unbelievable) else _rows([dialect.order_in(said)], asked, dialect)


def _json(body: bytes) -> object:
    """What `body` says; None when it is no JSON, Unbelievable when an object has a name twice: either may be meant."""
    try:
        return json.loads(body.decode(), object_pairs_hook=_said_once)
    except _SaidTwice as error:
        return Unbelievable(f"says {error} twice in one object")
    except (ValueError, RecursionError):
        return None


class _SaidTwice(ValueError):
    """A name that one JSON object has more than once."""


def _said_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    said: dict[str, object] = {}
    for name, value in pairs:
        if name in said:
            raise _SaidTwice(json.dumps(name[:60]))
        said[name] = value
    return said


def _rows(listed: list[object], asked: Asked, dialect: Dialect) -> Rows | Unbelievable:
    rows = [_row(theirs, asked, dialect) for theirs in listed]
    if spoilt := next((row for row in rows if isinstance(row, Unbelievable)), None):
        return spoilt
    orders = tuple(row for row in rows if isinstance(row, Order))
    unmapped = tuple(row for row in rows if isinstance(row, UnmappedOrder))
    if len({row.order_id for row in (*orders, *unmapped)}) < len(rows):
        return Unbelievable("names the same order twice")
    return Rows(orders, unmapped)


def _row(theirs: object, asked: Asked, dialect: Dialect) -> Order | UnmappedOrder | Unbelievable:
    try:
        row = _Order.model_validate(dialect.row(theirs))
    except ValidationError as error:
        return Unbelievable(_first_fault(error, dialect))
    if fact := asked.fault(row.as_of):
        return Unbelievable(fact)
    status = dialect.status(row.status)
    if status is None:
        return UnmappedOrder(row.order_id, row.customer_id, row.status)
    order = row.as_order(status)
    fact = contradiction(order)
    return Unbelievable(fact) if fact else order


def contradiction(order: Order) -> str | None:
    """What in a well-formed order can't be true together, or None."""
    name, past = f"order {order.order_id}", order.as_of + SLACK
    facts = (
        (not NUMBER.fullmatch(order.order_id), "has an order number of other characters than letters, digits, - and /"),
        (order.placed_at > past, f"says that {name} will be placed in the future"),
        (order.status_changed_at > past, f"says that {name} will change in the future"),
        (order.status_changed_at < order.placed_at - SLACK, f"says that {name} changed before it was placed"),
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
    return moment is not None and not first - SLACK <= moment <= last


def _first_fault(error: ValidationError, dialect: Dialect) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    own = ".".join(part for part in first["loc"] if isinstance(part, str))[:120]
    if not own:
        return "is not the JSON of the order API: an order is no object"
    theirs = dialect.name(own)
    where = theirs if theirs == own else f"{theirs} (our {own})"
    if first["type"] == "missing":
        return f"has an order without the field {where}"
    return f"has a wrong field {where}: {first['msg'].removeprefix('Value error, ').removeprefix('Input ')[:200]}"


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
