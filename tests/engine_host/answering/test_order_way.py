"""An order fact is stated only when it is true, of this customer: whatever the order system does."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_host.answering.events import Stated, ToolCalled
from engine_host.answering.order_way import OrderWay
from engine_host.answering.statements import write_none_active, write_statement
from engine_host.answering.way import WayEnd
from engine_host.orders.port import OrderStatus, VerifiedCustomer
from storage.records import TurnOutcome
from tests.engine_host.answering.order_turns import MAX_AGE, at_hand, gather, says
from tests.fakes.answering import CUSTOMER, Clock, MemoryBook, found, order, unavailable, unmapped, voice

if TYPE_CHECKING:
    from engine_host.answering.way import WayItem
    from engine_host.orders.port import Order, OrderReading


async def test_that_the_active_order_is_stated_from_its_row(way: OrderWay, book: MemoryBook) -> None:
    row = order()
    book.orders = [row]
    calls, stated, end = await gather(way.answer(at_hand("where is my dabba")))
    assert [call.orders for call in calls] == [(row,)]
    assert [(s.order, s.age_s, s.reread) for s in stated] == [(row, 0.0, False)]
    assert "left the kitchen" in stated[0].text
    assert end == WayEnd(TurnOutcome.ORDER_STATED)


async def test_that_the_look_up_is_for_the_verified_customer(way: OrderWay, book: MemoryBook) -> None:
    await gather(way.answer(at_hand("where is my dabba of customer C-9999")))
    await gather(way.answer(at_hand("where is KD-5001, i am C-9999")))
    assert book.asked == [(CUSTOMER, None), (CUSTOMER, "KD-5001")]


async def test_that_nobody_unverified_causes_a_look_up(way: OrderWay, book: MemoryBook) -> None:
    calls, stated, end = await gather(way.answer(at_hand("KD-4821", verified=False)))
    assert (calls, stated, book.asked) == ([], [], [])
    assert (end.outcome, end.say) == (TurnOutcome.DOES_NOT_KNOW, says("not_verified"))
    assert "there is no token" in end.why


async def test_that_several_active_orders_are_each_stated(way: OrderWay, book: MemoryBook) -> None:
    book.orders = [order(), order(order_id="KD-4822", status=OrderStatus.PACKED, left_kitchen_at=None)]
    _, stated, end = await gather(way.answer(at_hand("where is my dabba")))
    assert [s.order and s.order.order_id for s in stated] == ["KD-4821", "KD-4822"]
    assert [s.text.startswith("And your ") for s in stated] == [False, True]
    assert end.say == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("what is in my box", "In the box: 1 × Low-sugar lunch."),
        ("what is in my order KD-4821", "In the box: 1 × Low-sugar lunch."),
        ("how much did i pay for KD-4821", "The total of this order is Rs 160."),
        ("who is bringing my dabba", "left the kitchen at"),
    ],
)
async def test_that_what_is_asked_besides_is_told(way: OrderWay, book: MemoryBook, text: str, said: str) -> None:
    book.orders = [order()]
    _, stated, _ = await gather(way.answer(at_hand(text)))
    assert said in stated[0].text
    assert "with Ravi" in stated[0].text


async def test_that_no_active_order_is_said_as_such_at_once(book: MemoryBook, clock: Clock) -> None:
    noon = datetime(2026, 11, 30, 7, 11, 7, tzinfo=UTC)
    book.before_answer = lambda: setattr(clock, "now", clock.now + 2)
    way = OrderWay(book, MAX_AGE, clock, lambda: noon)
    turn = replace(at_hand("where is my dabba"), customer=VerifiedCustomer("kamala", CUSTOMER, noon + timedelta(1)))
    _, stated, end = await gather(way.answer(turn))
    assert [(s.text, s.order, s.age_s, s.reread) for s in stated] == [
        (write_none_active(noon - timedelta(seconds=2), voice()), None, 2.0, False)
    ]
    assert stated[0].text.startswith("As of 12:41:05 we do not see an active order")
    assert end == WayEnd(TurnOutcome.ORDER_STATED)


async def test_that_an_order_of_someone_else_reads_like_an_unknown_one(way: OrderWay, book: MemoryBook) -> None:
    book.orders = [order(order_id="KD-5001", customer_id="C-9999")]
    ends = [(await gather(way.answer(at_hand(f"where is {number}"))))[2] for number in ("KD-5001", "KD-6666")]
    assert ends[0].say == ends[1].say == says("do_not_know_order")
    assert ends[0].outcome == ends[1].outcome == TurnOutcome.DOES_NOT_KNOW


STRANGERS: dict[str, Any] = {"customer": {"customer_id": "C-9999"}, "tenant": {"order_id": "AR-3107"}}


@pytest.mark.parametrize("whose", STRANGERS)
async def test_that_a_careless_order_system_does_not_give_away_a_number(
    way: OrderWay, book: MemoryBook, whose: str
) -> None:
    book.lies = [found(order(**STRANGERS[whose]), read_at=1000.0)]
    calls, stated, end = await gather(way.answer(at_hand("where is KD-4821")))
    assert (stated, calls[0].orders) == ([], ())
    assert (end.outcome, end.say) == (TurnOutcome.DOES_NOT_KNOW, says("do_not_know_order"))
    assert "All of it was thrown away." in end.why


def rows_that_lie() -> dict[str, tuple[Order, str]]:
    """Made when a test runs: a row is believed for seconds."""
    now = datetime.now(UTC)
    return {
        "another customer": (order(customer_id="C-9999"), "an order of another customer"),
        "no customer": (order(customer_id=""), "an order of another customer"),
        "nan": (order(total_amount=float("nan")), "a total that is no amount"),
        "infinite": (order(total_amount=float("inf")), "a total that is no amount"),
        "negative": (order(total_amount=-1.0), "a total that is no amount"),
        "old": (order(now - timedelta(hours=1)), "60 min before we asked"),
        "kept": (order(now - timedelta(seconds=10)), "it is a kept copy, or one clock is wrong"),
        "future": (order(as_of=now + timedelta(hours=1)), "60 min after it was here"),
        "odd number": (order(order_id="KD-4821. It was delivered"), "an order number of other characters"),
        "delivered and not": (order(delivered_at=now), "delivered and out_for_delivery"),
    }


@pytest.mark.parametrize("lie", rows_that_lie())
@pytest.mark.parametrize("text", ["where is my dabba"])
async def test_that_a_lie_is_never_stated(way: OrderWay, book: MemoryBook, lie: str, text: str) -> None:
    row, fact = rows_that_lie()[lie]
    book.lies = [found(row, read_at=1000.0)]
    calls, stated, end = await gather(way.answer(at_hand(text)))
    assert stated == []
    assert [call.orders for call in calls] == [()]
    assert fact in calls[0].reason
    assert fact in end.why
    assert (end.outcome, end.say) == (TurnOutcome.DOES_NOT_KNOW, says("order_system_down"))


async def test_that_another_order_than_the_one_asked_for_is_not_stated(way: OrderWay, book: MemoryBook) -> None:
    book.lies = [found(order(order_id="KD-9999"), read_at=1000.0)]
    _, stated, end = await gather(way.answer(at_hand("KD-4821")))
    assert stated == []
    assert "another order than the one asked for" in end.why


async def test_that_one_row_of_a_stranger_spoils_the_list(way: OrderWay, book: MemoryBook) -> None:
    book.lies = [found(order(), order(order_id="KD-5001", customer_id="C-9999"), read_at=1000.0)]
    _, stated, end = await gather(way.answer(at_hand("where is my dabba")))
    assert (stated, end.say) == ([], says("order_system_down"))


async def test_that_an_order_named_twice_is_not_believed(way: OrderWay, book: MemoryBook) -> None:
    book.lies = [found(order(), order(status=OrderStatus.CANCELLED), read_at=1000.0)]
    _, stated, end = await gather(way.answer(at_hand("where is my dabba")))
    assert (stated, end.say) == ([], says("order_system_down"))
    assert "the same order twice" in end.why


async def test_that_an_expired_identity_causes_no_look_up(way: OrderWay, book: MemoryBook) -> None:
    _, stated, end = await gather(way.answer(at_hand("where is my dabba", expires_in_s=-1)))
    assert (stated, book.asked, end.say) == ([], [], says("not_verified"))


async def test_that_an_identity_that_expires_during_the_look_up_ends_the_answer(book: MemoryBook, clock: Clock) -> None:
    book.orders = [order()]
    now = [datetime.now(UTC)]
    way = OrderWay(book, MAX_AGE, clock, lambda: now[0])

    def an_hour_passes() -> None:
        now[0] += timedelta(hours=1)

    book.before_answer = an_hour_passes
    _, stated, end = await gather(way.answer(at_hand("where is my dabba")))
    assert stated == []
    assert "identity had expired" in end.why


@pytest.mark.parametrize("text", ["where is my dabba", "KD-4821"])
async def test_that_a_failing_order_system_ends_in_not_knowing(way: OrderWay, book: MemoryBook, text: str) -> None:
    book.down = True
    calls, stated, end = await gather(way.answer(at_hand(text)))
    assert stated == []
    assert calls[0].reason == end.why == unavailable().reason
    assert (end.outcome, end.say) == (TurnOutcome.DOES_NOT_KNOW, says("order_system_down"))


@pytest.mark.parametrize("other", [unavailable(), found(read_at=1000.0)], ids=["down", "unknown"])
@pytest.mark.parametrize("first", [True, False])
async def test_that_not_knowing_one_order_does_not_speak_of_the_stated_one(
    way: OrderWay, book: MemoryBook, other: OrderReading, first: bool
) -> None:
    known = found(order(order_id="KD-4821" if first else "KD-5001"), read_at=1000.0)
    book.lies = [known, other] if first else [other, known]
    _, stated, end = await gather(way.answer(at_hand("KD-4821 and KD-5001?")))
    assert len(stated) == 1
    assert (end.outcome, end.say) == (TurnOutcome.ORDER_STATED, says("other_orders_not_known"))
    assert end.why


@pytest.mark.parametrize("first", [True, False])
async def test_that_an_order_that_could_not_be_read_is_not_called_unknown(
    way: OrderWay, book: MemoryBook, first: bool
) -> None:
    book.lies = [unavailable(), found(read_at=1000.0)] if first else [found(read_at=1000.0), unavailable()]
    _, _, end = await gather(way.answer(at_hand("KD-4821 and KD-5001?")))
    assert end.say == says("order_system_down")


KINDS = ["fresh", "stale", "kept", "stranger", "other number", "empty", "down", "nan", "twice", "unmapped", "back"]


def reading(kind: str, clock: Clock, version: int, order_id: str) -> OrderReading:
    row, now = order(version=version, order_id=order_id), clock.now
    readings: dict[str, OrderReading] = {
        "fresh": found(row, read_at=now),
        "stale": found(row, read_at=now - MAX_AGE - 1),
        "kept": found(replace(row, as_of=row.as_of - timedelta(seconds=30)), read_at=now),
        "back": found(replace(row, version=0), read_at=now),
        "unmapped": unmapped("in_oven", order_id=order_id, read_at=now),
        "stranger": found(replace(row, customer_id="C-9999"), read_at=now),
        "other number": found(replace(row, order_id="KD-9999"), read_at=now),
        "empty": found(read_at=now),
        "down": unavailable(),
        "nan": found(replace(row, total_amount=float("nan")), read_at=now),
        "twice": found(row, replace(row, status=OrderStatus.CANCELLED), read_at=now),
    }
    return readings[kind]


@given(
    st.sampled_from(["KD-4821", "where is my dabba", "KD-4821 or KD-4822 or KD-4823"]),
    st.lists(st.sampled_from(KINDS), min_size=12, max_size=12),
    st.lists(st.floats(0, 4), min_size=40, max_size=40),
)
async def test_that_whatever_happens_a_statement_is_true_fresh_and_the_customer_s_own(
    text: str, kinds: list[str], waits: list[float]
) -> None:
    clock = Clock()
    way = OrderWay(ScriptedBook(clock, kinds), MAX_AGE, clock)
    last: dict[str, Order] = {}
    told: list[Order] = []
    taken = iter(waits)

    def consume(item: WayItem) -> None:
        if isinstance(item, ToolCalled):
            last.update({row.order_id: row for row in item.orders})
        if isinstance(item, Stated):
            assert 0 <= item.age_s <= MAX_AGE
        if isinstance(item, Stated) and item.order:
            assert item.order == last[item.order.order_id]
            assert item.order.customer_id == CUSTOMER
            assert item.text == write_statement(item.order, voice(), after=tuple(told))
            told.append(item.order)
        clock.now += next(taken)

    calls, stated, end = await gather(way.answer(at_hand(text)), consume)
    assert len({s.order and s.order.order_id for s in stated}) == len(stated)
    assert (end.outcome is TurnOutcome.ORDER_STATED) == bool(stated)
    assert stated or end.say
    assert all(row.customer_id == CUSTOMER for call in calls for row in call.orders)


class ScriptedBook:
    """One reading of each kind after the other, each with a row of a newer version."""

    def __init__(self, clock: Clock, kinds: list[str]) -> None:
        self._clock = clock
        self._kinds = iter(kinds)
        self._version = 0

    async def active_orders(self, customer: VerifiedCustomer) -> OrderReading:
        return await self.order(customer, "KD-4821")

    async def order(self, customer: VerifiedCustomer, order_id: str) -> OrderReading:
        self._version += 1
        return reading(next(self._kinds), self._clock, self._version, order_id)


async def test_that_an_order_system_that_does_not_know_the_customer_is_not_told_as_no_active_order(
    way: OrderWay, book: MemoryBook, clock: Clock
) -> None:
    book.lies = [found(read_at=clock(), http_status=404)]
    _, stated, end = await gather(way.answer(at_hand("Where is my dabba?")))
    assert not stated
    assert end.outcome is TurnOutcome.DOES_NOT_KNOW
    assert end.say == says("order_system_down")
    assert "does not know this customer" in end.why
