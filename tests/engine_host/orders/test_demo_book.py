"""The demo order system's data: the sample day, moves by hand, and a new day when the old one is over."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from engine_host.orders.clocks import Asked
from engine_host.orders.demo.book import DemoBook
from engine_host.orders.demo.seed import parse_seed, sample_seed
from engine_host.orders.errors import SeedRefused
from engine_host.orders.port import Order, OrderStatus
from engine_host.orders.wire import Rows, order_fields, parse_order

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

START = datetime(2026, 11, 30, 6, 30, tzinfo=UTC)


def after(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[DemoBook]:
    made = DemoBook(tmp_path / "orders.sqlite3")
    made.seed(sample_seed(), START)
    yield made
    made.close()


def standing(book: DemoBook, order_id: str, minutes: float) -> tuple[str, int]:
    order = book.order(order_id, after(minutes))
    assert order is not None
    return order.status.value, order.version


def test_that_the_sample_day_starts_with_orders_in_every_status(book: DemoBook) -> None:
    orders = book.orders(START)

    assert {order.status for order in orders} == set(OrderStatus)
    assert len(book.customers()) == 23


def test_that_orders_move_through_the_day_by_their_plan(book: DemoBook) -> None:
    steps = [standing(book, "KD-4821", minutes) for minutes in (0, 25, 27)]

    assert steps == [("out_for_delivery", 4), ("out_for_delivery", 4), ("delivered", 5)]


@pytest.mark.parametrize("minutes", range(0, 420, 7))
def test_that_every_row_of_the_day_is_believed_by_the_strict_reader(book: DemoBook, minutes: int) -> None:
    for order in book.orders(after(minutes)):
        asked = Asked(after(minutes), after(minutes))
        assert parse_order(json.dumps(order_fields(order)).encode(), asked) == Rows((order,))


def test_that_an_order_moved_by_hand_follows_its_plan_no_more(book: DemoBook) -> None:
    back = book.move("KD-4821", OrderStatus.PREPARING, after(1))

    assert isinstance(back, Order)
    assert (back.version, back.status_changed_at, back.left_kitchen_at) == (5, after(1), None)
    assert standing(book, "KD-4821", 300) == ("preparing", 5)
    assert standing(book, "KD-4823", 300) == ("delivered", 5)


def test_that_a_move_survives_a_restart_and_a_new_day_forgets_it(book: DemoBook, tmp_path: Path) -> None:
    book.move("KD-4821", OrderStatus.CANCELLED, after(1))
    again = DemoBook(tmp_path / "orders.sqlite3")

    assert standing(again, "KD-4821", 2) == ("cancelled", 5)
    again.seed(sample_seed(), START)
    assert standing(again, "KD-4821", 2) == ("out_for_delivery", 4)
    again.close()


def test_that_moving_an_unknown_order_moves_nothing(book: DemoBook) -> None:
    assert book.move("KD-1", OrderStatus.DELIVERED, START) is None


def test_that_a_day_is_over_two_hours_after_its_last_step(book: DemoBook, tmp_path: Path) -> None:
    assert not book.day_is_over(after(394 + 119))
    assert book.day_is_over(after(394 + 121))
    empty = DemoBook(tmp_path / "other.sqlite3")
    assert empty.day_is_over(START)
    assert empty.orders(START) == ()
    empty.close()


CUSTOMER = '[[customer]]\nid = "C-1"\ntenant = "kamala"\nname = "Meera"\nlanguage = "en"\n'


def order_toml(customer: str = "C-1", plan: str = "placed = -9, delivered = -1, expected = 5") -> str:
    return (
        f'[[order]]\norder_id = "KD-1"\ncustomer = "{customer}"\n'
        'items = [{ name = "Lunch", quantity = 1, diet = "regular" }]\n'
        f'total = {{ amount = 140.0, currency = "INR" }}\nplan_minutes = {{ {plan} }}\n'
    )


@pytest.mark.parametrize(
    "text",
    ["", "[[order", CUSTOMER, CUSTOMER + CUSTOMER + order_toml(), CUSTOMER + order_toml(customer="C-2"),
     CUSTOMER + order_toml() + order_toml(), CUSTOMER + order_toml(plan="placed = -9"),
     CUSTOMER + order_toml(plan="preparing = -9, expected = 5"),
     CUSTOMER + order_toml(plan="placed = -9, eaten = 0, expected = 5"),
     CUSTOMER + order_toml(plan="preparing = -10, placed = -9, expected = 5"),
     CUSTOMER + order_toml(plan="placed = -9, delivered = -10, expected = 5")],
)  # fmt: skip
def test_that_sample_orders_that_make_no_sense_are_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(SeedRefused, match=r"^The sample orders "):
        parse_seed(text)
