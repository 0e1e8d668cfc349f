"""The order system of this kitchen: its own by URL, else the bundled demo one, found or started when it is needed."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING

from engine_host.orders.demo_process import DemoOrders
from engine_host.orders.dialect import dialect_of
from engine_host.orders.errors import OrderSystemError
from engine_host.orders.http import HttpOrderBook
from engine_host.orders.port import OrdersUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from engine_host.orders.demo.book import DemoCustomer
    from engine_host.orders.demo.client import DemoAddress
    from engine_host.orders.port import OrderReading, VerifiedCustomer
    from storage.paths import Home
    from storage.secret_room import SecretRoom
    from storage.settings import OrderSettings


class KitchenOrders:
    """An OrderBook that knows where the orders are. `demo` is None when the kitchen's own system is configured."""

    def __init__(self, home: Home, settings: OrderSettings, secrets: SecretRoom) -> None:
        self.demo = DemoOrders(home) if settings.base_url is None else None
        self._settings = settings
        self._secrets = secrets
        self._book: HttpOrderBook | None = None
        self._address: DemoAddress | None = None

    async def active_orders(self, customer: VerifiedCustomer) -> OrderReading:
        return await self._ask(lambda book: book.active_orders(customer))

    async def order(self, customer: VerifiedCustomer, order_id: str) -> OrderReading:
        return await self._ask(lambda book: book.order(customer, order_id))

    async def known_customers(self) -> tuple[DemoCustomer, ...]:
        """The customers to act as; empty for a kitchen's own system, which lists none, and for a stopped demo one."""
        if self.demo is None:
            return ()
        try:
            return await self.demo.customers()
        except OrderSystemError:
            return ()

    async def close(self) -> None:
        if self._book:
            await self._book.close()
        if self.demo:
            await self.demo.close()

    async def _ask(self, look_up: Callable[[HttpOrderBook], Awaitable[OrderReading]]) -> OrderReading:
        began = time.monotonic()
        try:
            book = await self._current_book()
        except OrderSystemError as error:
            return OrdersUnavailable(str(error), "(not asked)", None, (time.monotonic() - began) * 1000)
        return await look_up(book)

    async def _current_book(self) -> HttpOrderBook:
        if self.demo is None:
            return self._book or await self._own_book()
        address = await self.demo.ensure()
        if self._book is None or address != self._address:
            if self._book:
                await self._book.close()
            self._address = address
            self._book = HttpOrderBook(
                address.base_url,
                auth_value=f"Bearer {address.key}",
                lookup_timeout_s=self._settings.lookup_timeout_s,
                clock_tolerance=timedelta(seconds=self._settings.clock_tolerance_s),
            )
        return self._book

    async def _own_book(self) -> HttpOrderBook:
        name = self._settings.auth_value_secret
        self._book = HttpOrderBook(
            self._settings.base_url or "",
            auth_header=self._settings.auth_header,
            auth_value=await self._secrets.get(name) if name else None,
            lookup_timeout_s=self._settings.lookup_timeout_s,
            dialect=dialect_of(self._settings.statuses, self._settings.fields),
            clock_tolerance=timedelta(seconds=self._settings.clock_tolerance_s),
        )
        return self._book
