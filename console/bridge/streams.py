"""A stream of items out of the loop, in batches that a screen can take.

The loop's half (Pump) gathers items and posts them 30 times a second, fewer when many streams share the screen, and
each stream at its own moment. A batch is posted only after the screen took the last one; a full buffer stops pulling.
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
FLUSHES_OF_ALL: Final = 160
"""What all streams together may ask of the screen in a second: a flush costs it up to 1 ms of layout and paint."""
GOLDEN: Final = 0.618034
DEFAULT_BUFFER: Final = 1024

Source = Callable[[], AsyncIterator[object]]


@dataclass(frozen=True, slots=True)
class Batch:
    items: tuple[object, ...]


class Pace:
    """The time between two flushes of a stream, from how many streams share the screen. Lives in the loop."""

    def __init__(self) -> None:
        self.streams = 0

    @property
    def interval_s(self) -> float:
        return max(1 / FLUSHES_PER_SECOND, self.streams / FLUSHES_OF_ALL)


def next_tick(earliest: float, interval: float, phase: float) -> float:
    """The first flush time from `earliest` on, on a grid of `interval` seconds shifted by `phase` (0 to 1) of it.

    An engine's step brings a token for every stream at one moment; phases spread their painting evenly.
    """
    return (math.ceil(earliest / interval - phase - 1e-6) + phase) * interval


class Pump:
    """Pulls `source` in the loop. `taken` is called in the GUI thread when the last batch is on the screen."""

    def __init__(self, source: Source, mailbox: Mailbox, limit: int, pace: Pace) -> None:
        self.address = 0
        self._source = source
        self._mailbox = mailbox
        self._limit = limit
        self._pace = pace
        self._not_before = 0.0
        self._items: list[object] = []
        self._on_its_way = False
        self._timer: asyncio.TimerHandle | None = None
        self._emptied = asyncio.Event()

    async def run(self) -> None:
        iterator = self._source()
        self._pace.streams += 1
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
            self._pace.streams -= 1
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
        earliest = max(loop.time(), self._not_before)
        at = next_tick(earliest, self._pace.interval_s, self.address * GOLDEN % 1)
        self._timer = loop.call_at(at, self._flush)
        self._not_before = at + 1 / FLUSHES_PER_SECOND

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
