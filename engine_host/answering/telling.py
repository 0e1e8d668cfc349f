"""What is told of a customer's orders in one turn: each by its row, which of many is meant, that there is none."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine_host.answering.asking import asked_besides
from engine_host.answering.choosing import named_orders
from engine_host.answering.events import Stated
from engine_host.answering.names import unsaid_names
from engine_host.answering.order_reader import called, not_mapped
from engine_host.answering.statements import is_done, write_choice, write_none_active, write_statement
from engine_host.answering.way import WayEnd
from engine_host.orders.port import OrdersUnavailable
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from engine_host.answering.order_reader import Freshness, OrderReader
    from engine_host.answering.way import TurnAtHand, WayItem
    from engine_host.orders.port import Order, OrdersFound

NOT_FOUND = 404
MOST_STATED = 3
MOST_REREADS = 2


@dataclass(slots=True)
class _Tally:
    """What became of the orders of one turn; all but `stated` are sentences for staff."""

    stated: list[Order] = field(default_factory=list["Order"])
    told: bool = False
    unclear: list[str] = field(default_factory=list[str])
    missing: list[str] = field(default_factory=list[str])
    left_out: list[str] = field(default_factory=list[str])
    remarks: list[str] = field(default_factory=list[str])


class Telling:
    """One for each turn."""

    def __init__(self, turn: TurnAtHand, reader: OrderReader, freshness: Freshness) -> None:
        self._turn = turn
        self._reader = reader
        self._freshness = freshness
        self._asks = asked_besides(turn.question.text)
        self._tally = _Tally()

    async def tell(self) -> AsyncGenerator[WayItem, None]:
        """Yields ToolCalled and Stated events and one WayEnd."""
        asked = self._turn.routed.order_ids
        if len(asked) > MOST_STATED:
            self._tally.left_out.append(f"Only the first {MOST_STATED} of {len(asked)} order numbers were looked up.")
        parts = [self._numbered(order_id) for order_id in asked[:MOST_STATED]] or [self._active()]
        for part in parts:
            async with aclosing(part) as items:
                async for item in items:
                    yield item
        if self._turn.routed.of_before and self._is_over():
            async with aclosing(self._active()) as items:
                async for item in items:
                    yield item
        yield self._end()

    def _is_over(self) -> bool:
        """Whether nothing is to come of the orders that were told: another may be meant now."""
        return not self._tally.unclear and all(map(is_done, self._tally.stated))

    async def _numbered(self, order_id: str) -> AsyncGenerator[WayItem, None]:
        reading = await self._reader.read(order_id)
        yield called(reading)
        if isinstance(reading, OrdersUnavailable):
            unknown = self._tally.missing if reading.strangers else self._tally.unclear
            unknown.append(reading.reason)
            return
        self._tally.unclear += map(not_mapped, reading.unmapped)
        if not reading.orders and not reading.unmapped:
            self._tally.missing.append(f"The order system has no order {order_id} of this customer.")
        for order in reading.orders:
            async with aclosing(self._state(order, reading.read_at)) as items:
                async for item in items:
                    yield item

    async def _active(self) -> AsyncGenerator[WayItem, None]:
        """The active orders one by one, or one statement about all of them; it too is read again while it is stale."""
        for attempt in range(1 + MOST_REREADS):
            reading = await self._reader.read(None)
            yield called(reading)
            if isinstance(reading, OrdersUnavailable):
                self._tally.unclear.append(reading.reason)
                return
            chosen, about_all = self._chosen(reading)
            if not about_all:
                break
            if self._freshness.is_fresh(reading.read_at):
                self._tally.told = True
                yield Stated(about_all, None, self._freshness.age(reading.read_at), attempt > 0)
                break
        else:
            self._tally.unclear.append("The active orders were too old to be told, also after they were read again.")
            return
        self._tally.unclear += map(not_mapped, reading.unmapped)
        for order in chosen:
            async with aclosing(self._state(order, reading.read_at)) as items:
                async for item in items:
                    yield item

    def _chosen(self, reading: OrdersFound) -> tuple[tuple[Order, ...], str]:
        """The orders to be stated, or what is told about all of them instead."""
        stated = {order.order_id for order in self._tally.stated}
        orders, voice = tuple(order for order in reading.orders if order.order_id not in stated), self._turn.voice
        if stated and not orders:
            return (), ""
        if not orders and reading.http_status == NOT_FOUND:
            self._tally.unclear.append("The order system does not know this customer, or its address is wrong.")
            return (), ""
        if not orders:
            sent_at = self._freshness.asked(reading.read_at).sent_at
            return (), "" if reading.unmapped else write_none_active(sent_at, voice)
        named = named_orders(orders, self._turn.question.text, voice.zone)
        if len(orders) <= MOST_STATED:
            return named + tuple(order for order in orders if order not in named), ""
        return (named, "") if 0 < len(named) <= MOST_STATED else ((), write_choice(named or orders, voice))

    async def _state(self, order: Order, read_at: float) -> AsyncGenerator[WayItem, None]:
        """State one row; a row older than the limit is read again first, and what it says then is stated."""
        rereads = 0
        while not self._freshness.is_fresh(read_at):
            if rereads == MOST_REREADS:
                self._tally.unclear.append(f"Order {order.order_id} was too old to be told, also when read again.")
                return
            rereads += 1
            again = await self._reader.read(order.order_id)
            yield called(again)
            if isinstance(again, OrdersUnavailable):
                self._tally.unclear.append(again.reason)
                return
            if not again.orders:
                gone = f"The order system knew order {order.order_id} and a moment later did not."
                self._tally.unclear += list(map(not_mapped, again.unmapped)) or [gone]
                return
            order, read_at = again.orders[0], again.read_at
        text = write_statement(order, self._turn.voice, self._asks, tuple(self._tally.stated))
        self._tally.stated.append(order)
        self._tally.remarks += unsaid_names(order)
        yield Stated(text, order, self._freshness.age(read_at), rereads > 0)

    def _end(self) -> WayEnd:
        """What is not known is said so that it can't be read as speaking of an order that was stated."""
        tally, voice = self._tally, self._turn.voice
        unknown = [*tally.unclear, *tally.missing, *tally.left_out]
        why = " ".join([*unknown, *tally.remarks])
        if tally.stated or tally.told:
            say = voice.say("other_orders_not_known") if unknown else ""
            return WayEnd(TurnOutcome.ORDER_STATED, say, why)
        key = "order_system_down" if tally.unclear else "do_not_know_order"
        return WayEnd(TurnOutcome.DOES_NOT_KNOW, voice.say(key), why)
