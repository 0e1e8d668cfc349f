"""Serves the demo order system on this machine only, from a data folder, until it is told to end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
import sqlite3
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import uvicorn

from engine_host.orders.demo.app import order_app
from engine_host.orders.demo.book import DemoBook
from engine_host.orders.demo.seed import sample_seed
from engine_host.orders.errors import OrderSystemFailed, PortTaken
from storage.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

HOST: Final = "127.0.0.1"
KEY_BYTES: Final = 32
LOG: Final = logging.getLogger("engine_host.orders.demo")


class _Server(uvicorn.Server):
    """Leaves signals to whoever serves: uvicorn's own handling raises them again at the end."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


async def serve(data: Path, port: int, until: asyncio.Event, on_ready: Callable[[int], None]) -> None:
    """Serve `data` until `until` is set; `on_ready` gets the port once questions are taken.

    `port` 0 takes the port of the last time when it is free, so that clients find it again, else any free one.
    Raises PortTaken for a named port in use, SeedRefused and OrderSystemFailed.
    """
    book = _open(data)
    listener = None
    try:
        listener = _listen(data, port)
        _start_day(book)
        config = uvicorn.Config(
            order_app(book, key_of(data)), loop="asyncio", http="h11", ws="none", lifespan="off",
            log_config=None, access_log=False, timeout_graceful_shutdown=2,
        )  # fmt: skip
        server = _Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        on_ready(_remember_port(data, listener))
        await _first_of(serving, until)
        server.should_exit = True
        await serving
    finally:
        book.close()
        if listener:
            listener.close()


def key_of(data: Path) -> str:
    """The key of this data folder, made on first use and anew when it is damaged; readable by its owner only.

    Raises OrderSystemFailed.
    """
    file = data / "key"
    try:
        key = _kept_key(file)
        if not key:
            key = secrets.token_urlsafe(KEY_BYTES)
            write_atomically(file, key.encode())
    except OSError as error:
        raise OrderSystemFailed(
            f"The key of the demo order system can't be kept in {file}: {error.strerror}. Move that file away."
        ) from error
    return key


def _kept_key(file: Path) -> str:
    """The key in `file`; empty when there is none, or none that is whole."""
    try:
        key = file.read_text(encoding="ascii")
    except (FileNotFoundError, UnicodeDecodeError):
        return ""
    return key if len(key) >= KEY_BYTES and key.isprintable() else ""


def _open(data: Path) -> DemoBook:
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        return DemoBook(data / "orders.sqlite3")
    except (OSError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise OrderSystemFailed(
            f"The demo order system can't use {data}: {reason}. Move that folder away, or make it writable."
        ) from error


def _start_day(book: DemoBook) -> None:
    now, before = datetime.now(UTC), book.day_started_at()
    if not book.day_is_over(now):
        LOG.info("The day that began at %s UTC goes on.", f"{before:%Y-%m-%d %H:%M}")
        return
    book.seed(sample_seed(), now)
    over = f"The day that began at {before:%Y-%m-%d %H:%M} UTC is over" if before else "There were no orders yet"
    LOG.info("%s: a new day starts now with %d orders.", over, len(book.orders(now)))


def _listen(data: Path, port: int) -> socket.socket:
    for wanted in (port,) if port else (_last_port(data), 0):
        # Named, since asyncio turns Nagle's delay (40 ms an answer) off only for sockets that say they are TCP.
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, wanted))
            listener.listen(128)
        except OSError as error:
            listener.close()
            if wanted == port:
                raise PortTaken(
                    f"The demo order system can't use port {port}: {error.strerror}. Name another one with --port."
                ) from error
        else:
            return listener
    raise AssertionError("port 0 is always tried last")


def _last_port(data: Path) -> int:
    try:
        port = int((data / "port").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0
    return port if 1024 <= port <= 65_535 else 0


def _remember_port(data: Path, listener: socket.socket) -> int:
    port: int = listener.getsockname()[1]
    write_atomically(data / "port", str(port).encode())
    return port


async def _first_of(serving: asyncio.Task[None], until: asyncio.Event) -> None:
    told = asyncio.create_task(until.wait())
    try:
        await asyncio.wait({serving, told}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        told.cancel()
