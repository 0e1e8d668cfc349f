"""What this program knows of the kitchen's order system: the Order record and the OrderBook that reads it.

Orders are never kept. An Order lives for the turn that looked it up.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol


class OrderStatus(StrEnum):
    PLACED = "placed"
    PREPARING = "preparing"
    PACKED = "packed"
    OUT_FOR_DELIVERY = "out_for_delivery"
    DELIVERED = "delivered"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class OrderItem:
    name: str
    quantity: int
    diet: str


@dataclass(frozen=True, slots=True)
class Order:
    """One row of the order system. Times are aware UTC; `as_of` is the order system's own clock at the reading."""

    order_id: str
    customer_id: str
    status: OrderStatus
    status_changed_at: datetime
    version: int
    items: tuple[OrderItem, ...]
    total_amount: float
    total_currency: str
    placed_at: datetime
    left_kitchen_at: datetime | None
    expected_at: datetime | None
    delivered_at: datetime | None
    courier_first_name: str | None
    as_of: datetime


@dataclass(frozen=True, slots=True)
class UnmappedOrder:
    """A row whose status word has no meaning in the settings: all that may be said of it is that it is not known."""

    order_id: str
    customer_id: str
    word: str


@dataclass(frozen=True, slots=True)
class VerifiedCustomer:
    """A customer whose identity code verified. Made only by identity.py; the model never sees or chooses it."""

    tenant_id: str
    customer_id: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class OrdersFound:
    """The look-up answered. Neither `orders` nor `unmapped`: no active order, or no such order of this customer.

    `read_at` is our monotonic clock (seconds) when the request was sent: the age of the fact counts from there, so
    that a slow answer is an old one. `request` is the request line as sent, for the tool card; `http_status` what
    came back.
    """

    orders: tuple[Order, ...]
    request: str
    http_status: int
    read_at: float
    elapsed_ms: float
    unmapped: tuple[UnmappedOrder, ...] = ()


@dataclass(frozen=True, slots=True)
class OrdersUnavailable:
    """The look-up gave nothing that may be believed. `reason` is a sentence for staff: subject + fact + reason.

    `strangers`: what came back is somebody else's, so that to this customer there is no such order.
    """

    reason: str
    request: str
    http_status: int | None
    elapsed_ms: float
    strangers: bool = False


OrderReading = OrdersFound | OrdersUnavailable


class OrderBook(Protocol):
    """Reads orders of one verified customer. Never raises for a failing order system: it answers OrdersUnavailable."""

    async def active_orders(self, customer: VerifiedCustomer) -> OrderReading: ...

    async def order(self, customer: VerifiedCustomer, order_id: str) -> OrderReading:
        """One order by its number; an order of someone else and one that does not exist: `orders` is empty."""
        ...
