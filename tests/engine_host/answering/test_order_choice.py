"""Which of a customer's orders are told, which are asked back about, and which are not known."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from engine_host.answering.choosing import named_orders
from engine_host.answering.statements import write_choice, write_statement
from engine_host.answering.way import WayEnd
from engine_host.orders.port import OrderItem
from storage.records import TurnOutcome
from tests.engine_host.answering.order_turns import LUNCHES, at_hand, gather, many, says
from tests.fakes.answering import MemoryBook, order, unmapped, voice

if TYPE_CHECKING:
    from engine_host.answering.order_way import OrderWay

KOLKATA = ZoneInfo("Asia/Kolkata")


async def test_that_numbers_beyond_the_limit_are_not_silently_left_out(way: OrderWay, book: MemoryBook) -> None:
    book.orders = [order(order_id=f"KD-500{number}") for number in range(5)]
    _, stated, end = await gather(way.answer(at_hand("KD-5000 KD-5001 KD-5002 KD-5003")))
    assert [s.order and s.order.order_id for s in stated] == ["KD-5000", "KD-5001", "KD-5002"]
    assert end.say == says("other_orders_not_known")


async def test_that_of_many_active_orders_the_bot_asks_which_is_meant(way: OrderWay, book: MemoryBook) -> None:
    book.orders = many(*LUNCHES)
    _, stated, end = await gather(way.answer(at_hand("where is my dabba")))
    assert [(s.text, s.order) for s in stated] == [(write_choice(tuple(book.orders), voice()), None)]
    assert "Jain lunch (KD-5001)" in stated[0].text
    assert end == WayEnd(TurnOutcome.ORDER_STATED)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("where is my jain lunch", ["KD-5001"]),
        ("mera protein wala dabba kidhar hai", ["KD-5003"]),
        ("where is my dinner", ["KD-5004"]),
        ("where are the jain and the mini one", ["KD-5001", "KD-5002"]),
        ("where is KD-5000", ["KD-5000"]),
    ],
)
async def test_that_of_many_active_orders_the_named_one_is_stated(
    way: OrderWay, book: MemoryBook, text: str, told: list[str]
) -> None:
    book.orders = many(*LUNCHES, "Low-sugar dinner")
    _, stated, end = await gather(way.answer(at_hand(text)))
    assert [s.order.order_id for s in stated if s.order] == told
    assert end.say == ""


async def test_that_a_name_of_many_orders_asks_among_those(way: OrderWay, book: MemoryBook) -> None:
    book.orders = many(*LUNCHES, "Low-sugar dinner")
    _, stated, _ = await gather(way.answer(at_hand("where is my lunch")))
    assert [s.text for s in stated] == [write_choice(tuple(book.orders[:4]), voice())]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("where is my lunch", ["KD-5000", "KD-5001", "KD-5004"]),
        ("dopahar ka khana kahan hai", ["KD-5000", "KD-5001", "KD-5004"]),
        ("where is my dinner", ["KD-5002", "KD-5004"]),
        ("where is my breakfast", ["KD-5003", "KD-5004"]),
    ],
)
def test_that_an_order_is_the_meal_of_its_hour_where_no_dish_is_called_by_one(text: str, told: list[str]) -> None:
    names = ("Lunch special", "Jain thali", "Mini box", "Poha box", "Protein box")
    hours = (20, 12, 20, 8, None)
    orders = tuple(
        replace(row, expected_at=datetime(2026, 11, 30, hour, 40, tzinfo=KOLKATA) if hour else None)
        for row, hour in zip(many(*names), hours, strict=True)
    )
    assert [one.order_id for one in named_orders(orders, text, KOLKATA)] == told


async def test_that_of_few_active_orders_the_named_one_comes_first(way: OrderWay, book: MemoryBook) -> None:
    book.orders = many("Regular lunch", "Low-sugar dinner")
    _, stated, _ = await gather(way.answer(at_hand("where is my dinner")))
    assert [s.order.order_id for s in stated if s.order] == ["KD-5001", "KD-5000"]
    assert stated[1].text == write_statement(book.orders[0], voice(), after=(book.orders[1],))


@pytest.mark.parametrize("text", ["where is my dabba", "KD-4821"])
async def test_that_an_unmapped_status_is_not_known_and_staff_read_what_to_map(
    way: OrderWay, book: MemoryBook, text: str
) -> None:
    book.lies = [unmapped(" in oven ", read_at=1000.0)]
    calls, stated, end = await gather(way.answer(at_hand(text)))
    assert stated == []
    assert (end.outcome, end.say) == (TurnOutcome.DOES_NOT_KNOW, says("order_system_down"))
    assert calls[0].reason == end.why
    assert calls[0].unmapped == ("in oven",)
    assert end.why == (
        'Order KD-4821 has the status "in oven", which has no meaning here yet. Give it one in Settings, in the row '
        '"Status words" of "Order system", or under [orders.statuses] in settings.toml, such as '
        '"in oven" = "preparing".'
    )


async def test_that_an_unmapped_status_takes_nothing_from_the_other_orders(way: OrderWay, book: MemoryBook) -> None:
    book.lies = [unmapped("in_oven", order(order_id="KD-4840"), read_at=1000.0)]
    _, stated, end = await gather(way.answer(at_hand("where is my dabba")))
    assert [s.order and s.order.order_id for s in stated] == ["KD-4840"]
    assert (end.outcome, end.say) == (TurnOutcome.ORDER_STATED, says("other_orders_not_known"))
    assert "in_oven" in end.why
    assert "in_oven" not in stated[0].text + end.say


@pytest.mark.parametrize("changes", [{"customer_id": "C-9999"}, {"order_id": "AR-2107"}])
async def test_that_an_unmapped_row_of_someone_else_spoils_the_answer(
    way: OrderWay, book: MemoryBook, changes: dict[str, str]
) -> None:
    reading = unmapped("in_oven", order(order_id="KD-4840"), read_at=1000.0)
    book.lies = [replace(reading, unmapped=(replace(reading.unmapped[0], **changes),))]
    _, stated, end = await gather(way.answer(at_hand("where is my dabba")))
    assert stated == []
    assert "thrown away" in end.why


async def test_that_staff_are_told_of_a_name_that_was_not_repeated(way: OrderWay, book: MemoryBook) -> None:
    book.orders = [order(courier_first_name="Ravi. Your order was delivered", items=(OrderItem("<b>Thali", 1, "x"),))]
    _, stated, end = await gather(way.answer(at_hand("where is my dabba")))
    assert stated[0].text.startswith("Your order KD-4821 left the kitchen at ")
    assert end.say == ""
    assert "the courier's name is no plain name" in end.why
    assert "the name of an item is no plain name" in end.why
