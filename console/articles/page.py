"""The Articles page: the shelf, the editor, and what is done from one to the other."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from console.articles.adding import AddAsker
from console.articles.allowing import allow
from console.articles.asides import Asides
from console.articles.delete_asker import DeleteAsker
from console.articles.dropping import DropVeil, dropped_paths
from console.articles.editor_view import EditorView
from console.articles.empty_page import EmptyPage
from console.articles.presenter import ArticlesPresenter
from console.articles.shelf_view import ShelfView
from console.articles.table_shown import derive_truth
from console.articles.watch_corner import WatchCorner
from knowledge.article import ArticleStatus

if TYPE_CHECKING:
    from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent

    from console.articles.delete_dialog import DeleteDialog
    from console.articles.table_shown import Shelf
    from console.page_context import PageContext

IMPORT_RUNS: Final = "An import is running: wait for its end or cancel it"
WITHIN: Final = Qt.ShortcutContext.WidgetWithChildrenShortcut


class ArticlesPage(QWidget):
    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = context.theme
        self._zone = context.zone
        self._greeted = False
        self._shown: Shelf | None = None
        self.presenter = ArticlesPresenter(context, self)
        theme = context.theme
        self.shelf = ShelfView(context, self.presenter.searching)
        self.header, self.table, self.pane = self.shelf.header, self.shelf.table, self.shelf.pane
        self.importing, self.search_panel, self.add = self.shelf.importing, self.shelf.search_panel, self.shelf.add
        self.editor = EditorView(theme, self.presenter.editing, context.zone)
        self.watching = WatchCorner(context, self.shelf, self)
        self.asides = Asides(context, self.presenter, self)
        self.empty = EmptyPage(theme)
        self._stack = QStackedWidget()
        self.adding = AddAsker(context.theme, self)
        self._veil = DropVeil(context.theme, self)
        self._deleting = DeleteAsker(context.theme, self)
        self.setAcceptDrops(True)
        self._build()
        self._connect()
        self._show_import()
        self.presenter.refresh()

    def page_shown(self) -> None:
        """Another process may have changed the articles, and another day their states."""
        self.presenter.refresh()

    def notice_lift(self) -> int:
        return self.asides.notice_lift

    def page_hidden(self) -> None:
        self._veil.hide()
        self.presenter.editing.keep()

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
        return self._deleting.dialog

    # Showing

    @Slot()
    def _show(self) -> None:
        state = self.presenter.state
        if state.shelf is None:
            return
        if state.shelf is not self._shown:
            self._shown = state.shelf
            self._show_shelf(state.shelf)
        self.table.show_state(state)
        self.pane.show_state(state, datetime.now(UTC), self._zone)
        self._greet()
        self._show_place()

    def _show_shelf(self, shelf: Shelf) -> None:
        truth = derive_truth(shelf.rows)
        for header in (self.header, self.empty.header):
            header.set_truth(truth)
        self.search_panel.offer(shelf)
        self.editor.offer(shelf)
        self.watching.know(shelf)

    def _greet(self) -> None:
        """The first time that there are articles, show the first one."""
        shown = self.table.table.shown()
        if shown and not self._greeted:
            self._greeted = True
            if not self.presenter.state.picked:
                self.presenter.pick(shown[0].article_id)

    @Slot()
    def _show_import(self) -> None:
        running = self.presenter.importing.state
        self.importing.setVisible(running is not None)
        self.shelf.watch_panel.setVisible(running is None and self.watching.is_open)
        if running is not None:
            self.importing.show_import(running)
        runs = self.presenter.importing.runs
        for button in (self.add, self.empty.add):
            allow(button, IMPORT_RUNS if runs else "")
        self._show_place()

    @Slot()
    def _show_place(self) -> None:
        state, runs = self.presenter.state, self.presenter.importing.state is not None
        if self.presenter.editing.state is not None:
            self._stack.setCurrentWidget(self.editor)
        elif self.asides.view is not None:
            self._stack.setCurrentWidget(self.asides.view)
        elif state.shelf is not None:
            filled = state.shelf.articles or runs or self.watching.state.folder
            self._stack.setCurrentWidget(self.shelf if filled else self.empty)

    # Dropping

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event.mimeData()) and self.presenter.editing.state is None:
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
        self.adding.open_menu(self.add if self._stack.currentWidget() is self.shelf else self.empty.add)

    @Slot()
    def _serve(self) -> None:
        article = self.presenter.state.article
        if article is not None and article.status is ArticleStatus.PUBLISHED:
            self.presenter.retire()
        else:
            self.presenter.publish()

    @Slot()
    def _ask_to_delete(self) -> None:
        article = self.presenter.state.article
        if article is not None and not self.presenter.state.doing:
            self._deleting.ask(article)

    @Slot()
    def _back_to_shelf(self) -> None:
        self._show_place()
        if self._stack.currentWidget() is self.shelf:
            self.table.table.setFocus()

    @Slot(str)
    def _open_article(self, article_id: str) -> None:
        self.table.filter.clear()
        self.presenter.choose_segment("all")
        self.presenter.pick(article_id)

    @Slot(str, int)
    def _open_passage(self, article_id: str, start: int) -> None:
        self.table.filter.clear()
        self.presenter.choose_segment("all")
        self.presenter.show_chunk(article_id, start)

    # Building

    def _build(self) -> None:
        for view in (
            QWidget(),
            self.empty,
            self.shelf,
            self.editor,
            self.asides.coverage,
            self.asides.evaluation,
            self.asides.receipts,
        ):
            self._stack.addWidget(view)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._stack)

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
        self.importing.opened.connect(self._open_article)
        self.watching.opened.connect(self._open_article)
        self.watching.changed.connect(self._show_import)
        self.adding.watch_named.connect(self.watching.watch)
        self.search_panel.opened.connect(self._open_passage)
        self.pane.service_asked.connect(self._serve)
        self.pane.delete_asked.connect(self._ask_to_delete)
        self.pane.edit_asked.connect(presenter.edit)
        self.pane.restore_asked.connect(presenter.restore)
        self._deleting.agreed.connect(presenter.remove)
        self.shelf.receipts.clicked.connect(presenter.receipts.open)
        self.shelf.evaluation.clicked.connect(self.asides.evaluating.open)
        self.shelf.coverage.clicked.connect(presenter.coverage.open)
        self.asides.changed.connect(self._back_to_shelf)
        self.asides.opened.connect(self._open_article)
        self.table.opened.connect(presenter.edit)
        presenter.editing.opened.connect(self._show_place)
        presenter.editing.left.connect(self._back_to_shelf)
        for button in (self.shelf.new, self.empty.new):
            button.clicked.connect(presenter.edit_new)
        QShortcut(QKeySequence("Ctrl+N"), self, presenter.edit_new, context=WITHIN)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.table.table, self._ask_to_delete, context=WITHIN)
        self.empty.folder_asked.connect(self.adding.ask_for_folder)
        self.empty.files_asked.connect(self.adding.ask_for_files)
        self.empty.watch_asked.connect(self.adding.ask_for_watch)
        self.adding.named.connect(presenter.add)
        for button in (self.add, self.empty.add):
            button.clicked.connect(self._open_menu)
