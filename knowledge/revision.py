"""That something changed, told to whoever shows it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Revision:
    """Grows by one with every change; watchers are called in the loop after each."""

    def __init__(self) -> None:
        self.number = 0
        self._watchers: list[Callable[[], None]] = []

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Returns the function that ends the watch."""
        self._watchers.append(watcher)
        return partial(self._unwatch, watcher)

    def grow(self) -> None:
        self.number += 1
        for watcher in tuple(self._watchers):
            watcher()

    def _unwatch(self, watcher: Callable[[], None]) -> None:
        if watcher in self._watchers:
            self._watchers.remove(watcher)
