"""An order system that lies: a bare TCP server which sends, byte for byte, what a test tells it to."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Lie = Callable[[asyncio.StreamWriter, asyncio.Event], Awaitable[None]]

CUSTOMER = "C-2291"


def moment(minutes: float = 0) -> str:
    """The wall clock, `minutes` from now, as the order API writes times."""
    return (datetime.now(UTC) + timedelta(minutes=minutes)).isoformat()


def order_json(**changes: object) -> dict[str, Any]:
    """A true order on its way, with `changes`; a field changed to `...` is left out."""
    order: dict[str, Any] = {
        "order_id": "KD-4821",
        "customer_id": CUSTOMER,
        "status": "out_for_delivery",
        "status_changed_at": moment(-10),
        "version": 4,
        "items": [{"name": "Low-sugar lunch", "quantity": 1, "diet": "low-sugar"}],
        "total": {"amount": 160.0, "currency": "INR"},
        "placed_at": moment(-190),
        "left_kitchen_at": moment(-10),
        "expected_at": moment(24),
        "delivered_at": None,
        "courier_first_name": "Ravi",
        "as_of": moment(),
    }
    return {key: value for key, value in (order | changes).items() if value is not ...}


def answer(
    body: object = None, status: str = "200 OK", kind: str = "application/json", headers: tuple[str, ...] = ()
) -> Lie:
    """A whole answer: `body` is sent as it is when it is bytes, else as JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = (f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(data)}", *headers)

    async def lie(writer: asyncio.StreamWriter, closing: asyncio.Event) -> None:
        writer.write("\r\n".join(head).encode() + b"\r\n\r\n" + data)

    return lie


def raw(data: bytes) -> Lie:
    """These bytes and then the end of the connection."""

    async def lie(writer: asyncio.StreamWriter, closing: asyncio.Event) -> None:
        writer.write(data)

    return lie


async def silence(writer: asyncio.StreamWriter, closing: asyncio.Event) -> None:
    """Takes the question and never answers."""
    await closing.wait()


async def trickle(writer: asyncio.StreamWriter, closing: asyncio.Event) -> None:
    """A good start, then one blank every 10 ms for ever: no single wait is long."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500000\r\n\r\n")
    while not (closing.is_set() or writer.is_closing()):
        writer.write(b" ")
        try:
            await asyncio.wait_for(closing.wait(), 0.01)
        except TimeoutError:
            continue


async def endless(writer: asyncio.StreamWriter, closing: asyncio.Event) -> None:
    """An answer without an announced length that never ends."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[")
    while not (closing.is_set() or writer.is_closing()):
        writer.write(b"0," * 32_768)
        await writer.drain()


async def reset(writer: asyncio.StreamWriter, closing: asyncio.Event) -> None:
    """A TCP reset in the middle of the answer."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{")
    await writer.drain()
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


class LyingOrders:
    """`async with LyingOrders() as orders:` serves `orders.lie` at `orders.base_url`; `asked` holds request heads."""

    def __init__(self) -> None:
        self.lie: Lie = answer({"orders": []})
        self.asked: list[str] = []
        self.arrived = asyncio.Event()
        self._closing = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.Task[None]] = set()

    @property
    def base_url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    @property
    def targets(self) -> list[str]:
        """The raw request targets, as they crossed the wire."""
        return [head.split(" ")[1] for head in self.asked]

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._talks.add(task)
        try:
            self.asked.append((await reader.readuntil(b"\r\n\r\n")).decode("latin-1"))
            self.arrived.set()
            await self.lie(writer, self._closing)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            self._talks.discard(task)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._talk, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._closing.set()
        self._server.close()
        await asyncio.gather(*self._talks, return_exceptions=True)
        await self._server.wait_closed()
