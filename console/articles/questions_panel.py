"""The known questions that an article answers, with what the last evaluation found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QVBoxLayout, QWidget

from console.articles.questions_shown import QuestionShown
from console.widgets.columns import Column
from console.widgets.label import Label, divider
from console.widgets.record_table import RecordTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.theme.style import Theme

COLUMNS: Final = (
    Column[QuestionShown]("text", "Question", text=lambda row: row.text, strength="name"),
    Column[QuestionShown]("language", "Lang", 54, text=lambda row: row.language),
    Column[QuestionShown]("mark", "Last evaluation", 122, pill=lambda row: row.mark, sort=lambda row: row.place),
)
NONE: Final = (
    "No known question is answered by this article. Try one in the search test, choose the right passage, and make it "
    "a known question."
)
HELP: Final = "Questions whose right passage is known. An evaluation asks them all and tells where it came."


class QuestionsPanel(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = RecordTable[QuestionShown](
            theme, COLUMNS, lambda row: row.question_id, empty=NONE, small=True, name="Known questions"
        )
        line = Label(HELP, "small", "text-3", wrap=True)
        line.setContentsMargins(16, 8, 16, 8)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(line)
        column.addWidget(divider())
        column.addWidget(self.table, 1)

    def show_questions(self, rows: Sequence[QuestionShown]) -> None:
        self.table.set_records(tuple(rows))
