"""Finds, starts and stops the demo order system of one home. Several consoles and commands may use the same one.

Who starts it stops it: `close` ends only what this object started, and the child also ends when its starter dies.
A person's word counts for longer: stopped by hand it stays stopped until it is served by hand.
"""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from filelock import AsyncFileLock
from filelock import Timeout as LockTimeout

from engine_host.orders.demo import client, server
from engine_host.orders.demo.child import START_S, STOP_S, end_child, end_process, start_child
from engine_host.orders.demo.client import DemoAddress
from engine_host.orders.demo.run_file import Running, StoppedByHand, process_of, read_record, record_of, write_record
from engine_host.orders.errors import OrderSystemFailed, OrderSystemRuns, OrderSystemStopped

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncGenerator, Callable, Generator

    from engine_host.orders.demo.book import DemoCustomer
    from engine_host.orders.port import Order, OrderStatus
    from storage.paths import Home

LOCK_WAIT_S: Final = START_S + 2 * STOP_S


class DemoOrders:
    """The bundled order system of `home`. Close it in the loop that used it."""

    def __init__(self, home: Home) -> None:
        self._data = home.root / "demo_orders"
        self._record_file = home.run / "orders.json"
        self._lock_file = home.run / "orders.lock"
        self._log_file = home.logs / "orders.log"
        self._child: Process | None = None

    async def ensure(self) -> DemoAddress:
        """The running one, else a new child of this process.

        Raises OrderSystemStopped when a person stopped it and OrderSystemFailed when it does not start.
        """
        if found := await self.find():
            return found
        async with self._alone():
            record = read_record(self._record_file)
            if isinstance(record, StoppedByHand):
                raise _stopped(f"it was stopped by hand at {record.at.astimezone():%Y-%m-%d %H:%M}")
            if record and process_of(record):
                return self._address(record.port)
            if record and record.by_hand:
                raise _stopped("it was served by hand and ended")
            return await self._start_child()

    async def start(self) -> DemoAddress:
        """Start it by hand, also after it was stopped by hand; the running one if there is one.

        Raises OrderSystemFailed.
        """
        async with self._alone():
            return await self.find() or await self._start_child()

    async def find(self) -> DemoAddress | None:
        """The running one, whoever started it; starts nothing."""
        record = read_record(self._record_file)
        return self._address(record.port) if isinstance(record, Running) and process_of(record) else None

    async def customers(self) -> tuple[DemoCustomer, ...]:
        return await client.read_customers(await self.ensure())

    async def list_orders(self) -> tuple[Order, ...]:
        """All orders of the day, of all tenants, as they stand now."""
        return await client.read_orders(await self.ensure())

    async def move(self, order_id: str, status: OrderStatus) -> Order:
        """Move an order by hand; it follows its plan no more. Raises OrderUnknown."""
        return await client.move_order(await self.ensure(), order_id, status)

    async def reset(self) -> None:
        """Start the day again: moves by hand are forgotten."""
        await client.reset_day(await self.ensure())

    async def stop(self) -> bool:
        """Stop it by hand, whoever started it: it stays stopped. False when it did not run."""
        async with self._alone():
            record = read_record(self._record_file)
            process = process_of(record) if isinstance(record, Running) else None
            write_record(self._record_file, StoppedByHand(datetime.now(UTC)))
            if process:
                await end_process(process)
            return process is not None

    async def close(self) -> None:
        """End the child that this object started; one that others started goes on."""
        child, self._child = self._child, None
        if child is None:
            return
        async with self._alone():
            await end_child(child)
            record = read_record(self._record_file)
            if isinstance(record, Running) and record.pid == child.pid:
                write_record(self._record_file, None)

    async def serve_forever(self, port: int = 0, on_ready: Callable[[DemoAddress], None] | None = None) -> None:
        """Serve it in this process, by hand, until Ctrl+C or SIGTERM. Needs the main thread.

        Raises OrderSystemRuns when one runs already and PortTaken for a named port in use.
        """
        until, ready = asyncio.Event(), asyncio.get_running_loop().create_future()
        async with self._alone():
            if found := await self.find():
                raise OrderSystemRuns(
                    f"The demo order system already runs at {found.base_url}. Stop it with `dabba orders stop` first."
                )
            serving = asyncio.create_task(server.serve(self._data, port, until, ready.set_result))
            await asyncio.wait({serving, ready}, return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                return await serving
            write_record(self._record_file, record_of(os.getpid(), ready.result(), by_hand=True))
        with _until_signal(until):
            if on_ready:
                on_ready(self._address(ready.result()))
            await serving
        write_record(self._record_file, StoppedByHand(datetime.now(UTC)))
        return None

    async def _start_child(self) -> DemoAddress:
        self._child, port = await start_child(self._data, self._log_file)
        write_record(self._record_file, record_of(self._child.pid, port, by_hand=False))
        return self._address(port)

    def _address(self, port: int) -> DemoAddress:
        return DemoAddress(f"http://{server.HOST}:{port}", server.key_of(self._data))

    @asynccontextmanager
    async def _alone(self) -> AsyncGenerator[None]:
        """One process at a time starts or stops it."""
        lock = AsyncFileLock(self._lock_file, timeout=LOCK_WAIT_S, run_in_executor=False)
        try:
            self._lock_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            async with lock:
                yield
        except LockTimeout as error:
            raise OrderSystemFailed(
                "The demo order system is being started or stopped by another program, which takes too long. Try again."
            ) from error
        except OSError as error:
            raise OrderSystemFailed(
                f"The demo order system can't be started or stopped: {error.strerror}. "
                f"Make room in {self._data.parent}, or check its permissions."
            ) from error


@contextmanager
def _until_signal(until: asyncio.Event) -> Generator[None]:
    """Ctrl+C and SIGTERM set `until` instead of breaking off."""
    loop, numbers = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        loop.add_signal_handler(number, until.set)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


def _stopped(fact: str) -> OrderSystemStopped:
    return OrderSystemStopped(f"The demo order system is stopped: {fact}. Start it with `dabba orders serve`.")
