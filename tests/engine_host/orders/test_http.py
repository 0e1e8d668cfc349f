"""The order book against a true order system, and against one that lies in every way we know."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from engine_host.orders.dialect import dialect_of
from engine_host.orders.http import HttpOrderBook
from engine_host.orders.port import OrdersFound, OrderStatus, OrdersUnavailable, UnmappedOrder, VerifiedCustomer
from tests.fakes import lying_orders as lies
from tests.fakes.lying_orders import CUSTOMER, LyingOrders, answer, moment, order_json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

CUSTOMER_2291 = VerifiedCustomer("kamala", CUSTOMER, datetime.now(UTC) + timedelta(hours=1))


@pytest.fixture
async def system() -> AsyncIterator[LyingOrders]:
    async with LyingOrders() as orders:
        yield orders


@pytest.fixture
async def book(system: LyingOrders) -> AsyncIterator[HttpOrderBook]:
    made = HttpOrderBook(system.base_url, auth_value="Bearer key-1", lookup_timeout_s=5.0)
    yield made
    await made.close()


async def test_that_active_orders_are_read_with_the_key_and_in_utc(system: LyingOrders, book: HttpOrderBook) -> None:
    expected = datetime.now(UTC).replace(microsecond=0) + timedelta(minutes=24)
    in_pune = expected.astimezone(tz=None).isoformat()
    system.lie = answer({"orders": [order_json(expected_at=in_pune), order_json(order_id="KD-4840")]})

    found = await book.active_orders(CUSTOMER_2291)

    assert isinstance(found, OrdersFound)
    assert [order.order_id for order in found.orders] == ["KD-4821", "KD-4840"]
    assert found.orders[0].status is OrderStatus.OUT_FOR_DELIVERY
    assert (found.orders[0].expected_at, found.orders[0].items[0].name) == (expected, "Low-sugar lunch")
    assert (found.http_status, found.request) == (200, "GET /customers/C-2291/orders?active=true")
    assert "authorization: bearer key-1\r\n" in system.asked[0].lower()


async def test_that_one_order_is_read_by_its_number(system: LyingOrders, book: HttpOrderBook) -> None:
    system.lie = answer(order_json())

    found = await book.order(CUSTOMER_2291, "KD-4821")

    assert isinstance(found, OrdersFound)
    assert found.orders[0].courier_first_name == "Ravi"
    assert system.targets == ["/customers/C-2291/orders/KD-4821"]


async def test_that_an_unknown_order_is_found_to_be_none(system: LyingOrders, book: HttpOrderBook) -> None:
    system.lie = answer({"detail": "not found"}, status="404 Not Found")

    for reading in (await book.order(CUSTOMER_2291, "KD-1"), await book.active_orders(CUSTOMER_2291)):
        assert isinstance(reading, OrdersFound)
        assert (reading.orders, reading.http_status) == ((), 404)


async def test_that_missing_optional_facts_are_read_as_none(system: LyingOrders, book: HttpOrderBook) -> None:
    blank = order_json(left_kitchen_at=None, expected_at=None, courier_first_name=None, shelf="B 12")
    system.lie = answer({"orders": [blank]})

    found = await book.active_orders(CUSTOMER_2291)

    assert isinstance(found, OrdersFound)
    assert (found.orders[0].left_kitchen_at, found.orders[0].courier_first_name) == (None, None)


WRONG_ROWS: dict[str, dict[str, Any]] = {
    "another customer's": {"customer_id": "C-9999"},
    "customer in other case": {"customer_id": "c-2291"},
    "status is no word": {"status": 4},
    "status is blank": {"status": " "},
    "no status": {"status": ...},
    "no as_of": {"as_of": ...},
    "optional field left out": {"delivered_at": ...},
    "as_of an hour ago": {"as_of": moment(-60)},
    "as_of in the future": {"as_of": moment(30)},
    "kept for ten seconds": {"as_of": moment(-10 / 60)},
    "version is text": {"version": "4"},
    "version is negative": {"version": -1},
    "version is true": {"version": True},
    "number for an id": {"order_id": 4821},
    "empty id": {"order_id": ""},
    "id with a line break": {"order_id": "KD-4821\nKD-1"},
    "hidden text direction": {"courier_first_name": "Ravi\u202e"},
    "items missing": {"items": []},
    "items is text": {"items": "lunch"},
    "minus one box": {"items": [{"name": "Lunch", "quantity": -1, "diet": "regular"}]},
    "half a box": {"items": [{"name": "Lunch", "quantity": 0.5, "diet": "regular"}]},
    "total is text": {"total": {"amount": "160", "currency": "INR"}},
    "total is endless": {"total": {"amount": float("inf"), "currency": "INR"}},
    "total is no number": {"total": {"amount": float("nan"), "currency": "INR"}},
    "total below nothing": {"total": {"amount": -1, "currency": "INR"}},
    "time as a number": {"placed_at": 1_790_000_000},
    "time as a number in text": {"placed_at": "1790000000"},
    "negative time": {"expected_at": -1},
    "time without zone": {"placed_at": "2026-11-30T09:00:00"},
    "date only": {"placed_at": "2026-11-30"},
    "the 30th of February": {"expected_at": "2026-02-30T09:00:00Z"},
    "the year 1": {"expected_at": "0001-01-01T00:00:00+14:00"},
    "the year 9999": {"expected_at": "9999-12-31T23:59:59-14:00"},
    "placed tomorrow": {"placed_at": moment(60 * 24)},
    "changed in an hour": {"status_changed_at": moment(60)},
    "changed before it was placed": {"status_changed_at": moment(-300)},
    "left before it was placed": {"left_kitchen_at": moment(-300)},
    "expected before it was placed": {"expected_at": moment(-300)},
    "delivered yet on its way": {"delivered_at": moment(-1)},
    "delivered in an hour": {"status": "delivered", "delivered_at": moment(60)},
    "delivered before it left": {"status": "delivered", "delivered_at": moment(-60)},
    "left yet in the kitchen": {"status": "preparing"},
}


@pytest.mark.parametrize("changes", WRONG_ROWS.values(), ids=WRONG_ROWS.keys())
async def test_that_one_wrong_row_spoils_the_answer(
    system: LyingOrders, book: HttpOrderBook, changes: dict[str, Any]
) -> None:
    system.lie = answer({"orders": [order_json(order_id="KD-1"), order_json(**changes)]})
    many = await book.active_orders(CUSTOMER_2291)
    system.lie = answer(order_json(**changes))
    one = await book.order(CUSTOMER_2291, "KD-4821")

    for reading in (many, one):
        assert isinstance(reading, OrdersUnavailable)
        assert reading.reason.startswith("The order system's answer ")
        assert reading.http_status == 200


async def test_that_an_unmapped_status_is_found_beside_the_orders_that_are_known(
    system: LyingOrders, book: HttpOrderBook
) -> None:
    system.lie = answer({"orders": [order_json(status="In Oven"), order_json(order_id="KD-4840")]})

    found = await book.active_orders(CUSTOMER_2291)

    assert isinstance(found, OrdersFound)
    assert [order.order_id for order in found.orders] == ["KD-4840"]
    assert found.unmapped == (UnmappedOrder("KD-4821", CUSTOMER, "In Oven"),)


@pytest.mark.parametrize("changes", [{"customer_id": "C-9999"}, {"order_id": "KD-4840"}])
async def test_that_an_unmapped_row_of_something_else_spoils_the_answer(
    system: LyingOrders, book: HttpOrderBook, changes: dict[str, Any]
) -> None:
    system.lie = answer(order_json(status="In Oven", **changes))

    assert isinstance(await book.order(CUSTOMER_2291, "KD-4821"), OrdersUnavailable)


async def test_that_another_systems_words_and_names_are_read(system: LyingOrders) -> None:
    dialect = dialect_of({"on the road": "out_for_delivery"}, {"orders": "data", "expected_at": "eta.latest"})
    book = HttpOrderBook(system.base_url, dialect=dialect)
    row = order_json(status="On The Road", expected_at=..., eta={"latest": moment(24)})
    system.lie = answer({"data": [row]})

    found = await book.active_orders(CUSTOMER_2291)
    await book.close()

    assert isinstance(found, OrdersFound)
    assert found.orders[0].status is OrderStatus.OUT_FOR_DELIVERY


async def test_that_a_slow_answer_is_an_old_answer(system: LyingOrders, book: HttpOrderBook) -> None:
    sent: list[float] = []

    async def after_a_while(writer: asyncio.StreamWriter, closing: asyncio.Event) -> None:
        sent.append(time.monotonic())
        await asyncio.sleep(0.05)
        await answer({"orders": [order_json()]})(writer, closing)

    system.lie = after_a_while
    found = await book.active_orders(CUSTOMER_2291)

    assert isinstance(found, OrdersFound)
    assert found.read_at <= sent[0]


async def test_that_a_clock_beyond_the_tolerance_is_told_with_both_clocks(system: LyingOrders) -> None:
    system.lie = answer({"orders": [order_json(as_of=moment(-10 / 60))]})
    strict = HttpOrderBook(system.base_url)
    lenient = HttpOrderBook(system.base_url, clock_tolerance=timedelta(seconds=30))

    refused, found = [await book.active_orders(CUSTOMER_2291) for book in (strict, lenient)]
    await strict.close()
    await lenient.close()

    assert isinstance(refused, OrdersUnavailable)
    assert "Compare the clocks of both machines. All of it was thrown away." in refused.reason
    assert isinstance(found, OrdersFound)


async def test_that_another_order_than_the_one_asked_for_is_not_believed(
    system: LyingOrders, book: HttpOrderBook
) -> None:
    system.lie = answer(order_json(order_id="KD-4822"))

    assert isinstance(await book.order(CUSTOMER_2291, "KD-4821"), OrdersUnavailable)


GOOD = {"orders": [order_json()]}
WRONG_ANSWERS: dict[str, tuple[lies.Lie, str]] = {
    "500": (answer(GOOD, status="500 Internal Server Error"), "answered 500"),
    "503 as HTML": (answer(b"<h1>busy</h1>", status="503 Busy", kind="text/html"), "answered 503"),
    "wrong key": (answer({}, status="401 Unauthorized"), "Check the key"),
    "accepted, later": (answer(GOOD, status="202 Accepted"), "answered 202"),
    "no content": (lies.raw(b"HTTP/1.1 204 No Content\r\n\r\n"), "answered 204"),
    "redirect": (answer(GOOD, status="302 Found", headers=("Location: /login",)), "sends look-ups elsewhere"),
    "empty body": (answer(b""), "not the JSON"),
    "HTML": (answer(b"<html>Sign in</html>", kind="text/html; charset=utf-8"), "text/html instead of JSON"),
    "HTML said to be JSON": (answer(b"<html>Sign in</html>"), "not the JSON"),
    "JSON said to be text": (answer(GOOD, kind="text/plain"), "text/plain instead of JSON"),
    "half the JSON": (answer(b'{"orders": [{"order_id": "KD'), "not the JSON"),
    "not UTF-8": (answer(b'{"orders": [{"order_id": "\xff\xfe"}]}'), "not the JSON"),
    "deep JSON": (answer(b"[" * 100_000), "not the JSON"),
    "null": (answer(b"null"), "JSON"),
    "a bare list": (answer(b"[]"), "JSON"),
    "orders is an object": (answer({"orders": {}}), "orders"),
    "thousands of orders": (answer({"orders": [order_json(order_id=f"KD-{n}") for n in range(1000)]}), "orders"),
    "2 MiB": (answer(b" " * 2_097_152), "more than 1 MiB"),
    "without end": (lies.endless, "more than 1 MiB"),
    "packed": (answer(b"\x1f\x8b", headers=("Content-Encoding: gzip",)), "packed"),
    "reset": (lies.reset, "can't be read"),
    "cut short": (
        lies.raw(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"),
        "broke",
    ),
    "hung up": (lies.raw(b""), "can't be read"),
    "not HTTP": (lies.raw(b"SSH-2.0-OpenSSH_9.6\r\n"), "does not speak HTTP"),
}


@pytest.mark.parametrize(("lie", "fact"), WRONG_ANSWERS.values(), ids=WRONG_ANSWERS.keys())
async def test_that_a_failing_order_system_is_unavailable_with_a_sentence(
    system: LyingOrders, book: HttpOrderBook, lie: lies.Lie, fact: str
) -> None:
    system.lie = lie

    reading = await book.active_orders(CUSTOMER_2291)

    assert isinstance(reading, OrdersUnavailable)
    assert fact in reading.reason
    assert "Error" not in reading.reason
    assert len(system.asked) == 1


async def test_that_the_same_order_twice_is_not_believed(system: LyingOrders, book: HttpOrderBook) -> None:
    for rows in ([order_json(), order_json()], [order_json(), order_json(status="In Oven")]):
        system.lie = answer({"orders": rows})
        reading = await book.active_orders(CUSTOMER_2291)
        assert isinstance(reading, OrdersUnavailable)
        assert "twice" in reading.reason


@pytest.mark.parametrize("lie", [lies.silence, lies.trickle], ids=["silent", "a byte at a time"])
async def test_that_the_limit_counts_over_the_whole_look_up(system: LyingOrders, lie: lies.Lie) -> None:
    system.lie = lie
    book = HttpOrderBook(system.base_url, lookup_timeout_s=0.2)

    reading = await book.active_orders(CUSTOMER_2291)
    await book.close()

    assert isinstance(reading, OrdersUnavailable)
    assert "within 0.2 s" in reading.reason


async def test_that_a_cancelled_look_up_is_cancelled(system: LyingOrders, book: HttpOrderBook) -> None:
    system.lie = lies.silence
    looking = asyncio.create_task(book.active_orders(CUSTOMER_2291))
    await system.arrived.wait()

    looking.cancel()

    with pytest.raises(asyncio.CancelledError):
        await looking


@pytest.mark.parametrize(
    "order_id", ["KD/48 21", "KD-1?active=false", "a#b", "%2e%2e", "KD%2F1", "क-१", "a;b", "\ud800"]
)
async def test_that_an_odd_order_number_stays_one_part_of_the_path(
    system: LyingOrders, book: HttpOrderBook, order_id: str
) -> None:
    system.lie = answer({}, status="404 Not Found")

    reading = await book.order(CUSTOMER_2291, order_id)

    assert isinstance(reading, OrdersFound)
    prefix = "/customers/C-2291/orders/"
    assert system.targets[0].startswith(prefix)
    assert not set(system.targets[0].removeprefix(prefix)) & set("/?#;")


@pytest.mark.parametrize("order_id", ["", ".", "..", "../../C-1/orders/KD-1", "KD-1/..", "..\\..", "K" * 500, "a//b"])
async def test_that_a_number_that_could_leave_the_customers_orders_is_never_sent(
    system: LyingOrders, book: HttpOrderBook, order_id: str
) -> None:
    reading = await book.order(CUSTOMER_2291, order_id)

    assert isinstance(reading, OrdersUnavailable)
    assert system.asked == []


@pytest.mark.parametrize(
    "base_url",
    ["http://127.0.0.1:1", "orders.example", "ftp://127.0.0.1", "http://", "http://127.0.0.1:99999999", "://"],
)
async def test_that_an_address_where_nothing_answers_is_unavailable(base_url: str) -> None:
    book = HttpOrderBook(base_url)

    reading = await book.active_orders(CUSTOMER_2291)
    await book.close()

    assert isinstance(reading, OrdersUnavailable)
    assert "Settings" in reading.reason


async def test_that_a_key_that_http_cannot_carry_is_unavailable(system: LyingOrders) -> None:
    for key in ("ключ", "a\r\nX-Admin: 1"):
        book = HttpOrderBook(system.base_url, auth_value=key)
        assert isinstance(await book.active_orders(CUSTOMER_2291), OrdersUnavailable)
        await book.close()
    assert system.asked == []


async def test_that_a_closed_book_is_unavailable(system: LyingOrders, book: HttpOrderBook) -> None:
    await book.close()

    assert isinstance(await book.active_orders(CUSTOMER_2291), OrdersUnavailable)
    assert system.asked == []
