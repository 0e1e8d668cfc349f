"""The left pane: search, segments with counts, and the conversations by day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from console.chat.list_shown import derive_empty, derive_rows
from console.widgets.buttons import Button
from console.widgets.fields import SearchField
from console.widgets.list_rows import ListRows
from console.widgets.page_header import PageHeader
from console.widgets.segment import Option, Segment

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, tzinfo

    from console.theme.style import Theme
    from storage.queries.review import ReviewList
    from storage.records import Tenant

SEGMENTS = (Option("all", "All"), Option("review", "Review"), Option("withheld", "Withheld"))


class Conversations(QFrame):
    """`picked(conversation)`, `searched(text)`, `segment_chosen(key)`, `new_asked()`."""

    picked = Signal(str)
    searched = Signal(str)
    segment_chosen = Signal(str)
    new_asked = Signal()

    def __init__(self, theme: Theme, zone: tzinfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._zone = zone
        self.setProperty("fill", "canvas")
        header = PageHeader("Chat")
        new = Button(theme, "New", icon="plus")
        new.clicked.connect(self.new_asked)
        header.add_action(new)
        self.search = SearchField(theme, "Search conversations", "Ctrl+F")
        # Words end before the shortcut, also in a narrow window.
        self.search.setTextMargins(22, 0, 46, 0)
        self.search.textChanged.connect(self.searched)
        self.segment = Segment(SEGMENTS, small=True, stretch=True)
        self.segment.chosen.connect(self.segment_chosen)
        self.rows = ListRows(theme, name="Conversations")
        self.rows.picked.connect(self._pick)
        tools = QVBoxLayout()
        tools.setContentsMargins(12, 10, 12, 8)
        tools.setSpacing(8)
        tools.addWidget(self.search)
        tools.addWidget(self.segment)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(header)
        column.addLayout(tools)
        column.addWidget(self.rows, 1)

    def show_list(self, found: ReviewList, tenants: Mapping[str, Tenant], now: datetime) -> None:
        empty = derive_empty(self.segment.value, self.search.text().strip())
        with QSignalBlocker(self.rows):
            self.rows.set_rows(derive_rows(found, tenants, now, self._zone), empty)
        self.segment.set_counts({"all": found.all, "review": found.review, "withheld": found.withheld})

    def mark(self, conversation_id: str | None) -> None:
        """Show which conversation is open; no row when it is not in the list."""
        with QSignalBlocker(self.rows):
            self.rows.pick(conversation_id or "")

    @Slot(str)
    def _pick(self, key: str) -> None:
        if key:
            self.picked.emit(key)
