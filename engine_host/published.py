"""State that one room publishes and others watch: the current value plus a change signal. No Qt, no event bus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Published(Generic[T]):
    """Holds a frozen value and calls every watcher, in the publishing thread, after it changed.

    A value equal to the current one is not published again.
    """

    def __init__(self, value: T) -> None:
        self._value = value
        self._watchers: list[Callable[[T], None]] = []

    @property
    def value(self) -> T:
        return self._value

    def publish(self, value: T) -> None:
        if value == self._value:
            return
        self._value = value
        for watcher in tuple(self._watchers):
            watcher(value)

    def watch(self, watcher: Callable[[T], None]) -> Callable[[], None]:
        """Call `watcher` on each change from now on; returns the function that ends the watch."""
        self._watchers.append(watcher)

        def stop() -> None:
            if watcher in self._watchers:
                self._watchers.remove(watcher)

        return stop
