"""The order system's memory: every row with the time from which it stood, so that any instant can be asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from engine_host.orders.port import OrderStatus

if TYPE_CHECKING:
    from engine_host.orders.port import Order

RECENT = timedelta(minutes=45)
"""How long an ended order is still listed among the active ones."""
ENDED = (OrderStatus.DELIVERED, OrderStatus.CANCELLED)
NEXT = {
    OrderStatus.PLACED: OrderStatus.PREPARING,
    OrderStatus.PREPARING: OrderStatus.PACKED,
    OrderStatus.PACKED: OrderStatus.OUT_FOR_DELIVERY,
    OrderStatus.OUT_FOR_DELIVERY: OrderStatus.DELIVERED,
}


@dataclass(frozen=True, slots=True)
class Version:
    """`order` as it stood from `since` on, until the next version."""

    since: datetime
    order: Order


class History:
    """All orders of all customers and all that ever was true of them. Times are UTC."""

    def __init__(self) -> None:
        self._versions: dict[str, list[Version]] = {}
        self._of_customer: dict[str, list[str]] = {}

    def add_customer(self, customer: str) -> None:
        self._of_customer.setdefault(customer, [])

    def knows(self, customer: str) -> bool:
        return customer in self._of_customer

    def add(self, order: Order, since: datetime) -> None:
        self._of_customer.setdefault(order.customer_id, []).append(order.order_id)
        self._versions[order.order_id] = [Version(since, order)]

    def order(self, order_id: str, at: datetime | None = None) -> Order | None:
        """The row at `at`, now when None; its `as_of` is that instant."""
        at = at or datetime.now(UTC)
        standing = [v for v in self._versions.get(order_id, ()) if v.since <= at]
        return replace(standing[-1].order, as_of=at) if standing else None

    def active(self, customer: str, at: datetime | None = None) -> tuple[Order, ...]:
        """The rows that a look-up of active orders gives at `at`."""
        at = at or datetime.now(UTC)
        rows = [row for order_id in self._of_customer.get(customer, ()) if (row := self.order(order_id, at))]
        return tuple(row for row in rows if row.status not in ENDED or at - row.status_changed_at < RECENT)

    def between(self, customer: str, first: datetime, last: datetime) -> tuple[Version, ...]:
        """Every version of the customer's orders that stood at some instant from `first` to `last`."""
        found: list[Version] = []
        for order_id in self._of_customer.get(customer, ()):
            versions = self._versions[order_id]
            ends = [later.since for later in versions[1:]] + [datetime.max.replace(tzinfo=UTC)]
            found += [v for v, end in zip(versions, ends, strict=True) if v.since <= last and end > first]
        return tuple(found)

    def instants(self, customer: str, first: datetime, last: datetime) -> tuple[datetime, ...]:
        """`first`, `last` and every instant between them at which an order of the customer changed."""
        changes = {v.since for v in self.between(customer, first, last) if first < v.since <= last}
        return tuple(sorted({first, last, *changes}))

    def moved_between(self, customer: str, first: datetime, last: datetime) -> bool:
        return any(first < v.since <= last for v in self.between(customer, first, last))

    def strangers_of(self, customer: str, order_id: str) -> bool:
        """Whether there is such an order and it is another customer's."""
        return order_id in self._versions and order_id not in self._of_customer.get(customer, ())

    def advance(self, order_id: str, *, cancel: bool = False) -> None:
        """The order goes on by one step now; an ended one, and every one on `cancel`, changes otherwise."""
        now = datetime.now(UTC)
        row = self.order(order_id, now)
        if row is None:
            raise KeyError(order_id)
        status = OrderStatus.CANCELLED if cancel else NEXT.get(row.status)
        changed = _promised_anew(row, now) if status is None or status is row.status else _moved(row, status, now)
        self._versions[order_id].append(Version(now, replace(changed, version=row.version + 1, as_of=now)))


def _moved(row: Order, status: OrderStatus, now: datetime) -> Order:
    left = now if status is OrderStatus.OUT_FOR_DELIVERY else row.left_kitchen_at
    return replace(
        row,
        status=status,
        status_changed_at=now,
        left_kitchen_at=left,
        delivered_at=now if status is OrderStatus.DELIVERED else None,
    )


def _promised_anew(row: Order, now: datetime) -> Order:
    return replace(row, expected_at=(row.expected_at or now) + timedelta(minutes=17))
