"""Keeps the list of receipts while it is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from console.articles.reading_desk import ReadingDesk

if TYPE_CHECKING:
    from console.page_context import PageContext
    from knowledge.article_history import DeletionReceipt


class ReceiptDesk(QObject):
    """`changed()` when it opened, closed, or has other receipts; `failed(error)` when they can't be read."""

    changed = Signal()
    failed = Signal(object)

    def __init__(self, context: PageContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = context.house.library
        self._reading = ReadingDesk(context.bridge, "receipts", self)
        self._reading.have.connect(self._have)
        self._reading.failed.connect(self.failed)
        self.receipts: tuple[DeletionReceipt, ...] | None = None

    @property
    def is_open(self) -> bool:
        return self.receipts is not None

    @Slot()
    def open(self) -> None:
        self._reading.read(self._library.receipts)

    @Slot()
    def close(self) -> None:
        self._reading.stop()
        self.receipts = None
        self.changed.emit()

    @Slot(object)
    def _have(self, receipts: tuple[DeletionReceipt, ...]) -> None:
        self.receipts = receipts
        self.changed.emit()
