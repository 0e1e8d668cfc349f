"""A Published value of the loop, seen from the GUI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.bridge.mailbox import Mailbox
    from engine_host.published import Published

T = TypeVar("T")


class Tap(Generic[T]):
    """The loop's half: remembers the newest value and posts once until the GUI thread took it."""

    def __init__(self, published: Published[T], mailbox: Mailbox, seen: T) -> None:
        self.address = 0
        self._published = published
        self._mailbox = mailbox
        self._newest = seen
        self._posted = False
        self._unwatch: Callable[[], None] | None = None

    def open(self) -> None:
        """In the loop. A value published since the mirror was made is passed on at once."""
        self._unwatch = self._published.watch(self._changed)
        if self._published.value != self._newest:
            self._changed(self._published.value)

    def close(self) -> None:
        if self._unwatch is not None:
            self._unwatch()

    def take(self) -> T:
        """In the GUI thread: clear the mark first, so that a value published meanwhile is posted again."""
        self._posted = False
        return self._newest

    def _changed(self, value: T) -> None:
        self._newest = value
        if not self._posted:
            self._posted = True
            self._mailbox.post(self.address, None)


class Mirror(QObject):
    """`value` is what the GUI thread last heard; `changed(value)` comes in the GUI thread. Values in between may be
    skipped, the newest never is."""

    changed = Signal(object)

    def __init__(self, value: object, take: Callable[[], object], close: Callable[[], None]) -> None:
        super().__init__()
        self.value = value
        self._take = take
        self._close = close

    def newest(self) -> object:
        """The value published last, also when `changed` has not come yet."""
        return self._take()

    def close(self) -> None:
        """Stop listening."""
        self._close()

    def receive(self, letter: object) -> bool:  # noqa: ARG002
        """For the mailbox."""
        value = self._take()
        if value != self.value:
            self.value = value
            self.changed.emit(value)
        return True
