"""Keeps what the coverage view shows while it is open, and makes known questions of what customers asked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from console.articles.coverage_calls import Covered, read_coverage
from console.articles.reading_desk import ReadingDesk
from console.widgets.notices import Notice
from knowledge.evaluate.book import QuestionBook

if TYPE_CHECKING:
    from console.articles.coverage_shown import Unfound
    from console.bridge.calls import Call
    from console.page_context import PageContext


class CoverageDesk(QObject):
    """`changed()` when it opened, closed, or was read anew; `failed(error)` when it can't be read."""

    changed = Signal()
    failed = Signal(object)

    def __init__(self, context: PageContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._reading = ReadingDesk(context.bridge, "coverage", self)
        self._reading.have.connect(self._have)
        self._reading.failed.connect(self.failed)
        self._keeping: Call | None = None
        self.covered: Covered | None = None

    @property
    def is_open(self) -> bool:
        return self.covered is not None

    @Slot()
    def open(self) -> None:
        """Read what customers asked, and show it; read again when it is open already."""
        self._reading.read(partial(read_coverage, self._context.house, self._context.zone))

    @Slot()
    def close(self) -> None:
        self._reading.stop()
        self.covered = None
        self.changed.emit()

    def make_known(self, question: Unfound) -> None:
        """Keep a customer's question; that no article answers it is what is known of it so far."""
        if self._keeping is not None:
            return
        book = QuestionBook(self._context.house.database)
        self._keeping = self._context.bridge.submit(partial(book.from_turn, question.turn_id, ()), "known question")
        self._keeping.done.connect(self._made_known)
        self._keeping.failed.connect(self.failed)
        self._keeping.finished.connect(self._kept)

    @Slot()
    def _made_known(self) -> None:
        fact = "It is a known question now: no article answers it yet."
        detail = "When one does, try the question in the search test and choose the right passage."
        self._context.notify(Notice("known question", "ok", fact, detail))
        self.open()

    @Slot()
    def _kept(self) -> None:
        self._keeping = None

    @Slot(object)
    def _have(self, covered: object) -> None:
        if isinstance(covered, Covered):
            self.covered = covered
            self.changed.emit()
