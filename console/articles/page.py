"""The Articles page: the shelf, the import, the search test, and one article beside them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from console.articles.adding import AddAsker
from console.articles.article_pane import ArticlePane
from console.articles.delete_dialog import DeleteDialog
from console.articles.dropping import DropVeil, dropped_paths
from console.articles.empty_page import EmptyPage
from console.articles.import_panel import ImportPanel
from console.articles.presenter import ArticlesPresenter
from console.articles.search_panel import SearchPanel
from console.articles.table_card import TableCard
from console.articles.table_shown import derive_truth
from console.widgets.buttons import Button
from console.widgets.page_header import PageHeader
from knowledge.article import ArticleStatus

if TYPE_CHECKING:
    from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QResizeEvent

    from console.page_context import PageContext

NARROW: Final = 1320
PANE_PX, NARROW_PANE_PX = 500, 400
PANELS_PX: Final = 321
"""Height of the import and search panels."""
IMPORT_PX: Final = 389
BLANK, EMPTY, FULL = 0, 1, 2


class ArticlesPage(QWidget):
    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = context.theme
        self._zone = context.zone
        self._greeted = False
        self.presenter = ArticlesPresenter(context, self)
        self.header = PageHeader("Articles")
        self.empty_header = PageHeader("Articles")
        self.add = Button(context.theme, "Import", "primary", "import")
        self.empty_add = Button(context.theme, "Import", icon="import")
        self.table = TableCard(context.theme)
        self.importing = ImportPanel(context.theme)
        self.search_panel = SearchPanel(context.theme, self.presenter.searching)
        self.pane = ArticlePane(context.theme)
        self.empty = EmptyPage(context.theme)
        self._stack = QStackedWidget()
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self.adding = AddAsker(context.theme, self)
        self._veil = DropVeil(context.theme, self)
        self._dialog: DeleteDialog | None = None
        self.setAcceptDrops(True)
        self._build()
        self._connect()
        self._show()
        self.presenter.refresh()

    def page_shown(self) -> None:
        """Another process may have changed the articles, and another day their states."""
        self.presenter.refresh()

    def page_hidden(self) -> None:
        self._veil.hide()

    def show_article(self, source_name_without_ending: str) -> None:
        """Show the article of a file, such as `refunds.en` of `refunds.en.md`."""
        self.table.filter.clear()
        self.presenter.choose_segment("all")
        self.presenter.show_article(source_name_without_ending)

    def search(self, text: str) -> None:
        """Try a search as if it had been typed."""
        self.search_panel.field.setText(text)

    @property
    def dialog(self) -> DeleteDialog | None:
        """The question before an article is deleted, while it is open."""
        return self._dialog

    # Showing

    @Slot()
    def _show(self) -> None:
        state = self.presenter.state
        if state.shelf is None:
            return
        truth = derive_truth(state.shelf.rows)
        for header in (self.header, self.empty_header):
            header.set_truth(truth)
        self.search_panel.offer(state.shelf)
        self.table.show_state(state)
        self.pane.show_state(state, datetime.now(UTC), self._zone)
        self._greet()
        self._show_import()

    def _greet(self) -> None:
        """The first time that there are articles, show the first one."""
        shown = self.table.table.shown()
        if shown and not self._greeted:
            self._greeted = True
            if not self.presenter.state.picked:
                self.presenter.pick(shown[0].article_id)

    @Slot()
    def _show_import(self) -> None:
        state, running = self.presenter.state, self.presenter.importing.state
        self.importing.setVisible(running is not None)
        if running is not None:
            self.importing.show_import(running)
        for button in (self.add, self.empty_add):
            button.setEnabled(not self.presenter.importing.runs)
        if state.shelf is not None:
            self._stack.setCurrentIndex(FULL if state.shelf.articles or running is not None else EMPTY)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != self.width():
            side = NARROW_PANE_PX if self.width() < NARROW else PANE_PX
            self._split.setSizes([self.width() - side - 1, side])

    # Dropping

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event.mimeData()):
            event.acceptProposedAction()
            self._veil.lift()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._veil.hide()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self._veil.hide()
        event.acceptProposedAction()
        self.presenter.add(dropped_paths(event.mimeData()))

    # What a person does

    @Slot()
    def _open_menu(self) -> None:
        self.adding.open_menu(self.add if self._stack.currentIndex() == FULL else self.empty_add)

    @Slot()
    def _serve(self) -> None:
        article = self.presenter.state.article
        if article is not None and article.status is ArticleStatus.PUBLISHED:
            self.presenter.retire()
        else:
            self.presenter.republish()

    @Slot()
    def _ask_to_delete(self) -> None:
        article = self.presenter.state.article
        if article is not None:
            self._dialog = DeleteDialog(self._theme, article, self)
            self._dialog.accepted.connect(self.presenter.remove)
            self._dialog.finished.connect(self._asked)
            self._dialog.open()

    @Slot()
    def _asked(self) -> None:
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            dialog.deleteLater()

    @Slot(str, int)
    def _open_passage(self, article_id: str, start: int) -> None:
        self.table.filter.clear()
        self.presenter.choose_segment("all")
        self.presenter.show_chunk(article_id, start)

    # Building

    def _build(self) -> None:
        self._stack.addWidget(QWidget())
        self._stack.addWidget(self._build_empty())
        self._stack.addWidget(self._build_full())
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._stack)

    def _build_empty(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.empty_header.add_action(self.empty_add)
        column.addWidget(self.empty_header)
        column.addWidget(self.empty, 1)
        return page

    def _build_full(self) -> QWidget:
        left = QWidget()
        left.setMinimumWidth(660)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.header.add_action(self.add)
        column.addWidget(self.header)
        cards = QVBoxLayout()
        cards.setContentsMargins(16, 12, 16, 16)
        cards.setSpacing(12)
        cards.addWidget(self.table, 1)
        panels = QHBoxLayout()
        panels.setSpacing(12)
        panels.addWidget(self.importing, IMPORT_PX)
        panels.addWidget(self.search_panel, 449)
        for panel in (self.importing, self.search_panel):
            panel.setFixedHeight(PANELS_PX)
        cards.addLayout(panels)
        column.addLayout(cards, 1)
        self.pane.setMinimumWidth(320)
        self._split.setHandleWidth(1)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(left)
        self._split.addWidget(self.pane)
        self._split.setStretchFactor(0, 1)
        return self._split

    def _connect(self) -> None:
        presenter = self.presenter
        presenter.changed.connect(self._show)
        presenter.importing.changed.connect(self._show_import)
        presenter.revealed.connect(self.pane.reveal)
        self.table.picked.connect(presenter.pick)
        self.table.filtered.connect(presenter.filter)
        self.table.segment_chosen.connect(presenter.choose_segment)
        self.importing.cancel_asked.connect(presenter.importing.cancel)
        self.importing.close_asked.connect(presenter.importing.close)
        self.search_panel.opened.connect(self._open_passage)
        self.pane.service_asked.connect(self._serve)
        self.pane.delete_asked.connect(self._ask_to_delete)
        self.empty.folder_asked.connect(self.adding.ask_for_folder)
        self.empty.files_asked.connect(self.adding.ask_for_files)
        self.adding.named.connect(presenter.add)
        for button in (self.add, self.empty_add):
            button.clicked.connect(self._open_menu)
