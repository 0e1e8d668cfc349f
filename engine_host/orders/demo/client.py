"""Talks to the demo's own routes: what a person lists, moves and resets. Answers are read as strictly as any other."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import httpx
from pydantic import TypeAdapter, ValidationError

from engine_host.http import loopback_client
from engine_host.orders.clocks import Asked
from engine_host.orders.demo.book import DemoCustomer
from engine_host.orders.errors import OrderSystemFailed, OrderUnknown
from engine_host.orders.wire import Unbelievable, parse_order, parse_orders
from storage.text import one_line

if TYPE_CHECKING:
    from engine_host.orders.port import Order, OrderStatus
    from engine_host.orders.wire import Rows

TIMEOUT_S: Final = 5.0
_CUSTOMERS: Final[TypeAdapter[dict[str, tuple[DemoCustomer, ...]]]] = TypeAdapter(dict[str, tuple[DemoCustomer, ...]])


@dataclass(frozen=True, slots=True)
class DemoAddress:
    """Where the demo order system listens, and the key that it wants as `Authorization: Bearer <key>`."""

    base_url: str
    key: str = field(repr=False)

    @property
    def auth_value(self) -> str:
        return f"Bearer {self.key}"


async def read_customers(address: DemoAddress) -> tuple[DemoCustomer, ...]:
    body = _content(await _ask(address, "GET", "/demo/customers"))
    try:
        return _CUSTOMERS.validate_json(body)["customers"]
    except (ValidationError, KeyError) as error:
        raise OrderSystemFailed(
            "The demo order system sent customers that can't be read. Stop it and start it again."
        ) from error


async def read_orders(address: DemoAddress) -> tuple[Order, ...]:
    sent_at = datetime.now(UTC)
    body = _content(await _ask(address, "GET", "/demo/orders"))
    return _believed(parse_orders(body, Asked(sent_at, datetime.now(UTC))))


async def move_order(address: DemoAddress, order_id: str, status: OrderStatus) -> Order:
    """Raises OrderUnknown when no order has that number."""
    path = f"/demo/orders/{quote(order_id, safe='', errors='replace')}/move"
    sent_at = datetime.now(UTC)
    response = await _ask(address, "POST", path, {"status": status.value})
    if response.status_code == HTTPStatus.NOT_FOUND:
        raise OrderUnknown(
            f"Order {one_line(order_id)} is not known to the demo order system. `dabba orders list` shows them."
        )
    return _believed(parse_order(_content(response), Asked(sent_at, datetime.now(UTC))))[0]


async def reset_day(address: DemoAddress) -> None:
    _content(await _ask(address, "POST", "/demo/reset"))


def _believed(answer: Rows | Unbelievable) -> tuple[Order, ...]:
    fact = answer.fact if isinstance(answer, Unbelievable) else "has an unknown status" if answer.unmapped else ""
    if fact or isinstance(answer, Unbelievable):
        raise OrderSystemFailed(f"The demo order system's answer {fact}. Stop it and start it again.")
    return answer.orders


def _content(response: httpx.Response) -> bytes:
    if response.status_code != HTTPStatus.OK:
        raise OrderSystemFailed(
            f"The demo order system answered {response.status_code}: another program may have its port. "
            "Stop it with `dabba orders stop` and start it again."
        )
    return response.content


async def _ask(address: DemoAddress, method: str, path: str, body: dict[str, str] | None = None) -> httpx.Response:
    try:
        async with loopback_client(timeout_s=TIMEOUT_S) as client:
            headers = {"Authorization": address.auth_value}
            return await client.request(method, address.base_url + path, json=body, headers=headers)
    except httpx.HTTPError as error:
        raise OrderSystemFailed(
            "The demo order system does not answer: the connection failed. Start it again with `dabba orders serve`."
        ) from error
