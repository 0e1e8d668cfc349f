"""The last check before an order is stated: whatever a book says, only rows that may be true of this customer pass."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from engine_host.orders.port import OrdersFound, OrdersUnavailable
from engine_host.orders.wire import contradiction

if TYPE_CHECKING:
    from datetime import datetime

    from engine_host.orders.port import Order, OrderReading, VerifiedCustomer


def believed(
    reading: OrderReading, customer: VerifiedCustomer, prefix: str, order_id: str | None, now: datetime
) -> OrderReading:
    """`reading` itself when each of its rows may be stated to `customer` at `now` (UTC); else OrdersUnavailable.

    `prefix` begins the order numbers of the customer's tenant: tenants share one order system, which knows customers
    but no tenants, and a tenant can sign any customer's name. `order_id` is the number that was asked for, None for
    all active orders. One bad row spoils the whole reading.
    """
    if isinstance(reading, OrdersUnavailable):
        return reading
    fact = _fault(reading, customer, prefix, order_id, now)
    if not fact:
        return reading
    reason = f"The order system's answer {fact}. All of it was thrown away."
    return OrdersUnavailable(reason, reading.request, reading.http_status, reading.elapsed_ms)


def _fault(reading: OrdersFound, customer: VerifiedCustomer, prefix: str, order_id: str | None, now: datetime) -> str:
    if customer.expires_at <= now:
        return "came after the customer's identity had expired"
    if len({order.order_id for order in reading.orders}) < len(reading.orders):
        return "names the same order twice"
    if not all(order.order_id.startswith(prefix) for order in reading.orders):
        return f"holds an order whose number does not begin with {prefix}, as this tenant's do"
    return next((fact for order in reading.orders if (fact := _row_fault(order, customer, order_id, now))), "")


def _row_fault(order: Order, customer: VerifiedCustomer, order_id: str | None, now: datetime) -> str:
    if order.customer_id != customer.customer_id:
        return "holds an order of another customer"
    if order_id is not None and order.order_id != order_id:
        return "holds another order than the one asked for"
    if not isfinite(order.total_amount) or order.total_amount < 0:
        return f"gives order {order.order_id} a total that is no amount"
    return contradiction(order, now) or ""
