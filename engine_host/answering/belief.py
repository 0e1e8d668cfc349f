"""The last check before an order is stated: whatever a book says, only rows that may be true of this customer pass."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from engine_host.orders.port import OrdersFound, OrdersUnavailable
from engine_host.orders.wire import contradiction

if TYPE_CHECKING:
    from engine_host.orders.clocks import Asked
    from engine_host.orders.port import Order, OrderReading, VerifiedCustomer


def believed(
    reading: OrderReading, customer: VerifiedCustomer, prefix: str, order_id: str | None, asked: Asked
) -> OrderReading:
    """`reading` itself when each of its rows may be stated to `customer`; else OrdersUnavailable.

    `prefix` begins the order numbers of the customer's tenant: tenants share one order system, which knows customers
    but no tenants, and a tenant can sign any customer's name. `order_id` is the number that was asked for, None for
    all active orders. `asked` is when. One bad row spoils the whole reading.
    """
    if isinstance(reading, OrdersUnavailable):
        return reading
    if customer.expires_at <= asked.answered_at:
        return thrown_away(reading, "came after the customer's identity had expired")
    if fact := _of_somebody_else(reading, customer, prefix):
        return thrown_away(reading, fact, strangers=True)
    return thrown_away(reading, _fault(reading, order_id, asked))


def thrown_away(reading: OrdersFound, fact: str, *, strangers: bool = False) -> OrderReading:
    """The reading when there is nothing against it; else what is told instead. `fact` is a clause."""
    if not fact:
        return reading
    reason = f"The order system's answer {fact}. All of it was thrown away."
    return OrdersUnavailable(reason, reading.request, reading.http_status, reading.elapsed_ms, strangers)


def _of_somebody_else(reading: OrdersFound, customer: VerifiedCustomer, prefix: str) -> str:
    rows = (*reading.orders, *reading.unmapped)
    if not all(row.order_id.startswith(prefix) for row in rows):
        return f"holds an order whose number does not begin with {prefix}, as this tenant's do"
    if any(row.customer_id != customer.customer_id for row in rows):
        return "holds an order of another customer"
    return ""


def _fault(reading: OrdersFound, order_id: str | None, asked: Asked) -> str:
    rows = (*reading.orders, *reading.unmapped)
    if len({row.order_id for row in rows}) < len(rows):
        return "names the same order twice"
    if order_id is not None and any(row.order_id != order_id for row in rows):
        return "holds another order than the one asked for"
    return next((fact for order in reading.orders if (fact := _row_fault(order, asked))), "")


def _row_fault(order: Order, asked: Asked) -> str:
    if not isfinite(order.total_amount) or order.total_amount < 0:
        return f"gives order {order.order_id} a total that is no amount"
    return asked.fault(order.as_of) or contradiction(order) or ""
