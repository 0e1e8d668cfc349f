"""The way of an order question: look up, write the statement, read again if stale. The model has no part in it.

Every order fact leaves as a Stated event, at once: what is said at the end of a turn holds none, so that nothing that
takes long (another look-up, the articles, the ledger) can stand between the last check and the sending.
"""

from __future__ import annotations

import time
from contextlib import aclosing
from datetime import timedelta
from typing import TYPE_CHECKING

from engine_host.answering.order_reader import Freshness, OrderReader, wall_clock
from engine_host.answering.telling import Telling
from engine_host.answering.way import WayEnd
from engine_host.orders.clocks import CLOCK_TOLERANCE
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from datetime import datetime

    from engine_host.answering.way import TurnAtHand, WayItem
    from engine_host.orders.port import OrderBook


class OrderWay:
    """Answers from the order system. When a statement is sent, its look-up was sent at most `max_age_s` before.

    `clock` is monotonic seconds, as in `OrdersFound.read_at`; `wall_clock` is UTC; `clock_tolerance_s` is how far the
    order system's clock may be from it.
    """

    def __init__(
        self,
        book: OrderBook,
        max_age_s: float,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], datetime] = wall_clock,
        clock_tolerance_s: float = CLOCK_TOLERANCE.total_seconds(),
    ) -> None:
        self._book = book
        self._freshness = Freshness(max_age_s, clock, wall_clock, timedelta(seconds=clock_tolerance_s))

    async def answer(self, turn: TurnAtHand) -> AsyncGenerator[WayItem, None]:
        """Yields ToolCalled and Stated events and one WayEnd."""
        if turn.customer is None:
            yield _not_verified(turn, turn.identity)
            return
        if turn.customer.expires_at <= self._freshness.wall_clock():
            yield _not_verified(turn, "The customer's identity expired before the look-up.")
            return
        reader = OrderReader(self._book, turn.customer, turn.tenant.order_prefix, self._freshness)
        async with aclosing(Telling(turn, reader, self._freshness).tell()) as items:
            async for item in items:
                yield item


def _not_verified(turn: TurnAtHand, why: str) -> WayEnd:
    return WayEnd(TurnOutcome.DOES_NOT_KNOW, turn.voice.say("not_verified"), why)
