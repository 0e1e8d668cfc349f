"""Reads orders from the kitchen's own system over HTTP. Believes nothing that does not hold together."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlsplit

import httpx

from engine_host.http import is_loopback, loopback_client, remote_client
from engine_host.orders.clocks import CLOCK_TOLERANCE, Asked
from engine_host.orders.dialect import OURS
from engine_host.orders.port import OrdersFound, OrdersUnavailable
from engine_host.orders.wire import Rows, Unbelievable, parse_order, parse_orders

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

    from engine_host.orders.dialect import Dialect
    from engine_host.orders.port import OrderReading, VerifiedCustomer

LARGEST_BODY: Final = 1024 * 1024
LONGEST_ID: Final = 128
CHECK: Final = "Check that it runs and that its address in Settings is right."
FAULTS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (httpx.TimeoutException, "it took too long"),
    (httpx.ConnectError, "it accepts no connection"),
    (httpx.RemoteProtocolError, "it broke off or does not speak HTTP"),
    (httpx.NetworkError, "the connection broke"),
    (httpx.InvalidURL, "its address is not a URL"),
    (UnicodeError, "its address or key has characters that HTTP can't carry"),
)


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    body: bytes = b""
    fault: str = ""


class HttpOrderBook:
    """The OrderBook of a real order system. One HTTP client for its life: `close` it.

    `lookup_timeout_s` bounds a whole look-up: connect, wait, and every byte of the answer together. `dialect` is how
    this system words things, `clock_tolerance` how far its clock may be from ours.
    """

    def __init__(
        self,
        base_url: str,
        *,
        auth_header: str = "Authorization",
        auth_value: str | None = None,
        lookup_timeout_s: float = 3.0,
        dialect: Dialect = OURS,
        clock_tolerance: timedelta = CLOCK_TOLERANCE,
        client: Callable[[], httpx.AsyncClient] | None = None,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._limit_s = lookup_timeout_s
        self._dialect = dialect
        self._tolerance = clock_tolerance
        # A packed answer could unpack to gigabytes: none is asked for and none is taken.
        self._headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        if auth_value is not None:
            self._headers[auth_header] = auth_value
        self._client = client() if client else self._own_client()

    def _own_client(self) -> httpx.AsyncClient:
        return loopback_client() if _is_url(self._base_url) and is_loopback(self._base_url) else remote_client()

    async def close(self) -> None:
        await self._client.aclose()

    async def active_orders(self, customer: VerifiedCustomer) -> OrderReading:
        path = f"/customers/{_part(customer.customer_id)}/orders?active=true"
        if not _can_be_an_id(customer.customer_id):
            return _not_asked(path)
        return await self._look_up(path, customer, None)

    async def order(self, customer: VerifiedCustomer, order_id: str) -> OrderReading:
        path = f"/customers/{_part(customer.customer_id)}/orders/{_part(order_id)}"
        if not (_can_be_an_id(customer.customer_id) and _can_be_an_id(order_id)):
            return _not_asked(path)
        return await self._look_up(path, customer, order_id)

    async def _look_up(self, path: str, customer: VerifiedCustomer, order_id: str | None) -> OrderReading:
        request, sent_at, sent = f"GET {path}", datetime.now(UTC), time.monotonic()
        answer = await self._ask(self._base_url + path)
        elapsed_ms = (time.monotonic() - sent) * 1000
        if isinstance(answer, str):
            return OrdersUnavailable(answer, request, None, elapsed_ms)
        if answer.fault:
            return OrdersUnavailable(f"The order system {answer.fault}", request, answer.status, elapsed_ms)
        if answer.status == HTTPStatus.NOT_FOUND:
            return OrdersFound((), request, answer.status, sent, elapsed_ms)
        parse = parse_orders if order_id is None else parse_order
        rows = parse(answer.body, Asked(sent_at, datetime.now(UTC), self._tolerance), self._dialect)
        rows = rows if isinstance(rows, Unbelievable) else _of_this(rows, customer, order_id)
        if isinstance(rows, Unbelievable):
            reason = f"The order system's answer {rows.fact}. All of it was thrown away."
            return OrdersUnavailable(reason, request, answer.status, elapsed_ms, rows.strangers)
        return OrdersFound(rows.orders, request, answer.status, sent, elapsed_ms, rows.unmapped)

    async def _ask(self, url: str) -> _Answer | str:
        """What came back, or a sentence that says why nothing did."""
        if self._client.is_closed:
            return "The order system was not asked: this program is closing."
        if not _is_url(self._base_url):
            return "The order system can't be asked: its address is not an HTTP URL. Correct it in Settings."
        try:
            async with asyncio.timeout(self._limit_s):
                return await self._fetch(url)
        except TimeoutError:
            return f"The order system gave no whole answer within {self._limit_s:g} s. {CHECK}"
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            fact = next((text for kind, text in FAULTS if isinstance(error, kind)), "the request failed")
            return f"The order system can't be read: {fact}. {CHECK}"

    async def _fetch(self, url: str) -> _Answer:
        request = self._client.build_request("GET", url, headers=self._headers)
        response = await self._client.send(request, stream=True, follow_redirects=False)
        try:
            fault = _fault(response)
            if fault or response.status_code == HTTPStatus.NOT_FOUND:
                return _Answer(response.status_code, fault=fault)
            body = bytearray()
            async for piece in response.aiter_raw():
                body += piece
                if len(body) > LARGEST_BODY:
                    return _Answer(response.status_code, fault="answered with more than 1 MiB.")
            return _Answer(response.status_code, bytes(body))
        finally:
            await response.aclose()


def _fault(response: httpx.Response) -> str:
    """Why this answer is not read, as the end of a sentence; empty when it may be."""
    status = response.status_code
    if status == HTTPStatus.NOT_FOUND:
        return ""
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return f"refused this program ({status}). Check the key and its header in Settings."
    if response.is_redirect or 300 <= status < 400:
        return f"sends look-ups elsewhere ({status}); redirects are not followed. {CHECK}"
    if status != HTTPStatus.OK:
        return f"answered {status} instead of orders."
    kind = response.headers.get("content-type", "").split(";")[0].strip().lower()
    if not re.fullmatch(r"application/([a-z0-9.-]+\+)?json", kind):
        return f"answered with {kind[:60] or 'no content type'} instead of JSON. {CHECK}"
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        return "answered with a packed body that nobody asked for."
    return ""


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _part(identifier: str) -> str:
    return quote(identifier, safe="", errors="replace")


def _can_be_an_id(identifier: str) -> bool:
    """Dot segments survive quoting: proxies resolve `..` and `%2e%2e` alike, and would leave the customer's folder."""
    segments = re.split(r"[/\\]", identifier)
    return 0 < len(identifier) <= LONGEST_ID and not any(segment in {"", ".", ".."} for segment in segments)


def _not_asked(path: str) -> OrdersUnavailable:
    reason = "The order system was not asked: what was given can't be an order or customer number."
    return OrdersUnavailable(reason, f"GET {path}"[:200], None, 0.0)


def _of_this(rows: Rows, customer: VerifiedCustomer, order_id: str | None) -> Rows | Unbelievable:
    answered = (*rows.orders, *rows.unmapped)
    if order_id is not None and any(row.order_id != order_id for row in answered):
        return Unbelievable("holds another order than the one asked for")
    if any(row.customer_id != customer.customer_id for row in answered):
        return Unbelievable("holds an order of another customer", strangers=True)
    return rows
