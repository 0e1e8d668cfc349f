"""The way of an order question: look up, write the statement, read again if stale. The model has no part in it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engine_host.answering.events import Stated, ToolCalled
from engine_host.answering.statements import write_statement
from engine_host.answering.way import WayEnd
from engine_host.orders.port import OrdersFound, OrdersUnavailable
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from engine_host.answering.way import TurnAtHand, WayItem
    from engine_host.orders.port import Order, OrderBook, OrderReading, VerifiedCustomer

MOST_NUMBERS = 3
CONTENTS_RULE = "what is in my box"


class OrderWay:
    """Answers from the order system. A statement is sent at most `max_age_s` after its row was read."""

    def __init__(self, book: OrderBook, max_age_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._book = book
        self._max_age_s = max_age_s
        self._clock = clock

    async def answer(self, turn: TurnAtHand) -> AsyncGenerator[WayItem, None]:
        """Yields ToolCalled and Stated events and one WayEnd."""
        if turn.customer is None:
            yield WayEnd(TurnOutcome.DOES_NOT_KNOW, turn.voice.say("not_verified"), turn.identity)
            return
        stated = 0
        end = WayEnd(TurnOutcome.DOES_NOT_KNOW)
        for order_id in turn.routed.order_ids[:MOST_NUMBERS] or (None,):
            reading = await self._read(turn.customer, order_id)
            yield _called(reading)
            if isinstance(reading, OrdersUnavailable):
                end = WayEnd(TurnOutcome.DOES_NOT_KNOW, turn.voice.say("order_system_down"), reading.reason)
                continue
            if not reading.orders:
                end = _nothing_found(turn, order_id)
            for order in reading.orders:
                async for item in self._state(turn, turn.customer, order, reading):
                    if isinstance(item, WayEnd):
                        end = item
                        continue
                    stated += isinstance(item, Stated)
                    yield item
        yield WayEnd(TurnOutcome.ORDER_STATED, end.say, end.why) if stated else end

    async def _read(self, customer: VerifiedCustomer, order_id: str | None) -> OrderReading:
        if order_id is None:
            return await self._book.active_orders(customer)
        return await self._book.order(customer, order_id)

    async def _state(
        self, turn: TurnAtHand, customer: VerifiedCustomer, order: Order, reading: OrdersFound
    ) -> AsyncGenerator[WayItem, None]:
        """State one row; a row older than the limit is read again first, and what it says then is stated."""
        reread = self._clock() - reading.read_at > self._max_age_s
        if reread:
            again = await self._book.order(customer, order.order_id)
            yield _called(again)
            if isinstance(again, OrdersUnavailable):
                yield WayEnd(TurnOutcome.DOES_NOT_KNOW, turn.voice.say("order_system_down"), again.reason)
                return
            if not again.orders:
                yield _nothing_found(turn, order.order_id)
                return
            order, reading = again.orders[0], again
        contents = turn.routed.order_rule == CONTENTS_RULE
        text = write_statement(order, turn.voice, with_contents=contents)
        yield Stated(text, order, max(0.0, self._clock() - reading.read_at), reread)


def _called(reading: OrderReading) -> ToolCalled:
    match reading:
        case OrdersFound():
            return ToolCalled(reading.request, reading.http_status, reading.orders, reading.elapsed_ms, "")
        case OrdersUnavailable():
            return ToolCalled(reading.request, reading.http_status, (), reading.elapsed_ms, reading.reason)


def _nothing_found(turn: TurnAtHand, order_id: str | None) -> WayEnd:
    if order_id is None:
        return WayEnd(TurnOutcome.ORDER_STATED, turn.voice.say("no_active_orders"), "The customer has no active order.")
    return WayEnd(
        TurnOutcome.DOES_NOT_KNOW,
        turn.voice.say("do_not_know_order"),
        f"The order system has no order {order_id} of this customer.",
    )
