"""Every known question: who asked it, which article answers it, and what the last evaluation found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit

from console.articles.allowing import allow
from console.articles.danger_dialog import DangerDialog
from console.articles.evaluation_shown import NO_QUESTIONS, derive_results
from console.widgets.buttons import Button
from console.widgets.cards import Panel
from console.widgets.columns import Column
from console.widgets.fields import SearchField
from console.widgets.label import Label, divider
from console.widgets.pill import PillMark
from console.widgets.record_table import RecordTable
from knowledge.evaluate.questions import QuestionSource

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from console.articles.evaluation_calls import Evaluated
    from console.theme.style import Theme
    from knowledge.evaluate.questions import KnownQuestion

NOT_ASKED: Final = PillMark("Not asked yet")
SOURCES: Final = {
    QuestionSource.SAMPLE: "sample",
    QuestionSource.EDITED: "written",
    QuestionSource.CONVERSATION: "a customer’s",
}
HELP: Final = (
    "An evaluation asks all of these. A question that no article answers is measured too: nothing should be given for "
    "it. To give a question another right passage, try it and choose the passage there."
)
LOSS: Final = "It is asked no more, and its right passages are forgotten. Evaluations that asked it keep their figures."
NONE_CHOSEN: Final = "Choose a question first"
NOTHING_LEFT: Final = "No question has these words."


@dataclass(frozen=True, slots=True)
class KnownRow:
    """`answer` names the articles that answer it."""

    question: KnownQuestion
    tenant: str
    series: int
    answer: str
    source: str
    mark: PillMark
    place: int

    @property
    def key(self) -> str:
        return self.question.question_id


def derive_known(evaluated: Evaluated) -> tuple[KnownRow, ...]:
    tenants = {tenant.tenant_id: tenant for tenant in evaluated.tenants}
    newest = derive_results(evaluated.runs[0], None) if evaluated.runs else ()
    results = {row.question_id: row for row in newest}
    rows: list[KnownRow] = []
    for question in evaluated.questions:
        tenant, result = tenants.get(question.tenant_id), results.get(question.question_id)
        rows.append(
            KnownRow(
                question,
                tenant.name if tenant else question.tenant_id,
                tenant.colour if tenant else 0,
                ", ".join(sorted({support.article for support in question.supports})) or "no article",
                SOURCES[question.source],
                result.mark if result else NOT_ASKED,
                result.place if result else 0,
            )
        )
    return tuple(sorted(rows, key=lambda row: row.question.text.casefold()))


COLUMNS: Final = (
    Column[KnownRow]("text", "Question", text=lambda row: row.question.text, strength="name"),
    Column[KnownRow]("language", "Lang", 66, text=lambda row: row.question.language),
    Column[KnownRow]("tenant", "Tenant", 150, text=lambda row: row.tenant, series=lambda row: row.series),
    Column[KnownRow]("answer", "Answered by", 210, text=lambda row: row.answer),
    Column[KnownRow]("source", "From", 92, text=lambda row: row.source),
    Column[KnownRow]("mark", "Last evaluation", 128, pill=lambda row: row.mark, sort=lambda row: row.place),
)


class KnownView(Panel):
    """`tried(question)`, `reworded(question, text)` and, after a person said yes, `removed(question)`."""

    tried = Signal(object)
    reworded = Signal(object, str)
    removed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Known questions", help_text=HELP, padding=0, ruled=True, parent=parent)
        self.filter = SearchField(theme, "Filter by words, article", icon="filter", small=True)
        self.table = RecordTable[KnownRow](
            theme, COLUMNS, lambda row: row.key, empty=NO_QUESTIONS, name="Known questions"
        )
        self.words = QLineEdit()
        self.keep = Button(theme, "Keep these words", small=True)
        self.search = Button(theme, "Try it", icon="search", small=True)
        self.remove = Button(theme, "Remove", icon="trash", small=True)
        self.dialog: DangerDialog | None = None
        self._build()
        self.filter.textChanged.connect(self._filter)
        self.table.picked.connect(self._show_picked)
        self.table.opened.connect(self._try)
        self.words.textEdited.connect(self._typed)
        self.words.returnPressed.connect(self._keep)
        self.keep.clicked.connect(self._keep)
        self.search.clicked.connect(self._try)
        self.remove.clicked.connect(self._ask_to_remove)
        QShortcut(
            QKeySequence(QKeySequence.StandardKey.Delete), self.table, self._ask_to_remove,
            context=Qt.ShortcutContext.WidgetShortcut,
        )  # fmt: skip

    def show_known(self, evaluated: Evaluated) -> None:
        rows = derive_known(evaluated)
        self.set_unit(f"{len(rows):,}")
        self.table.set_records(rows)
        if self.table.picked_key is None and rows:
            self.table.pick(rows[0].key)
        self._show_picked()

    @Slot(str)
    def _filter(self, words: str) -> None:
        wanted = words.casefold().split()

        def has(row: KnownRow) -> bool:
            text = f"{row.question.text} {row.answer} {row.tenant}".casefold()
            return all(word in text for word in wanted)

        self.table.set_filter(has if wanted else None, NOTHING_LEFT if wanted else NO_QUESTIONS)

    @Slot()
    def _show_picked(self) -> None:
        row = self.table.picked_record
        self.words.setText(row.question.text if row else "")
        self.words.setEnabled(row is not None)
        for button in (self.search, self.remove):
            allow(button, "" if row is not None else NONE_CHOSEN)
        self._typed()

    @Slot()
    def _typed(self) -> None:
        row, text = self.table.picked_record, self.words.text().strip()
        changed = row is not None and bool(text) and text != row.question.text
        allow(self.keep, "" if changed else "Change the words first")

    @Slot()
    def _keep(self) -> None:
        row = self.table.picked_record
        if row is not None and self.keep.isEnabled():
            self.reworded.emit(row.question, self.words.text().strip())

    @Slot()
    def _try(self) -> None:
        row = self.table.picked_record
        if row is not None:
            self.tried.emit(row.question)

    @Slot()
    def _ask_to_remove(self) -> None:
        row = self.table.picked_record
        if row is None or self.dialog is not None:
            return
        theme = self._theme
        words = ("Remove the question", f"Remove “{row.question.text}”?", LOSS)
        no, yes = Button(theme, "Keep it"), Button(theme, "Remove", "danger", "trash")
        self.dialog = DangerDialog(theme, words, no, yes, self)
        self.dialog.accepted.connect(self._remove)
        self.dialog.finished.connect(self._asked)
        self.dialog.open()

    @Slot()
    def _remove(self) -> None:
        row = self.table.picked_record
        if row is not None:
            self.removed.emit(row.question)

    @Slot()
    def _asked(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.deleteLater()

    def _build(self) -> None:
        self.filter.setFixedWidth(220)
        self.add_action(self.filter)
        self.words.setAccessibleName("The question’s words")
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 8, 12, 10)
        foot.setSpacing(8)
        foot.addWidget(Label("Words", "small", "text-3"))
        foot.addWidget(self.words, 1)
        for button in (self.keep, self.search, self.remove):
            foot.addWidget(button)
        self.body.setSpacing(0)
        self.body.addWidget(self.table, 1)
        self.body.addWidget(divider())
        self.body.addLayout(foot)
