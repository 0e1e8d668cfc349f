"""Reads the shelf when it is asked to and when the library changed, never twice at once."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.articles.shelf_calls import follow, read_shelf
from console.articles.table_shown import Shelf
from engine_host.published import Published

if TYPE_CHECKING:
    from console.bridge.calls import Call
    from console.page_context import PageContext

SOON_MS: Final = 300
REST: Final = 5
"""An import changes the library with every file: the shelf is read again at most this often, and never for more than
a part in REST of the time."""


class ShelfDesk(QObject):
    """`have(shelf)` after each reading, or `failed(error)`."""

    have = Signal(object)
    failed = Signal(object)

    def __init__(self, context: PageContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._shelf: Shelf | None = None
        self._reading: Call | None = None
        self._read_again = False
        self._began = 0.0
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON_MS)
        self._soon.timeout.connect(self.refresh)
        self._revision = Published(-1)
        self._mirror = context.bridge.mirror(self._revision)
        self._mirror.changed.connect(self._library_changed)
        self._following = context.bridge.submit(
            partial(follow, context.house.library, self._revision), "follow library"
        )

    @Slot()
    def refresh(self) -> None:
        """Read the shelf; asked while it is being read, it is read once more after that."""
        if self._reading is not None:
            self._read_again = True
            return
        self._began = time.monotonic()
        work = partial(read_shelf, self._context.house, self._context.zone, self._shelf)
        self._reading = self._context.bridge.submit(work, "articles")
        self._reading.done.connect(self._have)
        self._reading.failed.connect(self.failed)
        self._reading.finished.connect(self._read)

    @Slot()
    def _library_changed(self) -> None:
        if not self._soon.isActive():
            self._soon.start()

    @Slot(object)
    def _have(self, shelf: object) -> None:
        if isinstance(shelf, Shelf):
            self._shelf = shelf
            self.have.emit(shelf)

    @Slot()
    def _read(self) -> None:
        self._reading = None
        self._soon.setInterval(max(SOON_MS, round(REST * 1000 * (time.monotonic() - self._began))))
        if self._read_again:
            self._read_again = False
            self.refresh()
