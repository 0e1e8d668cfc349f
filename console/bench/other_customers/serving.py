"""Serves an app on a free port of this machine, in the loop that asks it, for as long as a block lasts."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import TYPE_CHECKING

import uvicorn

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator

    from starlette.types import ASGIApp


class _Server(uvicorn.Server):
    """Leaves signals to the bench."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


@contextlib.asynccontextmanager
async def served(app: ASGIApp) -> AsyncGenerator[str]:
    """The URL at which `app` answers inside the block."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            app, loop="asyncio", http="h11", ws="none", lifespan="off", log_config=None, access_log=False,
            timeout_graceful_shutdown=2,
        )  # fmt: skip
        server = _Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            await serving
