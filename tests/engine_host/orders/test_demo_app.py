"""The demo order system's HTTP face: the order API as a real kitchen would offer it, and its own routes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import httpx
import pytest

from engine_host.orders.demo.app import order_app
from engine_host.orders.demo.book import DemoBook
from engine_host.orders.demo.seed import sample_seed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

START = datetime(2026, 11, 30, 6, 30, tzinfo=UTC)
KEY = "key-of-this-folder"


class Clock:
    def __init__(self) -> None:
        self.minutes = 0.0

    def __call__(self) -> datetime:
        return START + timedelta(minutes=self.minutes)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def api(tmp_path: Path, clock: Clock) -> AsyncIterator[httpx.AsyncClient]:
    book = DemoBook(tmp_path / "orders.sqlite3")
    book.seed(sample_seed(), START)
    transport = httpx.ASGITransport(order_app(book, KEY, clock))
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx.AsyncClient(transport=transport, base_url="http://orders", headers=headers) as client:
        yield client
    book.close()


async def active(api: httpx.AsyncClient, customer: str) -> list[tuple[str, str]]:
    rows = (await api.get(f"/customers/{customer}/orders?active=true")).json()["orders"]
    return [(row["order_id"], row["status"]) for row in rows]


async def test_that_a_customer_sees_their_own_active_orders(api: httpx.AsyncClient) -> None:
    assert await active(api, "C-2291") == [("KD-4821", "out_for_delivery")]
    assert await active(api, "C-1187") == [("KD-4823", "packed"), ("KD-4840", "placed")]
    assert await active(api, "C-3968") == []


async def test_that_a_box_just_delivered_is_still_active_and_an_old_one_is_not(
    api: httpx.AsyncClient, clock: Clock
) -> None:
    clock.minutes = 30
    assert await active(api, "C-2291") == [("KD-4821", "delivered")]
    clock.minutes = 60
    assert await active(api, "C-2291") == []
    assert len((await api.get("/customers/C-2291/orders")).json()["orders"]) == 1


async def test_that_someone_elses_order_and_an_unknown_one_get_the_same_answer(api: httpx.AsyncClient) -> None:
    foreign, unknown = (await api.get("/customers/C-2291/orders/KD-4823"), await api.get("/customers/C-2291/orders/X"))

    assert (foreign.status_code, foreign.content) == (unknown.status_code, unknown.content)
    assert foreign.status_code == 404
    assert (await api.get("/customers/C-0/orders?active=true")).status_code == 404


@pytest.mark.parametrize("given", [None, "Bearer wrong", KEY, f"Bearer {KEY} ", "Bearer ключ"])
@pytest.mark.parametrize("path", ["/customers/C-2291/orders", "/demo/orders", "/demo/reset", "/nowhere"])
async def test_that_nothing_is_told_or_done_without_the_key(
    api: httpx.AsyncClient, given: str | None, path: str
) -> None:
    del api.headers["Authorization"]
    headers = {} if given is None else {b"Authorization": given.encode()}

    assert (await api.request("POST" if path == "/demo/reset" else "GET", path, headers=headers)).status_code == 401


async def test_that_a_move_by_hand_shows_at_the_next_look_up(api: httpx.AsyncClient) -> None:
    answer = await api.post("/demo/orders/KD-4821/move", json={"status": "delivered"})

    assert (answer.status_code, answer.json()["version"]) == (200, 5)
    row = (await api.get("/customers/C-2291/orders/KD-4821")).json()
    assert (row["status"], row["delivered_at"], row["as_of"]) == ("delivered", START.isoformat(), START.isoformat())


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"null", b'{"status": "eaten"}', b'{"status": []}', b"\xff"])
async def test_that_a_move_to_no_known_status_is_refused_and_names_them(api: httpx.AsyncClient, body: bytes) -> None:
    answer = await api.post("/demo/orders/KD-4821/move", content=body)

    assert answer.status_code == 422
    assert "out_for_delivery" in answer.json()["detail"]
    assert await active(api, "C-2291") == [("KD-4821", "out_for_delivery")]


async def test_that_moving_an_unknown_order_is_a_404(api: httpx.AsyncClient) -> None:
    assert (await api.post("/demo/orders/KD-1/move", json={"status": "packed"})).status_code == 404


async def test_that_a_reset_starts_the_day_again(api: httpx.AsyncClient, clock: Clock) -> None:
    await api.post("/demo/orders/KD-4821/move", json={"status": "cancelled"})
    clock.minutes = 500

    assert (await api.post("/demo/reset")).json() == {"orders": 25}
    assert await active(api, "C-2291") == [("KD-4821", "out_for_delivery")]


async def test_that_staff_see_all_customers_and_orders(api: httpx.AsyncClient) -> None:
    customers = (await api.get("/demo/customers")).json()["customers"]

    assert {"customer_id": "C-2291", "tenant_id": "kamala", "name": "Meera Joshi", "language": "en"} in customers
    assert len((await api.get("/demo/orders")).json()["orders"]) == 25
