"""How well the right passage is found: runs over the known questions, sweeps over settings, and the questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from console.articles.allowing import allow
from console.articles.evaluation_shown import NO_QUESTIONS, derive_evaluation_line, derive_job
from console.articles.known_view import KnownView
from console.articles.runs_view import RunsView
from console.articles.sweep_shown import derive_sweeps
from console.articles.sweeps_view import SweepsView
from console.widgets.buttons import Button
from console.widgets.job_row import JobRow
from console.widgets.page_header import PageHeader
from console.widgets.segment import Option, Segment

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from console.articles.evaluation_calls import Evaluated
    from console.bridge.jobs import JobState
    from console.theme.style import Theme

RUNS, SWEEPS, KNOWN = "runs", "sweeps", "known"
RUNNING: Final = "One run at a time: wait for its end or cancel it."
NOTHING_TO_SWEEP: Final = "No known question has a right passage: settings can't be compared."
EVALUATE: Final = "Ask every known question and keep the figures"
SWEEP: Final = "Try chunk sizes, overlaps, ways of searching and numbers of passages; some minutes"


class EvaluationView(QWidget):
    """`evaluate_asked`, `sweep_asked` and `cancel_asked` for what a person does."""

    closed = Signal()
    evaluate_asked = Signal()
    sweep_asked = Signal()
    cancel_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.header = PageHeader("Evaluation")
        self.back = Button(theme, "Back to the articles")
        self.sweep = Button(theme, "Run a sweep", icon="lab")
        self.evaluate = Button(theme, "Run an evaluation", "primary", "play")
        self.parts = Segment([Option(RUNS, "Runs"), Option(SWEEPS, "Sweeps"), Option(KNOWN, "Known questions")])
        self.job = JobRow(theme)
        self.runs = RunsView(theme)
        self.sweeps = SweepsView(theme)
        self.known = KnownView(theme)
        self._pages = QStackedWidget()
        self._answerable = self._known = 0
        self._build()
        self._connect()

    @property
    def first(self) -> QWidget:
        """Where the keyboard begins."""
        return {RUNS: self.runs.table, SWEEPS: self.sweeps.table, KNOWN: self.known.table}[self.parts.value]

    def show_evaluated(self, evaluated: Evaluated, now: datetime, zone: tzinfo) -> None:
        self.header.set_truth(derive_evaluation_line(evaluated, now, zone))
        self.runs.show_runs(evaluated.runs, now, zone)
        self.sweeps.show_sweeps(derive_sweeps(evaluated.sweeps, now, zone))
        self.known.show_known(evaluated)
        counts = (len(evaluated.runs), len(evaluated.sweeps), len(evaluated.questions))
        self.parts.set_counts(dict(zip((RUNS, SWEEPS, KNOWN), counts, strict=True)))
        self._known, self._answerable = len(evaluated.questions), evaluated.answerable

    def show_job(self, job: JobState | None) -> None:
        runs = job is not None and not job.ended
        self.job.setVisible(job is not None)
        if job is None or job.ended:
            self.job.reset()
        if job is not None:
            self.job.show_job(derive_job(job))
        allow(self.evaluate, RUNNING if runs else "" if self._known else NO_QUESTIONS, EVALUATE)
        allow(self.sweep, RUNNING if runs else "" if self._answerable else NOTHING_TO_SWEEP, SWEEP)

    @Slot(str)
    def show_part(self, part: str) -> None:
        self.parts.set_value(part)
        self._pages.setCurrentIndex((RUNS, SWEEPS, KNOWN).index(part))

    @Slot()
    def _evaluate(self) -> None:
        self.show_part(RUNS)
        self.first.setFocus()  # the button is off while it runs, and would hand the keyboard to whatever comes next
        self.evaluate_asked.emit()

    @Slot()
    def _sweep(self) -> None:
        self.show_part(SWEEPS)
        self.first.setFocus()
        self.sweep_asked.emit()

    def _build(self) -> None:
        for action in (self.back, self.sweep, self.evaluate):
            self.header.add_action(action)
        for page in (self.runs, self.sweeps, self.known):
            self._pages.addWidget(page)
        self.job.hide()
        bar = QHBoxLayout()
        bar.addWidget(self.parts)
        bar.addStretch(1)
        inner = QVBoxLayout()
        inner.setContentsMargins(16, 12, 16, 16)
        inner.setSpacing(12)
        inner.addLayout(bar)
        inner.addWidget(self.job)
        inner.addWidget(self._pages, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addLayout(inner, 1)

    def _connect(self) -> None:
        self.back.clicked.connect(self.closed)
        self.evaluate.clicked.connect(self._evaluate)
        self.sweep.clicked.connect(self._sweep)
        self.job.cancel_asked.connect(self.cancel_asked)
        self.parts.chosen.connect(self.show_part)
        QShortcut(QKeySequence("Esc"), self, self.closed.emit, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
