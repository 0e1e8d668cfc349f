"""Reading the order API: whatever JSON comes, only true rows of the one customer get through, and nothing raises."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_host.orders.clocks import Asked
from engine_host.orders.http import HttpOrderBook
from engine_host.orders.port import Order, OrderReading, OrdersFound, OrderStatus, VerifiedCustomer
from engine_host.orders.wire import Rows, Unbelievable, parse_order, parse_orders
from tests.fakes.lying_orders import CUSTOMER, moment, order_json

WHO = VerifiedCustomer("kamala", CUSTOMER, datetime.now(UTC) + timedelta(hours=1))


def now() -> datetime:
    return datetime.now(UTC)


def read_one(row: dict[str, Any], at: datetime | None = None) -> Order | Unbelievable | None:
    """The order of one row that was asked for at `at`; None when its status is not mapped."""
    at = at or now()
    rows = parse_order(json.dumps(row).encode(), Asked(at, at))
    return rows if isinstance(rows, Unbelievable) else next(iter(rows.orders), None)


any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
any_time = st.datetimes(timezones=st.just(UTC)).map(datetime.isoformat) | st.integers(-400, 400).map(moment)
likely = (
    any_json
    | any_time
    | st.sampled_from([*OrderStatus, CUSTOMER, "C-9999", "KD-4821", "", 0, -1, 1e308, ...])
    | st.lists(st.fixed_dictionaries({"name": st.text(), "quantity": any_json, "diet": st.text()}), max_size=3)
)
rows = st.dictionaries(st.sampled_from([*order_json()]), likely, max_size=4).map(lambda changes: order_json(**changes))
answers = any_json | st.lists(rows, max_size=3).map(lambda orders: {"orders": orders}) | rows
bodies = answers.map(lambda value: json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")) | st.binary()


def read(body: bytes, order_id: str | None = None) -> OrderReading:
    def respond(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, stream=httpx.ByteStream(body), headers={"content-type": "application/json"})

    async def look_up() -> OrderReading:
        book = HttpOrderBook(
            "http://orders.test", client=lambda: httpx.AsyncClient(transport=httpx.MockTransport(respond))
        )
        try:
            return await (book.order(WHO, order_id) if order_id else book.active_orders(WHO))
        finally:
            await book.close()

    return asyncio.run(look_up())


@settings(max_examples=150, deadline=None)
@given(bodies, st.sampled_from([None, "KD-4821"]))
def test_that_no_answer_raises_or_yields_an_order_of_someone_else(body: bytes, order_id: str | None) -> None:
    reading = read(body, order_id)

    if isinstance(reading, OrdersFound):
        assert all(order.customer_id == CUSTOMER for order in reading.orders)
        assert all(order_id in {None, order.order_id} for order in reading.orders)


@settings(deadline=None)
@given(rows)
def test_that_a_row_is_either_unbelievable_or_true_in_every_field(row: dict[str, Any]) -> None:
    order = read_one(row)

    if isinstance(order, Order):
        assert abs(order.as_of - now()) <= timedelta(seconds=6)
        assert order.placed_at <= order.as_of + timedelta(minutes=1)
        assert order.status is OrderStatus(row["status"].strip().casefold())
        assert order.delivered_at is None or order.status is OrderStatus.DELIVERED
        assert all(moment is None or moment.tzinfo is UTC for moment in (order.expected_at, order.left_kitchen_at))


def test_that_every_field_arrives_as_it_was_sent() -> None:
    row = order_json(status="delivered", delivered_at=moment(-1), total={"amount": 160, "currency": "INR"})

    order = read_one(row)

    assert isinstance(order, Order)
    assert order.delivered_at == datetime.fromisoformat(row["delivered_at"])
    assert order.placed_at == datetime.fromisoformat(row["placed_at"])
    assert (order.total_amount, order.total_currency, order.version) == (160.0, "INR", 4)


def test_that_joiners_of_devanagari_are_letters_not_control_characters() -> None:
    row = order_json(courier_first_name="र्\u200dया")

    assert isinstance(read_one(row), Order)


def test_that_the_age_of_a_row_is_held_against_our_clock() -> None:
    body = json.dumps({"orders": [order_json()]}).encode()

    def asked(seconds: float) -> Asked:
        return Asked(now() + timedelta(seconds=seconds), now() + timedelta(seconds=seconds))

    assert isinstance(parse_orders(body, asked(3)), Rows)
    assert isinstance(parse_orders(body, asked(9)), Unbelievable)
    assert isinstance(parse_orders(body, asked(-9)), Unbelievable)


def test_that_the_fact_names_the_field_but_never_shows_its_value() -> None:
    refused = read_one(order_json(total={"amount": "secret words", "currency": "INR"}))

    assert isinstance(refused, Unbelievable)
    assert "total.amount" in refused.fact
    assert "secret words" not in refused.fact


@pytest.mark.parametrize("said_again", ['"status": "delivered"', '"total": {"amount": 1, "currency": "INR"}'])
def test_that_an_answer_that_says_a_thing_twice_is_not_believed(said_again: str) -> None:
    row = json.dumps(order_json())

    assert isinstance(parse_order(row.encode(), Asked(now(), now())), Rows)
    assert isinstance(parse_order(f"{row[:-1]}, {said_again}}}".encode(), Asked(now(), now())), Unbelievable)
    assert isinstance(parse_orders(f'{{"orders": [{row}], "orders": []}}'.encode(), Asked(now(), now())), Unbelievable)
