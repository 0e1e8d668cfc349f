"""A small HTTP server that may break HTTP: what a server library rightly prevents is what the bench needs.

Its answers can end in mid-body, be cut inside a character, be reset, or never come. One request a connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qs, unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Awaitable


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    parts: tuple[str, ...]
    query: dict[str, list[str]]
    body: bytes

    def json(self) -> dict[str, Any]:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Wire:
    """The connection as a handler sees it. `closing` is set when the server ends."""

    writer: asyncio.StreamWriter
    closing: asyncio.Event

    def head(self, status: int, kind: str, length: int | None = None) -> None:
        lines = [f"HTTP/1.1 {status} Status", f"Content-Type: {kind}", "Connection: close"]
        lines += [f"Content-Length: {length}"] if length is not None else []
        self.writer.write("\r\n".join(lines).encode() + b"\r\n\r\n")

    def whole(self, status: int, body: object, kind: str = "application/json") -> None:
        """A complete answer; `body` is sent as it is when it is bytes, else as JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        self.head(status, kind, len(data))
        self.writer.write(data)

    async def piece(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    def reset(self) -> None:
        """TCP reset: what was written last may never arrive."""
        connection = self.writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


class WireServer(ABC):
    """`async with` a server of this kind: it answers every request at its `url` by `answer`.

    `faults` are those of the server itself, which it must not have.
    """

    def __init__(self) -> None:
        self._closing = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.Task[None]] = set()
        self.faults: list[Exception] = []

    @abstractmethod
    async def answer(self, request: Request, wire: Wire) -> None: ...

    @property
    def url(self) -> str:
        if self._server is None:
            raise RuntimeError("The server is not started.")
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._talk, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._closing.set()
        if self._server is not None:
            self._server.close()
            for talk in tuple(self._talks):
                talk.cancel()
            await asyncio.gather(*self._talks, return_exceptions=True)
            await self._server.wait_closed()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._talks.add(task)
        try:
            await self._until_gone(reader, self.answer(await _read(reader), Wire(writer, self._closing)))
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
            if task is not None:
                self._talks.discard(task)

    async def _until_gone(self, reader: asyncio.StreamReader, work: Awaitable[None]) -> None:
        """Handle the request until it is done or its client left. A fault of a handler is kept for the bench."""
        working, gone = asyncio.ensure_future(work), asyncio.ensure_future(reader.read())
        try:
            await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (working, gone):
                task.cancel()
            done = await asyncio.gather(working, gone, return_exceptions=True)
        if isinstance(done[0], Exception) and not isinstance(done[0], ConnectionError):
            self.faults.append(done[0])


async def _read(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    method, target, _ = head.split(" ", 2)
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head.split("\r\n")[1:])}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    url = urlsplit(target)
    parts = tuple(unquote(part) for part in url.path.split("/") if part)
    return Request(method, parts, parse_qs(url.query), body)
