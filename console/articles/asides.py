"""The views that take the place of the shelf for a while: coverage and receipts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from console.articles.coverage_view import CoverageView
from console.articles.receipts_view import ReceiptsView

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from console.articles.coverage_shown import Unfound
    from console.articles.presenter import ArticlesPresenter
    from console.page_context import PageContext


class Asides(QObject):
    """`changed()` when another view is to be seen; `opened(article id)` when an article is chosen in one."""

    changed = Signal()
    opened = Signal(str)

    def __init__(self, context: PageContext, presenter: ArticlesPresenter, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self._zone = context.zone
        self.receipts = ReceiptsView(context.theme, context.zone)
        self.coverage = CoverageView(context.theme)
        self._connect()

    @property
    def view(self) -> QWidget | None:
        """The one that is open."""
        if self._presenter.coverage.is_open:
            return self.coverage
        return self.receipts if self._presenter.receipts.is_open else None

    @Slot()
    def show_coverage(self) -> None:
        covered, shelf = self._presenter.coverage.covered, self._presenter.state.shelf
        if covered is not None and shelf is not None:
            self.coverage.show_coverage(covered, shelf, datetime.now(UTC), self._zone)
        self._tell(self.coverage.questions)

    @Slot()
    def _show_receipts(self) -> None:
        receipts = self._presenter.receipts.receipts
        if receipts is not None:
            self.receipts.show_receipts(receipts)
        self._tell(self.receipts.table)

    def _tell(self, table: QWidget) -> None:
        """The keyboard begins in the table of a view that was just opened."""
        opens = self.view is not None and not self.view.isVisible()
        self.changed.emit()
        if opens:
            table.setFocus()

    @Slot(object)
    def _try(self, question: Unfound) -> None:
        self._presenter.coverage.close()
        self._presenter.searching.try_as(question.text, question.tenant_id, question.language)

    @Slot(object)
    def _write(self, question: Unfound) -> None:
        self._presenter.write(question.text, question.language)

    @Slot(object)
    def _open(self, article_id: str) -> None:
        self._presenter.coverage.close()
        self.opened.emit(article_id)

    def _connect(self) -> None:
        presenter = self._presenter
        presenter.coverage.changed.connect(self.show_coverage)
        presenter.receipts.changed.connect(self._show_receipts)
        self.receipts.closed.connect(presenter.receipts.close)
        self.coverage.closed.connect(presenter.coverage.close)
        self.coverage.known_asked.connect(presenter.coverage.make_known)
        self.coverage.tried.connect(self._try)
        self.coverage.article_wanted.connect(self._write)
        self.coverage.opened.connect(self._open)
