"""Keeps what the evaluation view shows while it is open, and runs one evaluation or sweep at a time."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from console.articles.evaluation_calls import Evaluated, read_evaluated, run_evaluation, run_sweep
from console.articles.evaluation_shown import derive_done
from console.articles.reading_desk import ReadingDesk
from console.bridge.jobs import JobBook, JobStatus
from console.widgets.notices import Notice
from knowledge.evaluate.book import QuestionBook

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from console.bridge.calls import Call
    from console.bridge.jobs import JobState, JobWork
    from console.page_context import PageContext
    from knowledge.evaluate.questions import KnownQuestion


class EvaluationDesk(QObject):
    """`changed()` when it opened, closed, or was read anew; `job_changed()` with every step of a run."""

    changed = Signal()
    job_changed = Signal()

    def __init__(self, context: PageContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._jobs = JobBook(context.bridge)
        self._reading = ReadingDesk(context.bridge, "evaluations", self)
        self._reading.have.connect(self._have)
        self._reading.failed.connect(self._cannot)
        self._writing: Call | None = None
        self.evaluated: Evaluated | None = None
        self.job: JobState | None = None
        """The run that is under way, or the one that failed last."""

    @property
    def is_open(self) -> bool:
        return self.evaluated is not None

    @property
    def runs(self) -> bool:
        return self.job is not None and not self.job.ended

    @Slot()
    def open(self) -> None:
        """Read questions and runs, and show them; read again when it is open already."""
        self._reading.read(partial(read_evaluated, self._context.house))

    @Slot()
    def close(self) -> None:
        """A run goes on."""
        self._reading.stop()
        self.evaluated = None
        self.changed.emit()

    @Slot()
    def evaluate(self) -> None:
        self._begin("Evaluation", partial(run_evaluation, self._context.house, self._context.zone))

    @Slot()
    def sweep(self) -> None:
        self._begin("Sweep", partial(run_sweep, self._context.house, self._context.zone))

    @Slot()
    def cancel(self) -> None:
        for job in self._jobs.jobs:
            job.cancel()

    def reword(self, question: KnownQuestion, text: str) -> None:
        """Keep a question in other words."""
        book = QuestionBook(self._context.house.database)
        self._write(partial(book.change, replace(question, text=text)))

    def remove(self, question: KnownQuestion) -> None:
        """Ask a question no more; the runs that asked it stay."""
        book = QuestionBook(self._context.house.database)
        self._write(partial(book.remove, question.question_id))

    def _write(self, work: Callable[[], Coroutine[Any, Any, object]]) -> None:
        if self._writing is None:
            self._writing = self._context.bridge.submit(work, "known question")
            self._writing.done.connect(self.open)
            self._writing.failed.connect(self._cannot)
            self._writing.finished.connect(self._written)

    @Slot()
    def _written(self) -> None:
        self._writing = None

    def _begin(self, what: str, work: JobWork) -> None:
        if self.runs:
            return
        self._jobs.clear_ended()
        job = self._jobs.begin(what, work)
        self.job = job.state
        job.changed.connect(self._job_changed)
        job.done.connect(self._done)
        self.job_changed.emit()

    @Slot(object)
    def _job_changed(self, state: JobState) -> None:
        cancelled = state.status is JobStatus.CANCELLED
        self.job = None if cancelled or state.status is JobStatus.DONE else state
        if cancelled:
            self._context.notify(Notice("evaluation", "info", f"{state.what} stopped: nothing of it was kept."))
        elif state.status is JobStatus.FAILED and not self.is_open:
            self._context.notify(Notice("evaluation", "error", state.sentence))
        self.job_changed.emit()

    @Slot(object)
    def _done(self, found: object) -> None:
        self._context.notify(Notice("evaluation", "ok", derive_done(found)))
        if self.is_open:
            self.open()

    @Slot(object)
    def _have(self, evaluated: object) -> None:
        if isinstance(evaluated, Evaluated):
            self.evaluated = evaluated
            self.changed.emit()

    @Slot(object)
    def _cannot(self, error: Exception) -> None:
        self._context.notify(Notice("evaluation", "error", str(error)))
