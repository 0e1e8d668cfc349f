"""The order API and the demo's own routes over a DemoBook, as a Starlette app. Every route needs the key.

GET  /customers/{customer}/orders?active=true      {"orders": [order, …]}
GET  /customers/{customer}/orders/{order}          order; 404 for an unknown one and for someone else's
GET  /demo/customers · GET /demo/orders · POST /demo/orders/{order}/move {"status": …} · POST /demo/reset
"""

from __future__ import annotations

import hmac
import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import Route

from engine_host.orders.demo.plan import Standing, is_active
from engine_host.orders.demo.seed import sample_seed
from engine_host.orders.port import Order, OrderStatus
from engine_host.orders.wire import order_fields

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from engine_host.orders.demo.book import DemoBook


def order_app(book: DemoBook, key: str, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Starlette:
    """The app; `clock` gives aware UTC. The book's calls are short: they run in the loop of the server."""
    api = _Api(book, clock)
    return Starlette(
        routes=[
            Route("/customers/{customer}/orders", api.orders_of),
            Route("/customers/{customer}/orders/{order}", api.order_of),
            Route("/demo/customers", api.customers),
            Route("/demo/orders", api.orders),
            Route("/demo/orders/{order}/move", api.move, methods=["POST"]),
            Route("/demo/reset", api.reset, methods=["POST"]),
        ],
        middleware=[Middleware(_KeyGate, key=key)],
    )


class _KeyGate:
    def __init__(self, app: ASGIApp, key: str) -> None:
        self._app = app
        self._expected = f"Bearer {key}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given: bytes = dict(scope.get("headers", ())).get(b"authorization", b"")
        if hmac.compare_digest(given, self._expected):
            await self._app(scope, receive, send)
        else:
            await _problem(401, "The key is missing or wrong.")(scope, receive, send)


class _Api:
    def __init__(self, book: DemoBook, clock: Callable[[], datetime]) -> None:
        self._book = book
        self._clock = clock

    async def orders_of(self, request: Request) -> Response:
        customer, now = request.path_params["customer"], self._clock()
        if all(known.customer_id != customer for known in self._book.customers()):
            return _problem(404, "There is no such customer.")
        orders = [order for order in self._book.orders(now) if order.customer_id == customer]
        if request.query_params.get("active") == "true":
            orders = [order for order in orders if is_active(_standing(order), now)]
        return JSONResponse({"orders": [order_fields(order) for order in orders]})

    async def order_of(self, request: Request) -> Response:
        order = self._book.order(request.path_params["order"], self._clock())
        if order is None or order.customer_id != request.path_params["customer"]:
            return _problem(404, "This customer has no such order.")
        return JSONResponse(order_fields(order))

    async def customers(self, request: Request) -> Response:
        del request
        return JSONResponse({"customers": [asdict(customer) for customer in self._book.customers()]})

    async def orders(self, request: Request) -> Response:
        del request
        return JSONResponse({"orders": [order_fields(order) for order in self._book.orders(self._clock())]})

    async def move(self, request: Request) -> Response:
        status = _status_in(await request.body())
        if status is None:
            return _problem(422, f'Send {{"status": …}} with one of: {", ".join(OrderStatus)}.')
        order = self._book.move(request.path_params["order"], status, self._clock())
        return _problem(404, "There is no such order.") if order is None else JSONResponse(order_fields(order))

    async def reset(self, request: Request) -> Response:
        del request
        self._book.seed(sample_seed(), self._clock())
        return JSONResponse({"orders": len(self._book.orders(self._clock()))})


def _status_in(body: bytes) -> OrderStatus | None:
    try:
        return OrderStatus(json.loads(body)["status"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _standing(order: Order) -> Standing:
    return Standing(order.status, order.status_changed_at, order.version, order.left_kitchen_at, order.delivered_at)


def _problem(status: int, detail: str) -> JSONResponse:
    return JSONResponse({"detail": detail}, status_code=status)
