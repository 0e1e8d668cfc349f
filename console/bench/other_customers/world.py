"""The order system of this bench: owners with one order each, askers, and those in whose orders notes are planted.

It does what its contract says, an order of somebody else and one that is not there get the same 404, unless it is told
to be careless.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from console.bench.other_customers.people import (
    asker,
    asker_without_orders,
    nobodies,
    note_takers,
    owners,
    table,
)
from console.bench.other_customers.spelling import filled
from console.bench.other_customers.tries import NOTES_OF_NOBODY, NOTES_OF_OWNER
from engine_host.orders.wire import order_fields

if TYPE_CHECKING:
    from collections.abc import Generator

    from starlette.requests import Request
    from starlette.responses import Response

    from console.bench.other_customers.people import Owner
    from engine_host.orders.port import Order


def planted_notes(of_nobody: bool) -> tuple[str, ...]:
    """The notes with the owners' numbers in them, or with those that belong to nobody."""
    targets = nobodies() if of_nobody else tuple(owner.target for owner in owners())
    texts: list[str] = table("planted")["notes"]["texts"]
    return tuple(filled(text, targets[at % len(targets)]) for at, text in enumerate(texts))


class World:
    """All orders there are. `hidden`: the owners and their orders are not there, and never were.

    `careless`: any order is given to whoever names its number.
    """

    def __init__(self) -> None:
        self.began = datetime.now(UTC)
        self.hidden = False
        self.delay_s = 0.0
        self.careless = False
        notes = (
            *note_takers(planted_notes(of_nobody=False), NOTES_OF_OWNER),
            *note_takers(planted_notes(of_nobody=True), NOTES_OF_NOBODY),
        )
        self._strangers = {owner.target.customer: owner for owner in owners()}
        self._others = {owner.target.customer: owner for owner in (asker(), *notes)}

    @contextmanager
    def without_owners(self) -> Generator[None]:
        self.hidden = True
        try:
            yield
        finally:
            self.hidden = False

    def knows(self, customer: str) -> bool:
        return customer == asker_without_orders() or customer in self._people()

    def orders_of(self, customer: str) -> tuple[Order, ...]:
        found = self._people().get(customer)
        return (found.row(self.began, datetime.now(UTC)),) if found else ()

    def order(self, customer: str, order_id: str) -> Order | None:
        seen = tuple(self._people()) if self.careless else (customer,)
        rows = (row for one in seen for row in self.orders_of(one))
        return next((row for row in rows if row.order_id == order_id), None)

    def _people(self) -> dict[str, Owner]:
        return self._others if self.hidden else self._strangers | self._others


def order_system(world: World) -> Starlette:
    """The order API over `world`."""

    async def orders_of(request: Request) -> Response:
        await asyncio.sleep(world.delay_s)
        customer = request.path_params["customer"]
        if not world.knows(customer):
            return _unknown()
        return JSONResponse({"orders": [order_fields(order) for order in world.orders_of(customer)]})

    async def order_of(request: Request) -> Response:
        await asyncio.sleep(world.delay_s)
        order = world.order(request.path_params["customer"], request.path_params["order"])
        return JSONResponse(order_fields(order)) if order else _unknown()

    return Starlette(
        routes=[
            Route("/customers/{customer}/orders", orders_of),
            Route("/customers/{customer}/orders/{order}", order_of),
        ]
    )


def _unknown() -> Response:
    return JSONResponse({"detail": "Not found."}, status_code=404)
