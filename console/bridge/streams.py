"""A stream of items out of the loop, in batches that a screen can take.

The loop's half (Pump) gathers items and posts them at ticks of 1/30 s, the same ticks for every stream, so that the GUI
thread wakes once for all of them. A batch is posted only after the screen took the
last one; a full buffer stops pulling.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from console.bridge.calls import Cancelled, Faulted, Finished

if TYPE_CHECKING:
    from console.bridge.mailbox import Mailbox

FLUSHES_PER_SECOND: Final = 30
DEFAULT_BUFFER: Final = 1024

Source = Callable[[], AsyncIterator[object]]


@dataclass(frozen=True, slots=True)
class Batch:
    items: tuple[object, ...]


def next_tick(now: float) -> float:
    """The first flush time after `now`, in seconds of the loop's clock."""
    return (math.floor(now * FLUSHES_PER_SECOND) + 1) / FLUSHES_PER_SECOND


class Pump:
    """Pulls `source` in the loop. `taken` is called in the GUI thread when the last batch is on the screen."""

    def __init__(self, source: Source, mailbox: Mailbox, limit: int) -> None:
        self.address = 0
        self._source = source
        self._mailbox = mailbox
        self._limit = limit
        self._items: list[object] = []
        self._on_its_way = False
        self._timer: asyncio.TimerHandle | None = None
        self._emptied = asyncio.Event()

    async def run(self) -> None:
        iterator = self._source()
        try:
            async with AsyncExitStack() as stack:
                close = getattr(iterator, "aclose", None)
                if close is not None:
                    stack.push_async_callback(close)
                async for item in iterator:
                    await self._add(item)
            if self._items:
                await self._wait_until_empty()
        finally:
            if self._timer is not None:
                self._timer.cancel()
            if self._items:  # a failure: what came before it is not lost
                self._mailbox.post(self.address, Batch(tuple(self._items)))

    def taken(self) -> None:
        self._on_its_way = False

    async def _add(self, item: object) -> None:
        self._items.append(item)
        if self._timer is None:
            self._schedule()
        if len(self._items) >= self._limit:
            await self._wait_until_empty()

    async def _wait_until_empty(self) -> None:
        self._emptied.clear()
        await self._emptied.wait()

    def _schedule(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_at(next_tick(loop.time()), self._flush)

    def _flush(self) -> None:
        if self._on_its_way:
            self._schedule()
            return
        self._timer = None
        items, self._items = tuple(self._items), []
        self._on_its_way = True
        self._mailbox.post(self.address, Batch(items))
        self._emptied.set()


class Stream(QObject):
    """`batch(tuple)` comes at most 30 times a second, `ended(error or None)` once, both in the GUI thread.

    `ended` carries None after a natural end and after `cancel()`, else an exception whose text is a sentence.
    A Stream needs no owner: the bridge keeps it until it ended.
    """

    batch = Signal(tuple)
    ended = Signal(object)

    def __init__(self, name: str, cancel: Callable[[], object], taken: Callable[[], None]) -> None:
        super().__init__()
        self.name = name
        self.running = True
        self._cancel = cancel
        self._taken = taken
        self._cancelling = False

    @property
    def cancelling(self) -> bool:
        """True from `cancel()` on."""
        return self._cancelling

    def cancel(self) -> None:
        """Close the iterator, and with it what it reads from. No batch comes any more; `ended(None)` still does."""
        if self.running and not self._cancelling:
            self._cancelling = True
            self._cancel()

    def receive(self, letter: object) -> bool:
        """For the mailbox."""
        match letter:
            case Batch(items):
                if not self._cancelling:
                    self.batch.emit(items)
                self._taken()
                return True
            case Faulted(error):
                self._end(error)
            case Finished() | Cancelled():
                self._end(None)
            case _:
                raise TypeError(letter)
        return False

    def _end(self, error: Exception | None) -> None:
        self.running = False
        self.ended.emit(error)
