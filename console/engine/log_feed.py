"""The engine's log as a stream of news: which run's log, and its new lines."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from pathlib import Path


class Tail(Protocol):
    """What is needed of engine_host/engine/log_tail.py."""

    @property
    def path(self) -> Path | None: ...

    @property
    def lines(self) -> tuple[str, ...]: ...

    def watch(self, watcher: Callable[[tuple[str, ...]], None]) -> Callable[[], None]: ...


@dataclass(frozen=True, slots=True)
class LogNews:
    """`path` names the file: another one than before is the log of another run."""

    path: str
    lines: tuple[str, ...]


async def log_news(tail: Tail) -> AsyncGenerator[LogNews]:
    """What is there now, then every new batch, for ever. In the loop."""
    waiting: asyncio.Queue[LogNews] = asyncio.Queue()

    def heard(lines: tuple[str, ...]) -> None:
        waiting.put_nowait(LogNews(str(tail.path), lines))

    stop = tail.watch(heard)
    try:
        if tail.lines:
            yield LogNews(str(tail.path), tail.lines)
        while True:
            yield await waiting.get()
    finally:
        stop()
