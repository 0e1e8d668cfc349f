"""A real HTTP server whose metrics page is the one that a test lays out; None is an error of the server."""

from __future__ import annotations

import asyncio
from typing import Self


class PageServer:
    """`async with`; then `page` is what the next request gets."""

    def __init__(self) -> None:
        self.page: str | None = None
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_error: object) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        status, body = ("500 Fault", b"") if self.page is None else ("200 OK", self.page.encode())
        lines = (f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Content-Type: text/plain", "Connection: close")
        head = "\r\n".join(lines) + "\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()
        writer.close()
        await writer.wait_closed()
