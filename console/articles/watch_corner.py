"""The watched folder's part of the page: follows its state, shows it on the shelf, and does what a person asks."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from console.articles.watch_calls import follow_watch, watch_folder
from console.articles.watch_shown import derive_watch_line, folder_text
from console.widgets.notices import Notice
from engine_host.published import Published
from knowledge.watching_state import WatchState

if TYPE_CHECKING:
    from pathlib import Path

    from console.articles.shelf_view import ShelfView
    from console.articles.table_shown import Shelf
    from console.page_context import PageContext


class WatchCorner(QObject):
    """`opened(article id)` when a person wants to look at the article of a file; `changed()` when the shelf has to be
    laid out anew."""

    opened = Signal(str)
    changed = Signal()

    def __init__(self, context: PageContext, shelf: ShelfView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._line, self._panel = shelf.watch_line, shelf.watch_panel
        self._open = False
        self._told: Notice | None = None
        self._known: frozenset[str] = frozenset()
        news = Published(WatchState())
        self._mirror = context.bridge.mirror(news)
        self._mirror.changed.connect(self._heard)
        self._following = context.bridge.submit(
            partial(follow_watch, context.house.watching, news), "follow watched folder"
        )
        self.state = WatchState()
        self._connect()
        self._show()

    @property
    def is_open(self) -> bool:
        """Whether the files are to be seen."""
        return self._open and self.state.folder is not None

    def know(self, shelf: Shelf) -> None:
        """The articles that there are: only these can be looked at."""
        self._known = frozenset(article.article_id for article in shelf.articles)
        self._show()

    def watch(self, folder: Path) -> None:
        """Watch this folder from now on, also after the next start."""
        fact = f"{folder_text(folder)} is watched: what is put there becomes an article by itself."
        self._set(folder, Notice("watched folder", "ok", fact))

    @Slot()
    def stop(self) -> None:
        detail = "What was taken in stays in the library."
        self._set(None, Notice("watched folder", "info", "No folder is watched any more.", detail))

    @Slot()
    def toggle(self) -> None:
        self._open = not self._open
        self._show()
        self.changed.emit()

    @Slot(object)
    def _heard(self, state: object) -> None:
        if isinstance(state, WatchState):
            other = state.folder != self.state.folder
            self.state = state
            self._show()
            if other:
                self.changed.emit()

    def _show(self) -> None:
        shown = derive_watch_line(self.state, datetime.now(UTC), self._context.zone)
        self._line.setVisible(shown is not None)
        if shown is not None:
            self._line.show_line(shown, open_=self._open)
        if self.is_open:
            self._panel.show_watch(self.state, self._known)

    def _set(self, folder: Path | None, told: Notice) -> None:
        call = self._context.bridge.submit(partial(watch_folder, self._context.house, folder), "watch a folder")
        self._told = told
        call.done.connect(self._is_set)
        call.failed.connect(self._cannot)

    @Slot()
    def _is_set(self) -> None:
        if self._told is not None:
            self._context.notify(self._told)

    @Slot(object)
    def _cannot(self, error: Exception) -> None:
        self._context.notify(Notice("watched folder", "error", str(error)))

    @Slot()
    def _try_again(self) -> None:
        call = self._context.bridge.submit(self._context.house.watching.try_again, "try refused files again")
        call.failed.connect(self._cannot)

    def _connect(self) -> None:
        self._line.show_files.clicked.connect(self.toggle)
        self._panel.close_button.clicked.connect(self.toggle)
        self._panel.end.clicked.connect(self.stop)
        self._panel.again.clicked.connect(self._try_again)
        self._panel.opened.connect(self.opened)
