"""The views that take the place of the shelf for a while: coverage, evaluation and receipts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from console.articles.coverage_view import CoverageView
from console.articles.evaluation_desk import EvaluationDesk
from console.articles.evaluation_view import KNOWN, EvaluationView
from console.articles.receipts_view import ReceiptsView

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from console.articles.coverage_shown import Unfound
    from console.articles.presenter import ArticlesPresenter
    from console.page_context import PageContext
    from knowledge.evaluate.questions import KnownQuestion

KNOWN_FOOT_PX: Final = 64


class Asides(QObject):
    """`changed()` when another view is to be seen; `opened(article id)` when an article is chosen in one."""

    changed = Signal()
    opened = Signal(str)

    def __init__(self, context: PageContext, presenter: ArticlesPresenter, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self._zone = context.zone
        self.evaluating = EvaluationDesk(context, self)
        self.receipts = ReceiptsView(context.theme, context.zone)
        self.coverage = CoverageView(context.theme)
        self.evaluation = EvaluationView(context.theme)
        self._connect()
        self._show_job()

    @property
    def views(self) -> tuple[QWidget, ...]:
        return self.coverage, self.evaluation, self.receipts

    @property
    def notice_lift(self) -> int:
        """Notices keep off the buttons at the foot of the known questions."""
        return KNOWN_FOOT_PX if self.view is self.evaluation and self.evaluation.parts.value == KNOWN else 0

    @property
    def view(self) -> QWidget | None:
        """The one that is open."""
        if self._presenter.coverage.is_open:
            return self.coverage
        if self.evaluating.is_open:
            return self.evaluation
        return self.receipts if self._presenter.receipts.is_open else None

    @Slot()
    def show_coverage(self) -> None:
        covered, shelf = self._presenter.coverage.covered, self._presenter.state.shelf
        if covered is not None and shelf is not None:
            self.coverage.show_coverage(covered, shelf, datetime.now(UTC), self._zone)
        self._tell(self.coverage.questions)

    @Slot()
    def _show_evaluated(self) -> None:
        evaluated = self.evaluating.evaluated
        if evaluated is not None:
            self.evaluation.show_evaluated(evaluated, datetime.now(UTC), self._zone)
            self._show_job()
        self._tell(self.evaluation.first)

    @Slot()
    def _show_job(self) -> None:
        self.evaluation.show_job(self.evaluating.job)

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
    def _try_known(self, question: KnownQuestion) -> None:
        self.evaluating.close()
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
        self._connect_evaluation()

    def _connect_evaluation(self) -> None:
        desk, view = self.evaluating, self.evaluation
        desk.changed.connect(self._show_evaluated)
        desk.job_changed.connect(self._show_job)
        view.closed.connect(desk.close)
        view.evaluate_asked.connect(desk.evaluate)
        view.sweep_asked.connect(desk.sweep)
        view.cancel_asked.connect(desk.cancel)
        view.known.tried.connect(self._try_known)
        view.known.reworded.connect(desk.reword)
        view.known.removed.connect(desk.remove)
