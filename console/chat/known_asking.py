"""Makes a known question of a turn with one click: what was asked, and the passages that its answer cites."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from console.chat.tracked import cited_numbers, source_of
from console.widgets.notices import Notice
from engine_host.answering.events import PassagesFound
from knowledge.evaluate.book import QuestionBook
from knowledge.evaluate.questions import KnownQuestion

if TYPE_CHECKING:
    from console.bridge.calls import Call
    from console.chat.tracked import TrackedTurn
    from console.page_context import PageContext


def may_be_known(turn: TrackedTurn) -> bool:
    """Whether it is a question whose articles were searched, and whose answer has ended."""
    return turn.turn_id is not None and not turn.running and turn.last_of(PassagesFound) is not None


def marks_of(turn: TrackedTurn) -> tuple[tuple[str, str], ...]:
    """Article and text of each passage that the answer cites; none when it cites none."""
    passages = [passage for number in cited_numbers(turn) if (passage := source_of(turn, number))]
    return tuple((passage.article_id, passage.text) for passage in passages)


class KnownAsking(QObject):
    """`failed(error)` with a sentence."""

    failed = Signal(object)

    def __init__(self, context: PageContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._keeping: Call | None = None

    @Slot(object)
    def make_known(self, turn: TrackedTurn) -> None:
        if self._keeping is not None or turn.turn_id is None:
            return
        book = QuestionBook(self._context.house.database)
        work = partial(book.from_turn, turn.turn_id, marks_of(turn))
        self._keeping = self._context.bridge.submit(work, "known question")
        self._keeping.done.connect(self._known)
        self._keeping.failed.connect(self.failed)
        self._keeping.finished.connect(self._kept)

    @Slot(object)
    def _known(self, question: object) -> None:
        if not isinstance(question, KnownQuestion):
            return
        fact = f"“{question.text}” is a known question: every evaluation asks it from now on."
        found = ", ".join(sorted({support.article for support in question.supports}))
        detail = f"Answered by {found}." if found else "No article answers it yet. Choose the passage in Articles."
        self._context.notify(Notice("known question", "ok", fact, detail))

    @Slot()
    def _kept(self) -> None:
        self._keeping = None
