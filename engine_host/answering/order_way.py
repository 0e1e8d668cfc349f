"""The way of an order question: look up, write the statement, read again if stale. The model has no part in it."""

from __future__ import annotations

import time
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from engine_host.answering.belief import believed
from engine_host.answering.events import Stated, ToolCalled
from engine_host.answering.route import asks_contents
from engine_host.answering.statements import write_statement
from engine_host.answering.way import WayEnd
from engine_host.orders.port import OrdersFound, OrdersUnavailable
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from engine_host.answering.way import TurnAtHand, WayItem
    from engine_host.orders.port import Order, OrderBook, OrderReading, VerifiedCustomer

NOT_FOUND = 404
MOST_NUMBERS = 3
MOST_STATED = 5
MOST_REREADS = 2


def _wall_clock() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class _Tally:
    """What became of the orders of one turn. `down`, `missing` and `left_out` are sentences for staff."""

    stated: int = 0
    down: list[str] = field(default_factory=list[str])
    missing: list[str] = field(default_factory=list[str])
    left_out: list[str] = field(default_factory=list[str])
    none_active_at: float | None = None


class OrderWay:
    """Answers from the order system. A statement is sent at most `max_age_s` after its row was read.

    `clock` is monotonic seconds, as in `OrdersFound.read_at`; `wall_clock` is UTC.
    """

    def __init__(
        self,
        book: OrderBook,
        max_age_s: float,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], datetime] = _wall_clock,
    ) -> None:
        self._book = book
        self._max_age_s = max_age_s
        self._clock = clock
        self._wall_clock = wall_clock

    async def answer(self, turn: TurnAtHand) -> AsyncGenerator[WayItem, None]:
        """Yields ToolCalled and Stated events and one WayEnd."""
        if turn.customer is None:
            yield _not_verified(turn, turn.identity)
            return
        if turn.customer.expires_at <= self._wall_clock():
            yield _not_verified(turn, "The customer's identity expired before the look-up.")
            return
        tally = _Tally()
        asked = turn.routed.order_ids
        if len(asked) > MOST_NUMBERS:
            tally.left_out.append(f"Only the first {MOST_NUMBERS} of {len(asked)} order numbers were looked up.")
        for order_id in asked[:MOST_NUMBERS] or (None,):
            async with aclosing(self._look_up(turn, turn.customer, order_id, tally)) as items:
                async for item in items:
                    yield item
        yield _end(turn, tally)

    async def still_true(self, turn: TurnAtHand, end: WayEnd) -> AsyncGenerator[WayItem, None]:
        """`end`, unless "no active order" was read too long ago: then everything is read again, once."""
        if end.read_at is None or self._is_fresh(end.read_at):
            yield end
            return
        async with aclosing(self.answer(turn)) as items:
            async for item in items:
                if isinstance(item, WayEnd) and item.read_at is not None and not self._is_fresh(item.read_at):
                    yield _down(turn, "The order system's answer was too old by the time it could be sent.")
                else:
                    yield item

    async def _look_up(
        self, turn: TurnAtHand, customer: VerifiedCustomer, order_id: str | None, tally: _Tally
    ) -> AsyncGenerator[WayItem, None]:
        reading = await self._read(turn, customer, order_id)
        yield _called(reading)
        if isinstance(reading, OrdersUnavailable):
            tally.down.append(reading.reason)
            return
        if not reading.orders and order_id is None and reading.http_status == NOT_FOUND:
            tally.missing.append("The order system does not know this customer, or its address in Settings is wrong.")
        elif not reading.orders and order_id is None:
            tally.none_active_at = reading.read_at
        elif not reading.orders:
            tally.missing.append(f"The order system has no order {order_id} of this customer.")
        if len(reading.orders) > MOST_STATED:
            tally.left_out.append(f"Only {MOST_STATED} of {len(reading.orders)} active orders were stated.")
        for order in reading.orders[:MOST_STATED]:
            async with aclosing(self._state(turn, customer, order, reading.read_at, tally)) as items:
                async for item in items:
                    yield item

    async def _read(self, turn: TurnAtHand, customer: VerifiedCustomer, order_id: str | None) -> OrderReading:
        if order_id is None:
            reading = await self._book.active_orders(customer)
        else:
            reading = await self._book.order(customer, order_id)
        return believed(reading, customer, turn.tenant.order_prefix, order_id, self._wall_clock())

    async def _state(
        self, turn: TurnAtHand, customer: VerifiedCustomer, order: Order, read_at: float, tally: _Tally
    ) -> AsyncGenerator[WayItem, None]:
        """State one row; a row older than the limit is read again first, and what it says then is stated."""
        rereads = 0
        while not self._is_fresh(read_at):
            if rereads == MOST_REREADS:
                tally.down.append(f"Order {order.order_id} was too old to be stated, also after it was read again.")
                return
            rereads += 1
            again = await self._read(turn, customer, order.order_id)
            yield _called(again)
            if isinstance(again, OrdersUnavailable):
                tally.down.append(again.reason)
                return
            if not again.orders:
                tally.down.append(f"The order system knew order {order.order_id} and a moment later did not.")
                return
            order, read_at = again.orders[0], again.read_at
        text = write_statement(order, turn.voice, with_contents=asks_contents(turn.question.text))
        tally.stated += 1
        yield Stated(text, order, self._clock() - read_at, rereads > 0)

    def _is_fresh(self, read_at: float) -> bool:
        """A reading from the future is not fresh: its age is not known."""
        return 0 <= self._clock() - read_at <= self._max_age_s


def _called(reading: OrderReading) -> ToolCalled:
    match reading:
        case OrdersFound():
            return ToolCalled(reading.request, reading.http_status, reading.orders, reading.elapsed_ms, "")
        case OrdersUnavailable():
            return ToolCalled(reading.request, reading.http_status, (), reading.elapsed_ms, reading.reason)


def _end(turn: TurnAtHand, tally: _Tally) -> WayEnd:
    """What is not known is said so that it can't be read as speaking of an order that was stated."""
    why = " ".join([*tally.down, *tally.missing, *tally.left_out])
    if tally.stated:
        return WayEnd(TurnOutcome.ORDER_STATED, turn.voice.say("other_orders_not_known") if why else "", why)
    if tally.down:
        return _down(turn, why)
    if tally.missing:
        return WayEnd(TurnOutcome.DOES_NOT_KNOW, turn.voice.say("do_not_know_order"), why)
    say, why = turn.voice.say("no_active_orders"), "The customer has no active order."
    return WayEnd(TurnOutcome.ORDER_STATED, say, why, tally.none_active_at)


def _not_verified(turn: TurnAtHand, why: str) -> WayEnd:
    return WayEnd(TurnOutcome.DOES_NOT_KNOW, turn.voice.say("not_verified"), why)


def _down(turn: TurnAtHand, why: str) -> WayEnd:
    return WayEnd(TurnOutcome.DOES_NOT_KNOW, turn.voice.say("order_system_down"), why)
