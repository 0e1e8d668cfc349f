"""Reads the orders of one customer for one turn, and believes only what may be true now."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import TYPE_CHECKING

from engine_host.answering.belief import believed, thrown_away
from engine_host.answering.events import ToolCalled
from engine_host.orders.clocks import Asked
from engine_host.orders.port import OrdersFound, OrdersUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine_host.orders.port import OrderBook, OrderReading, UnmappedOrder, VerifiedCustomer


def wall_clock() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Freshness:
    """`max_age_s`: how long ago a row may have been asked for when it is stated. `clock` is monotonic seconds, as in
    `OrdersFound.read_at`; `wall_clock` is UTC; `tolerance` is how far the order system's clock may be from it."""

    max_age_s: float
    clock: Callable[[], float]
    wall_clock: Callable[[], datetime]
    tolerance: timedelta

    def age(self, read_at: float) -> float:
        return self.clock() - read_at

    def is_fresh(self, read_at: float) -> bool:
        """A reading from the future is not fresh: its age is not known."""
        return 0 <= self.age(read_at) <= self.max_age_s

    def asked(self, read_at: float) -> Asked:
        """The look-up that was sent at `read_at` and has answered now, on the wall clock."""
        now, age = self.wall_clock(), self.age(read_at)
        return Asked(now - timedelta(seconds=max(age, 0.0) if isfinite(age) else 0.0), now, self.tolerance)


class OrderReader:
    """One for each turn: a version that goes backwards between two readings of it is a lie."""

    def __init__(self, book: OrderBook, customer: VerifiedCustomer, prefix: str, freshness: Freshness) -> None:
        self._book = book
        self._customer = customer
        self._prefix = prefix
        self._freshness = freshness
        self._versions: dict[str, int] = {}

    async def read(self, order_id: str | None) -> OrderReading:
        """One order by its number, or all active ones for None."""
        if order_id is None:
            reading = await self._book.active_orders(self._customer)
        else:
            reading = await self._book.order(self._customer, order_id)
        if isinstance(reading, OrdersUnavailable):
            return reading
        asked = self._freshness.asked(reading.read_at)
        reading = believed(reading, self._customer, self._prefix, order_id, asked)
        return reading if isinstance(reading, OrdersUnavailable) else thrown_away(reading, self._step_back(reading))

    def _step_back(self, reading: OrdersFound) -> str:
        """The clause about a version that is older than one seen in this turn; else the versions are noted."""
        for order in reading.orders:
            seen = self._versions.get(order.order_id, order.version)
            if order.version < seen:
                return f"takes order {order.order_id} back from version {seen} to {order.version} within one turn"
        self._versions |= {order.order_id: order.version for order in reading.orders}
        return ""


def called(reading: OrderReading) -> ToolCalled:
    """The reading as an event."""
    if isinstance(reading, OrdersUnavailable):
        return ToolCalled(reading.request, reading.http_status, (), reading.elapsed_ms, reading.reason)
    return ToolCalled(
        reading.request,
        reading.http_status,
        reading.orders,
        reading.elapsed_ms,
        " ".join(map(not_mapped, reading.unmapped)),
        tuple(row.word.strip() for row in reading.unmapped),
    )


def not_mapped(row: UnmappedOrder) -> str:
    """What staff read about a status word that nobody has mapped: which word, and where it belongs."""
    word = json.dumps(row.word.strip(), ensure_ascii=False)
    return (
        f"Order {row.order_id} has the status {word}, which has no meaning here yet. Give it one in Settings, in the "
        f'row "Status words" of "Order system", or under [orders.statuses] in settings.toml, such as '
        f'{word} = "preparing".'
    )
