"""The shelf: the table, the import and the search test, and one article beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from console.articles.article_pane import ArticlePane
from console.articles.embedder_line import EmbedderLine
from console.articles.import_panel import ImportPanel
from console.articles.search_panel import SearchPanel
from console.articles.table_card import TableCard
from console.articles.watch_panel import WatchLine, WatchPanel
from console.widgets.buttons import Button
from console.widgets.page_header import PageHeader

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from console.articles.searching import SearchDesk
    from console.page_context import PageContext

NARROW: Final = 1320
PANE_PX, NARROW_PANE_PX = 500, 400
PANELS_PX: Final = 321
"""Height of the import and search panels."""
IMPORT_PX, SEARCH_PX = 389, 449


class ShelfView(QSplitter):
    def __init__(self, context: PageContext, searching: SearchDesk, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        theme = context.theme
        self.header = PageHeader("Articles")
        self.coverage = Button(theme, "Coverage", "quiet")
        self.receipts = Button(theme, "Receipts", "quiet")
        self.evaluation = Button(theme, "Evaluation", "quiet")
        self.add = Button(theme, "Import", icon="import")
        self.new = Button(theme, "New article", "primary", "plus")
        self.table = TableCard(theme)
        self.importing = ImportPanel(theme)
        self.embedder_line = EmbedderLine(context)
        self.watch_line = WatchLine(theme)
        self.watch_panel = WatchPanel(theme)
        self.search_panel = SearchPanel(theme, searching)
        self.pane = ArticlePane(theme, context.zone)
        self._build()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != self.width():
            side = NARROW_PANE_PX if self.width() < NARROW else PANE_PX
            self.setSizes([self.width() - side - 1, side])

    def _build(self) -> None:
        left = QWidget()
        left.setMinimumWidth(660)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for action in (self.coverage, self.evaluation, self.receipts, self.add, self.new):
            self.header.add_action(action)
        column.addWidget(self.header)
        cards = QVBoxLayout()
        cards.setContentsMargins(16, 12, 16, 16)
        cards.setSpacing(12)
        cards.addWidget(self.embedder_line)
        cards.addWidget(self.watch_line)
        cards.addWidget(self.table, 1)
        panels = QHBoxLayout()
        panels.setSpacing(12)
        panels.addWidget(self.importing, IMPORT_PX)
        panels.addWidget(self.watch_panel, IMPORT_PX)
        panels.addWidget(self.search_panel, SEARCH_PX)
        for panel in (self.importing, self.watch_panel, self.search_panel):
            panel.setFixedHeight(PANELS_PX)
        cards.addLayout(panels)
        column.addLayout(cards, 1)
        self.pane.setMinimumWidth(320)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.addWidget(left)
        self.addWidget(self.pane)
        self.setStretchFactor(0, 1)
