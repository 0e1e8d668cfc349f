"""A statement is of this moment, or it is not made: slow answers, slow consumers, versions that go backwards."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from engine_host.answering.events import ToolCalled
from engine_host.answering.way import WayEnd
from engine_host.orders.port import OrderStatus
from storage.records import TurnOutcome
from tests.engine_host.answering.order_turns import LUNCHES, MAX_AGE, at_hand, gather, many, says
from tests.fakes.answering import Clock, MemoryBook, found, order, unavailable, unmapped

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine_host.answering.order_way import OrderWay
    from engine_host.answering.way import WayItem
    from engine_host.orders.port import OrderReading


async def test_that_a_stale_row_is_read_again_and_the_new_one_stated(
    way: OrderWay, book: MemoryBook, clock: Clock
) -> None:
    before, after = order(), order(status=OrderStatus.DELIVERED, delivered_at=datetime.now(UTC))
    book.orders = [before]

    def slow_consumer(item: WayItem) -> None:
        if isinstance(item, ToolCalled) and len(book.asked) == 1:
            clock.now += MAX_AGE + 0.1
            book.orders = [after]

    calls, stated, _ = await gather(way.answer(at_hand("where is my dabba")), slow_consumer)
    assert [call.orders for call in calls] == [(before,), (after,)]
    assert [(s.order, s.age_s, s.reread) for s in stated] == [(after, 0.0, True)]
    assert "marked as delivered" in stated[0].text


async def test_that_a_row_at_the_limit_is_fresh_enough(way: OrderWay, book: MemoryBook, clock: Clock) -> None:
    book.lies = [found(order(), read_at=clock.now - MAX_AGE)]
    calls, stated, _ = await gather(way.answer(at_hand("where is my dabba")))
    assert (len(calls), stated[0].age_s, stated[0].reread) == (1, MAX_AGE, False)


async def test_that_an_order_never_leaves_older_than_the_limit_however_slow_the_consumer_is(
    way: OrderWay, book: MemoryBook, clock: Clock
) -> None:
    book.orders = [order()]

    def slow(item: WayItem) -> None:
        clock.now += MAX_AGE + 1

    calls, stated, end = await gather(way.answer(at_hand("where is my dabba")), slow)
    assert (len(calls), stated) == (3, [])
    assert (end.outcome, end.say) == (TurnOutcome.DOES_NOT_KNOW, says("order_system_down"))
    assert "too old to be told" in end.why


@pytest.mark.parametrize("age", [MAX_AGE + 0.001, 1e9, -0.5, float("nan")])
async def test_that_a_reading_whose_age_is_wrong_is_read_again(
    way: OrderWay, book: MemoryBook, clock: Clock, age: float
) -> None:
    book.lies = [found(order(), read_at=clock.now - age) for _ in range(3)]
    calls, stated, end = await gather(way.answer(at_hand("where is my dabba")))
    assert (len(calls), stated) == (3, [])
    assert end.outcome is TurnOutcome.DOES_NOT_KNOW


RELAPSES: dict[str, Callable[[], OrderReading]] = {
    "unavailable": unavailable,
    "gone": lambda: found(read_at=1000.0),
    "a version back": lambda: found(order(version=3), read_at=1000.0),
    "not mapped": lambda: unmapped("in_oven", read_at=1000.0),
    "another customer's": lambda: found(order(customer_id="C-9999"), read_at=1000.0),
    "another order": lambda: found(order(order_id="KD-9999"), read_at=1000.0),
}


@pytest.mark.parametrize("relapse", RELAPSES)
async def test_that_a_reading_that_fails_the_second_time_is_not_stated_from_the_first(
    way: OrderWay, book: MemoryBook, clock: Clock, relapse: str
) -> None:
    book.lies = [found(order(), read_at=clock.now - 60), RELAPSES[relapse]()]
    calls, stated, end = await gather(way.answer(at_hand("where is my dabba")))
    assert (len(calls), stated) == (2, [])
    assert (end.outcome, end.say) == (TurnOutcome.DOES_NOT_KNOW, says("order_system_down"))


async def test_that_what_is_told_of_all_orders_is_read_again_while_it_is_stale(
    way: OrderWay, book: MemoryBook, clock: Clock
) -> None:
    def slow_consumer(item: WayItem) -> None:
        if isinstance(item, ToolCalled) and len(book.asked) == 1:
            clock.now += MAX_AGE + 0.1
            book.orders = [order()]

    calls, stated, end = await gather(way.answer(at_hand("where is my dabba")), slow_consumer)
    assert [len(call.orders) for call in calls] == [0, 1]
    assert [s.order for s in stated] == book.orders
    assert end == WayEnd(TurnOutcome.ORDER_STATED)


@pytest.mark.parametrize("boxes", [(), LUNCHES], ids=["none", "many"])
async def test_that_what_is_told_of_all_orders_never_leaves_stale(
    way: OrderWay, book: MemoryBook, clock: Clock, boxes: tuple[str, ...]
) -> None:
    book.orders = many(*boxes)

    def slow(item: WayItem) -> None:
        clock.now += MAX_AGE + 1

    calls, stated, end = await gather(way.answer(at_hand("where is my dabba")), slow)
    assert (len(calls), stated) == (3, [])
    assert (end.outcome, end.say) == (TurnOutcome.DOES_NOT_KNOW, says("order_system_down"))
    assert "too old" in end.why


async def test_that_an_answer_that_took_too_long_is_asked_for_again(
    way: OrderWay, book: MemoryBook, clock: Clock
) -> None:
    """The age counts from the sending: the slow book answers with rows that were read when it was asked."""
    book.orders = [order()]
    waits = iter([MAX_AGE + 0.5, 0.0])
    book.before_answer = lambda: setattr(clock, "now", clock.now + next(waits))
    calls, stated, _ = await gather(way.answer(at_hand("where is my dabba")))
    assert (len(calls), stated[0].age_s, stated[0].reread) == (2, 0.0, True)


async def test_that_an_order_system_that_is_always_too_slow_ends_in_not_knowing(
    way: OrderWay, book: MemoryBook, clock: Clock
) -> None:
    book.orders = [order()]
    book.before_answer = lambda: setattr(clock, "now", clock.now + MAX_AGE + 0.5)
    _, stated, end = await gather(way.answer(at_hand("where is my dabba")))
    assert (stated, end.say) == ([], says("order_system_down"))


async def test_that_one_slow_number_does_not_make_the_others_stale(
    way: OrderWay, book: MemoryBook, clock: Clock
) -> None:
    book.orders = [order(order_id="KD-4821"), order(order_id="KD-5001")]

    def slow_once() -> None:
        clock.now += MAX_AGE + 0.5 if len(book.asked) == 2 else 0.1

    book.before_answer = slow_once
    _, stated, _ = await gather(way.answer(at_hand("KD-4821 and KD-5001?")))
    assert [(s.order and s.order.order_id, s.reread) for s in stated] == [("KD-4821", False), ("KD-5001", True)]
    assert all(s.age_s <= MAX_AGE for s in stated)


async def test_that_a_version_that_goes_backwards_is_not_believed(
    way: OrderWay, book: MemoryBook, clock: Clock
) -> None:
    book.lies = [found(order(version=5), read_at=clock.now - 60), found(order(version=4), read_at=clock.now)]
    calls, stated, end = await gather(way.answer(at_hand("where is my dabba")))
    assert (stated, end.say) == ([], says("order_system_down"))
    assert "back from version 5 to 4 within one turn" in calls[1].reason


async def test_that_a_version_that_stands_still_or_goes_on_is_stated_as_it_is_now(
    way: OrderWay, book: MemoryBook, clock: Clock
) -> None:
    for version in (5, 6):
        later = order(version=version, courier_first_name="Baban")
        book.lies = [found(order(version=5), read_at=clock.now - 60), found(later, read_at=clock.now)]
        _, stated, _ = await gather(way.answer(at_hand("where is my dabba")))
        assert [s.order for s in stated] == [later]
        assert "with Baban" in stated[0].text


async def test_that_each_turn_has_its_own_memory_of_versions(way: OrderWay, book: MemoryBook) -> None:
    for version in (5, 4):
        book.orders = [order(version=version)]
        _, stated, _ = await gather(way.answer(at_hand("where is my dabba")))
        assert len(stated) == 1
