"""Keeps what the Articles page shows: the shelf, the article that is picked, and what is being done to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.articles.importing import ImportDesk
from console.articles.searching import SearchDesk
from console.articles.shelf_calls import follow, read_shelf
from console.articles.table_shown import ALL, Shelf, derive_counts, find_by_name
from console.widgets.notices import Notice
from engine_host.published import Published

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from pathlib import Path
    from typing import Any

    from console.bridge.calls import Call
    from console.page_context import PageContext
    from knowledge.article import Article, Chunk

SOON_MS: Final = 300
"""An import changes the library with every file: the shelf is read again at most this often."""


@dataclass(frozen=True, slots=True)
class ArticlesState:
    """`shelf` None = not read yet. `chunks` are those of the picked article, None while they are read.

    `doing` says what is being done to the picked article, "" = nothing.
    """

    shelf: Shelf | None = None
    segment: str = ALL
    words: str = ""
    picked: str = ""
    chunks: tuple[Chunk, ...] | None = None
    doing: str = ""

    @property
    def article(self) -> Article | None:
        return self.shelf.article(self.picked) if self.shelf else None


class ArticlesPresenter(QObject):
    """`changed()` when the state did; `revealed(start)` asks to show the chunk that begins there."""

    changed = Signal()
    revealed = Signal(int)

    def __init__(self, context: PageContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.state = ArticlesState()
        self.importing = ImportDesk(context, self)
        self.searching = SearchDesk(context, self)
        self._reading: Call | None = None
        self._read_again = False
        self._detail: Call | None = None
        self._wanted = ""
        self._to_reveal: int | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON_MS)
        self._soon.timeout.connect(self.refresh)
        self._revision = Published(-1)
        self._mirror = context.bridge.mirror(self._revision)
        self._mirror.changed.connect(self._library_changed)
        self._following = context.bridge.submit(
            partial(follow, context.house.library, self._revision), "follow library"
        )
        self.importing.changed.connect(self._import_changed)

    # Reading

    @Slot()
    def refresh(self) -> None:
        """Read the shelf; asked while it is being read, it is read once more after that."""
        if self._reading is not None:
            self._read_again = True
            return
        work = partial(read_shelf, self._context.house, self._context.zone)
        self._reading = self._context.bridge.submit(work, "articles")
        self._reading.done.connect(self._have_shelf)
        self._reading.failed.connect(self._cannot)
        self._reading.finished.connect(self._read)

    @Slot()
    def _library_changed(self) -> None:
        if not self._soon.isActive():
            self._soon.start()

    @Slot(object)
    def _have_shelf(self, shelf: object) -> None:
        if not isinstance(shelf, Shelf):
            return
        before, known = self.state.article, derive_counts(shelf.rows)
        segment = self.state.segment if self.state.segment in known else ALL
        self.state = replace(self.state, shelf=shelf, segment=segment)
        if self.state.article is None:
            self.state = replace(self.state, picked="", chunks=None)
        self.searching.offer_tenants(shelf.tenants)
        if not self.importing.runs:
            self.searching.search_soon()
        self._show_wanted()
        if self.state.article is not None and self.state.article != before:
            self._read_chunks()
        self.changed.emit()

    @Slot()
    def _read(self) -> None:
        self._reading = None
        if self._read_again:
            self._read_again = False
            self.refresh()

    @Slot(object)
    def _cannot(self, error: Exception) -> None:
        self._context.notify(Notice("articles", "error", str(error)))

    # What a person does

    @Slot(str)
    def choose_segment(self, segment: str) -> None:
        self._set(replace(self.state, segment=segment))

    @Slot(str)
    def filter(self, words: str) -> None:
        self._set(replace(self.state, words=words))

    @Slot(object)
    def pick(self, article_id: object) -> None:
        """Show an article; None or "" for none."""
        wanted = article_id if isinstance(article_id, str) else ""
        if wanted == self.state.picked:
            return
        self.state = replace(self.state, picked=wanted, chunks=None)
        self._read_chunks()
        self.changed.emit()

    def show_chunk(self, article_id: str, start: int) -> None:
        """Pick the article and reveal the chunk that begins at `start` of its body."""
        self._to_reveal = start
        self.pick(article_id)
        self._reveal()

    def show_article(self, name: str) -> None:
        """Pick the article whose file has this name without its ending, as soon as the shelf is read."""
        self._wanted = name
        self._show_wanted()
        self.changed.emit()

    def add(self, paths: Sequence[Path]) -> None:
        if paths and not self.importing.start(paths):
            detail = "Wait for its end or cancel it, then add these files again."
            self._context.notify(Notice("import", "info", "Nothing was added: an import is running.", detail))

    def retire(self) -> None:
        self._do("Retiring…", self._context.house.library.retire)

    def republish(self) -> None:
        self._do("Publishing…", self._context.house.library.republish)

    def remove(self) -> None:
        self._do("Deleting…", self._context.house.library.remove)

    # Inside

    def _set(self, state: ArticlesState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit()

    def _show_wanted(self) -> None:
        shelf = self.state.shelf
        article = find_by_name(shelf.articles, self._wanted) if shelf and self._wanted else None
        if article is not None:
            self._wanted = ""
            self.pick(article.article_id)

    def _read_chunks(self) -> None:
        if self._detail is not None:
            self._detail.drop()
            self._detail = None
        if self.state.picked:
            work = partial(self._context.house.library.chunks, self.state.picked)
            self._detail = self._context.bridge.submit(work, "chunks")
            self._detail.done.connect(self._have_chunks)
            self._detail.failed.connect(self._cannot)

    @Slot(object)
    def _have_chunks(self, chunks: tuple[Chunk, ...]) -> None:
        self._detail = None
        self._set(replace(self.state, chunks=chunks))
        self._reveal()

    def _reveal(self) -> None:
        if self._to_reveal is not None and self.state.chunks is not None:
            start, self._to_reveal = self._to_reveal, None
            self.revealed.emit(start)

    def _do(self, doing: str, act: Callable[[str], Coroutine[Any, Any, object]]) -> None:
        if not self.state.picked or self.state.doing:
            return
        call = self._context.bridge.submit(partial(act, self.state.picked), doing)
        call.failed.connect(self._cannot)
        call.finished.connect(self._did)
        self._set(replace(self.state, doing=doing))

    @Slot()
    def _did(self) -> None:
        self._set(replace(self.state, doing=""))
        self.refresh()

    @Slot()
    def _import_changed(self) -> None:
        if not self.importing.runs:
            self.refresh()
