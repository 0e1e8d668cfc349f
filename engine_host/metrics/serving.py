"""Offers a page of metrics over HTTP on this machine only, from the running loop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from typing import TYPE_CHECKING, Final

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from engine_host.metrics.exposition import CONTENT_TYPE
from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator

    from starlette.requests import Request
    from starlette.responses import Response

HOST: Final = "127.0.0.1"
CLOSE_S: Final = 2


class MetricsPortTaken(Exception):
    """The page is not offered; `str(e)` is a sentence."""


class _Server(uvicorn.Server):
    """Leaves signals to whoever serves: uvicorn's own handling raises them again at the end."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


def metrics_app(read: Callable[[], Awaitable[str]]) -> Starlette:
    """`read` makes the page anew for each scrape. Names of other hosts are refused: a web page that lets its own name
    lead to this machine reads nothing."""

    async def metrics(_request: Request) -> Response:
        try:
            return PlainTextResponse(await read(), headers={"content-type": CONTENT_TYPE})
        except StorageError as error:
            return PlainTextResponse(f"{error}\n", status_code=503)

    return Starlette(
        routes=[Route("/metrics", metrics)],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])],
    )


class MetricsServer:
    """Serves from `start` to `close`. Nothing is read between two scrapes."""

    def __init__(self, read: Callable[[], Awaitable[str]]) -> None:
        self._read = read
        self._server: _Server | None = None
        self._serving: asyncio.Task[None] | None = None
        self.address = ""
        """Where the page is; empty while it is not offered."""

    async def start(self, port: int) -> str:
        """The address of the page; `port` 0 takes any free one. A second call changes nothing while it serves.

        Raises MetricsPortTaken.
        """
        if self._serving is None:
            self._listener = _listen(port)
            config = uvicorn.Config(
                metrics_app(self._read), loop="asyncio", http="h11", ws="none", lifespan="off", log_config=None,
                access_log=False, timeout_graceful_shutdown=CLOSE_S,
            )  # fmt: skip
            self._server = _Server(config)
            self._serving = asyncio.create_task(self._server.serve(sockets=[self._listener]), name="metrics page")
            self.address = f"http://{HOST}:{self._listener.getsockname()[1]}/metrics"
        return self.address

    async def close(self) -> None:
        """A scrape under way is finished. A second call does nothing."""
        serving, self._serving = self._serving, None
        self.address = ""
        if serving is not None and self._server is not None:
            self._server.should_exit = True
            await serving
            self._listener.close()


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(16)
    except OSError as error:
        listener.close()
        raise MetricsPortTaken(
            f"Metrics are not offered on port {port} of this machine: {error.strerror}. Name another port in "
            "Settings, or with --port."
        ) from error
    return listener
