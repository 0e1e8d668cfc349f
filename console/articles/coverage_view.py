"""What customers asked and no article answers, and which articles nobody is told of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.articles.allowing import allow
from console.articles.coverage_shown import (
    ALL_FOUND,
    ALL_QUOTED,
    UnfoundShown,
    UnquotedShown,
    derive_coverage_line,
    derive_unfound,
    derive_unquoted,
)
from console.widgets.buttons import Button
from console.widgets.cards import Panel
from console.widgets.columns import Column
from console.widgets.page_header import PageHeader
from console.widgets.record_table import RecordTable

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from console.articles.coverage_calls import Covered
    from console.articles.table_shown import Shelf
    from console.theme.style import Theme

QUESTIONS: Final = (
    Column[UnfoundShown]("text", "Question", text=lambda row: row.text, strength="name", pill=lambda row: row.mark),
    Column[UnfoundShown]("tenant", "Tenant", 156, text=lambda row: row.tenant, series=lambda row: row.series),
    Column[UnfoundShown]("language", "Lang", 62, text=lambda row: row.language),
    Column[UnfoundShown](
        "times", "Times", 60, "right", lambda row: f"{row.times:,}", strength="text", sort=lambda row: row.times
    ),
    Column[UnfoundShown](
        "asked", "Last asked", 90, "right", lambda row: row.asked, sort=lambda row: row.asked_at.timestamp()
    ),
)  # fmt: skip
ARTICLES: Final = (
    Column[UnquotedShown]("title", "Article", text=lambda row: row.title, strength="name"),
    Column[UnquotedShown]("language", "Lang", 54, text=lambda row: row.language),
    Column[UnquotedShown](
        "updated", "Updated", 84, "right", lambda row: row.updated, sort=lambda row: row.updated_at.timestamp()
    ),
)  # fmt: skip
UNFOUND_HELP: Final = (
    "Customers' questions that searched the articles and got no passage over the threshold, from the turns of the last "
    "30 days. The same words of one tenant count as one question."
)
UNQUOTED_HELP: Final = "Published articles that no answer of that time named as a source."
NONE_CHOSEN: Final = "Choose a question first"
IS_KNOWN: Final = "It is a known question already"
SIDE_PX: Final = 440


class CoverageView(QWidget):
    """`tried(question)`, `known_asked(question)`, `article_wanted(question)` for a picked question; `opened(id)`."""

    closed = Signal()
    tried = Signal(object)
    known_asked = Signal(object)
    article_wanted = Signal(object)
    opened = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.header = PageHeader("Coverage")
        self.back = Button(theme, "Back to the articles")
        self.known = Button(theme, "Make a known question", icon="flag", small=True)
        self.write = Button(theme, "Write an article", icon="edit", small=True)
        self.search = Button(theme, "Try it", icon="search", small=True)
        self.questions = RecordTable[UnfoundShown](
            theme, QUESTIONS, lambda row: row.key, empty=ALL_FOUND, at_bottom=True, name="Questions that found nothing"
        )
        self.articles = RecordTable[UnquotedShown](
            theme, ARTICLES, lambda row: row.article_id, empty=ALL_QUOTED, small=True, name="Articles never quoted"
        )
        self._unfound = Panel(theme, "Questions that found nothing", help_text=UNFOUND_HELP, padding=0, ruled=True)
        self._unquoted = Panel(theme, "Articles never quoted", help_text=UNQUOTED_HELP, padding=0, ruled=True)
        self._build()
        self._connect()

    def show_coverage(self, covered: Covered, shelf: Shelf, now: datetime, zone: tzinfo) -> None:
        coverage = covered.coverage
        self.header.set_truth(derive_coverage_line(coverage, now.astimezone(zone).date()))
        unfound = derive_unfound(coverage, shelf.tenants, covered.known, now, zone)
        self.questions.set_records(unfound)
        self._unfound.set_unit(f"{len(unfound):,}")
        unquoted = derive_unquoted(coverage, shelf.articles, now, zone)
        self.articles.set_records(unquoted)
        self._unquoted.set_unit(f"{len(unquoted):,}")
        if self.questions.picked_key is None and unfound:
            self.questions.pick(unfound[0].key)
        self._show_picked()

    @Slot()
    def _show_picked(self) -> None:
        row = self.questions.picked_record
        none = "" if row is not None else NONE_CHOSEN
        allow(self.known, none or (IS_KNOWN if row is not None and row.mark is not None else ""))
        allow(self.write, none)
        allow(self.search, none)
        self._unfound.set_value(f"nearest: {row.nearest}" if row is not None and row.nearest else "")

    @Slot()
    def _try(self) -> None:
        self._send(self.tried)

    @Slot()
    def _make_known(self) -> None:
        self._send(self.known_asked)

    @Slot()
    def _write(self) -> None:
        self._send(self.article_wanted)

    def _send(self, signal: SignalInstance) -> None:
        row = self.questions.picked_record
        if row is not None:
            signal.emit(row.question)

    def _build(self) -> None:
        self.header.add_action(self.back)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 8, 12, 10)
        foot.setSpacing(8)
        foot.addStretch(1)
        for button in (self.search, self.write, self.known):
            foot.addWidget(button)
        self._unfound.body.setSpacing(0)
        self._unfound.body.addWidget(self.questions, 1)
        self._unfound.body.addLayout(foot)
        self._unquoted.body.addWidget(self.articles, 1)
        self._unquoted.setFixedWidth(SIDE_PX)
        row = QHBoxLayout()
        row.setContentsMargins(16, 12, 16, 16)
        row.setSpacing(12)
        row.addWidget(self._unfound, 1)
        row.addWidget(self._unquoted)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addLayout(row, 1)

    def _connect(self) -> None:
        self.back.clicked.connect(self.closed)
        self.search.clicked.connect(self._try)
        self.known.clicked.connect(self._make_known)
        self.write.clicked.connect(self._write)
        self.questions.picked.connect(self._show_picked)
        self.questions.opened.connect(self._try)
        self.articles.opened.connect(self.opened)
        QShortcut(QKeySequence("Esc"), self, self.closed.emit, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
