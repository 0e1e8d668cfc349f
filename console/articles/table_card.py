"""The card with every article: segments, filter, table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from console.articles.table_shown import (
    ALL,
    RANKS,
    ArticleRow,
    derive_counts,
    derive_empty,
    derive_filter,
    segment_text,
)
from console.widgets.cards import Card
from console.widgets.columns import Column
from console.widgets.empty_state import EmptyState
from console.widgets.fields import SearchField
from console.widgets.label import divider
from console.widgets.record_table import RecordTable
from console.widgets.segment import Option, Segment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from console.articles.presenter import ArticlesState
    from console.theme.style import Theme

COLUMNS = (
    Column[ArticleRow]("state", "State", 112, pill=lambda row: row.mark, sort=lambda row: RANKS[row.state]),
    Column[ArticleRow](
        "title",
        "Title",
        text=lambda row: row.title,
        strength="name",
        second=lambda row: "has a draft" if row.drafted else "",
    ),
    Column[ArticleRow]("language", "Lang", 54, text=lambda row: row.language),
    Column[ArticleRow]("audience", "Audience", 148, text=lambda row: row.audience, series=lambda row: row.series),
    Column[ArticleRow]("valid", "Valid", 132, text=lambda row: row.valid, sort=lambda row: row.valid_from),
    Column[ArticleRow](
        "chunks", "Chunks", 64, "right", lambda row: f"{row.chunks:,}", strength="text", sort=lambda row: row.chunks
    ),
    Column[ArticleRow](
        "updated", "Updated", 86, "right", lambda row: row.updated, sort=lambda row: row.updated_at.timestamp()
    ),
)


class TableCard(Card):
    """`picked(article id or None)`, `opened(article id)`, `filtered(words)`, `segment_chosen(key)` for what a person
    does."""

    picked = Signal(object)
    opened = Signal(object)
    filtered = Signal(str)
    segment_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(padding=0, parent=parent)
        self.segment = Segment([])
        self._segments: tuple[str, ...] = ()
        self._counted: Sequence[ArticleRow] | None = None
        self._filtered = (ALL, "")
        self.filter = SearchField(theme, "Filter by title, owner, text", "Ctrl+F", icon="filter")
        self.filter.setFixedWidth(252)
        self.table = RecordTable[ArticleRow](
            theme, COLUMNS, lambda row: row.article_id, retired=lambda row: row.state == "retired", at_bottom=True,
            name="Articles",
        )  # fmt: skip
        self.table.sort_by("state")
        self.nothing = EmptyState(theme, "", "Clear the filter")
        self._stack = QStackedWidget()
        self._build()
        self.filter.textChanged.connect(self.filtered)
        self.nothing.acted.connect(self._clear)
        self.table.picked.connect(self.picked)
        self.table.opened.connect(self.opened)

    def show_state(self, state: ArticlesState) -> None:
        rows = state.shelf.rows if state.shelf else ()
        self._show_segments(rows, state.segment)
        self.table.blockSignals(True)  # what changes by itself is no choice of a person
        self.table.set_records(rows)
        if self._filtered != (state.segment, state.words):
            segment, words = self._filtered
            narrower = segment in (ALL, state.segment) and state.words.startswith(words)
            self._filtered = (state.segment, state.words)
            self.table.set_filter(derive_filter(*self._filtered), narrower=narrower)
        if self.table.picked_key != (state.picked or None):
            self.table.pick(state.picked or None)
        self.table.blockSignals(False)
        self.nothing.say(derive_empty(state.segment, state.words), "Clear the filter" if state.words else "")
        self._stack.setCurrentWidget(self.table if self.table.model().rowCount() else self.nothing)

    def _show_segments(self, rows: Sequence[ArticleRow], chosen: str) -> None:
        if rows is not self._counted:
            self._counted = rows
            self._show_counts(derive_counts(rows))
        self.segment.set_value(chosen)

    def _show_counts(self, counts: Mapping[str, int]) -> None:
        if tuple(counts) != self._segments:
            self._segments = tuple(counts)
            self._replace_segment([Option(key, segment_text(key), count) for key, count in counts.items()])
        self.segment.set_counts(counts)

    def _replace_segment(self, options: Sequence[Option]) -> None:
        old, self.segment = self.segment, Segment(options)
        self.segment.chosen.connect(self.segment_chosen)
        self._bar.replaceWidget(old, self.segment)
        old.hide()
        old.deleteLater()

    @Slot()
    def _clear(self) -> None:
        self.filter.clear()
        self.filter.setFocus()

    def _build(self) -> None:
        self._bar = QHBoxLayout()
        self._bar.setContentsMargins(12, 8, 10, 8)
        self._bar.setSpacing(8)
        self._bar.addWidget(self.segment)
        self._bar.addStretch(1)
        self._bar.addWidget(self.filter)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.nothing)
        self.body.setSpacing(0)
        self.body.addLayout(self._bar)
        self.body.addWidget(divider())
        self.body.addWidget(self._stack, 1)
