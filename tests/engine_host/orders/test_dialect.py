"""Another order system's words and names: the same strict reading, and an honest "not mapped" for what nobody named."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine_host.orders.clocks import Asked
from engine_host.orders.dialect import OURS, dialect_of
from engine_host.orders.port import Order, OrderStatus, UnmappedOrder
from engine_host.orders.wire import Rows, Unbelievable, parse_order, parse_orders
from storage.order_words import FIELDS, STATUSES
from tests.fakes.lying_orders import order_json

PETPOOJA = dialect_of(
    {"in_oven": "preparing", "On The Road": "out_for_delivery", "cancelled": "cancelled"},
    {
        "orders": "data.list",
        "order": "data.order",
        "order_id": "no",
        "status": "state.code",
        "expected_at": "eta.latest",
        "items": "lines",
        "items.name": "product.title",
        "items.quantity": "qty",
        "total.amount": "bill.sum",
        "total.currency": "bill.unit",
        "courier_first_name": "rider.name",
    },
)


def theirs(**changes: Any) -> dict[str, Any]:
    row = order_json()
    other = {
        "no": row["order_id"],
        "state": {"code": "on the road "},
        "eta": {"latest": row["expected_at"]},
        "lines": [{"product": {"title": "Low-sugar lunch"}, "qty": 1, "diet": "low-sugar"}],
        "bill": {"sum": 160.0, "unit": "INR"},
        "rider": {"name": "Ravi"},
    }
    same = ("customer_id", "status_changed_at", "version", "placed_at", "left_kitchen_at", "delivered_at", "as_of")
    return other | {name: row[name] for name in same} | changes


def asked() -> Asked:
    now = datetime.now(UTC)
    return Asked(now, now)


def read(row: object, dialect: Any = PETPOOJA) -> Rows | Unbelievable:
    return parse_order(json.dumps({"data": {"order": row}}).encode(), asked(), dialect)


def only(rows: Rows | Unbelievable) -> Order:
    assert isinstance(rows, Rows)
    return rows.orders[0]


def test_that_another_systems_rows_become_ours() -> None:
    order = only(read(theirs()))
    listed = parse_orders(json.dumps({"data": {"list": [theirs()]}}).encode(), asked(), PETPOOJA)

    assert (order.order_id, order.status, order.courier_first_name) == (
        "KD-4821", OrderStatus.OUT_FOR_DELIVERY, "Ravi",
    )  # fmt: skip
    assert (order.items[0].name, order.items[0].quantity, order.total_amount) == ("Low-sugar lunch", 1, 160.0)
    assert order.expected_at is not None
    assert only(listed).order_id == "KD-4821"


@pytest.mark.parametrize(
    ("changes", "fact"),
    [
        ({"eta": {}}, "without the field eta.latest (our expected_at)"),
        ({"eta": "soon"}, "without the field eta.latest (our expected_at)"),
        ({"eta": {"latest": "soon"}}, "wrong field eta.latest (our expected_at)"),
        ({"lines": [{"product": {}, "qty": 1, "diet": "x"}]}, "without the field product.title (our items.name)"),
        ({"lines": "lunch"}, "wrong field lines (our items)"),
        ({"bill": {"unit": "INR"}}, "without the field bill.sum (our total.amount)"),
        ({"bill": {"sum": "160", "unit": "INR"}}, "wrong field bill.sum (our total.amount)"),
        ({"version": "4"}, "wrong field version: "),
    ],
)
def test_that_a_missing_or_wrong_field_is_named_as_their_system_names_it(changes: dict[str, Any], fact: str) -> None:
    rows = read(theirs(**changes))

    assert isinstance(rows, Unbelievable)
    assert fact in rows.fact


def test_that_nothing_below_a_null_is_null() -> None:
    order = only(read(theirs(eta=None, rider=None)))

    assert (order.expected_at, order.courier_first_name) == (None, None)


@pytest.mark.parametrize("word", [" IN_OVEN ", "in_oven", "In_Oven"])
def test_that_case_and_blanks_of_a_status_word_do_not_count(word: str) -> None:
    row = theirs(state={"code": word}, left_kitchen_at=None)

    assert only(read(row)).status is OrderStatus.PREPARING


@pytest.mark.parametrize("word", ["in oven", "in-oven", "in_oven.", "delivered?", "undelivered", "ready"])
def test_that_a_status_word_nobody_mapped_is_not_guessed(word: str) -> None:
    rows = read(theirs(state={"code": word}))

    assert rows == Rows(unmapped=(UnmappedOrder("KD-4821", "C-2291", word),))


@pytest.mark.parametrize("status", OrderStatus)
def test_that_our_own_words_mean_themselves_unless_they_are_remapped(status: OrderStatus) -> None:
    assert OURS.status(status.value.upper()) is status
    assert dialect_of({status.value: "packed"}, {}).status(status.value) is OrderStatus.PACKED


def test_that_an_unmapped_row_leaves_the_others_as_they_are() -> None:
    body = json.dumps({"orders": [order_json(status="teleported"), order_json(order_id="KD-4840")]}).encode()
    rows = parse_orders(body, asked())

    assert isinstance(rows, Rows)
    assert [order.order_id for order in rows.orders] == ["KD-4840"]
    assert [row.word for row in rows.unmapped] == ["teleported"]


@pytest.mark.parametrize(
    "changes", [{"as_of": (datetime.now(UTC) - timedelta(hours=1)).isoformat()}, {"version": -1}, {"order_id": ""}]
)
def test_that_an_unmapped_row_that_is_wrong_spoils_the_answer(changes: dict[str, Any]) -> None:
    body = json.dumps({"orders": [order_json(status="teleported", **changes), order_json()]}).encode()

    assert isinstance(parse_orders(body, asked()), Unbelievable)


def test_that_a_number_with_other_signs_is_no_order_number() -> None:
    for number in ("KD-4821. It was delivered", "KD-4821 KD-1", "<b>KD-1</b>", "KD-१", "K" * 41):
        rows = parse_order(json.dumps(order_json(order_id=number)).encode(), asked())
        assert isinstance(rows, Unbelievable)
        assert "order number" in rows.fact


def test_that_the_settings_know_the_words_and_fields_of_the_order_api() -> None:
    assert tuple(OrderStatus) == STATUSES
    row = order_json()
    assert {name for name in FIELDS if "." not in name} == {"orders", "order", *row}
    assert {name.removeprefix("items.") for name in FIELDS if name.startswith("items.")} == {*row["items"][0]}
    assert {name.removeprefix("total.") for name in FIELDS if name.startswith("total.")} == {*row["total"]}
