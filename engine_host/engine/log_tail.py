"""Follows an engine's log file: the last lines for the screen, and a call for each batch of new ones."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEPT_LINES = 5000
FOLLOW_EVERY_S = 0.2
_READ_BYTES = 512 * 1024


class LogTail:
    """The last 5,000 lines of the current engine's log. Watchers get the new lines, in order, in the loop's thread."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=KEPT_LINES)
        self._watchers: list[Callable[[tuple[str, ...]], None]] = []
        self._path: Path | None = None
        self._offset = 0
        self._rest = b""

    @property
    def path(self) -> Path | None:
        return self._path

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(self._lines)

    def last(self, count: int) -> tuple[str, ...]:
        return self.lines[-count:]

    def watch(self, watcher: Callable[[tuple[str, ...]], None]) -> Callable[[], None]:
        """Call `watcher` with each batch of new lines; returns the function that ends the watch."""
        self._watchers.append(watcher)

        def stop() -> None:
            if watcher in self._watchers:
                self._watchers.remove(watcher)

        return stop

    def open(self, path: Path) -> None:
        """Follow `path` from its beginning, or its last part when it is long."""
        self._lines.clear()
        self._path, self._rest = path, b""
        size = path.stat().st_size if path.exists() else 0
        self._offset = max(0, size - _READ_BYTES)

    def read_new(self) -> tuple[str, ...]:
        """Take what was written since; a line that is not finished waits."""
        if self._path is None or not self._path.exists():
            return ()
        with self._path.open("rb") as file:
            file.seek(self._offset)
            raw = file.read(_READ_BYTES)
        if not raw:
            return ()
        self._offset += len(raw)
        *whole, self._rest = (self._rest + raw).split(b"\n")
        new = tuple(line.decode("utf-8", errors="replace").rstrip("\r") for line in whole)
        self._lines.extend(new)
        for watcher in tuple(self._watchers) if new else ():
            watcher(new)
        return new

    async def follow(self) -> None:
        """Read for ever; cancel it to stop."""
        while True:
            self.read_new()
            await asyncio.sleep(FOLLOW_EVERY_S)
