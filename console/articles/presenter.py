"""Keeps what the Articles page shows: the shelf, the article that is picked, and what is being done to it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from console.articles.articles_state import ArticlesState
from console.articles.coverage_desk import CoverageDesk
from console.articles.detail_calls import Detail, read_detail
from console.articles.editing import EditDesk
from console.articles.editor_shown import Typed
from console.articles.importing import ImportDesk
from console.articles.reading_desk import ReadingDesk
from console.articles.receipt_desk import ReceiptDesk
from console.articles.searching import SearchDesk
from console.articles.shelf_desk import ShelfDesk
from console.articles.table_shown import ALL, Shelf, derive_counts, find_by_name
from console.articles.words import count_text
from console.widgets.notices import Notice
from knowledge.article import Article
from knowledge.article_history import DeletionReceipt

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from pathlib import Path
    from typing import Any

    from console.bridge.calls import Call
    from console.page_context import PageContext


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
        self.editing = EditDesk(context, self)
        self.receipts = ReceiptDesk(context, self)
        self.coverage = CoverageDesk(context, self)
        self._shelf = ShelfDesk(context, self)
        self._shelf.have.connect(self._have_shelf)
        self._shelf.failed.connect(self._cannot)
        self._detail = ReadingDesk(context.bridge, "article", self)
        self._detail.have.connect(self._have_detail)
        self._detail.failed.connect(self._cannot)
        self._wanted = ""
        self._wanted_id = ""
        self._to_reveal: int | None = None
        self.importing.changed.connect(self._import_changed)
        self.editing.left.connect(self._edited)
        self.editing.published.connect(self._published)
        self.editing.failed.connect(self._tell)
        self.receipts.failed.connect(self._cannot)
        self.coverage.failed.connect(self._cannot)
        self.searching.made_known.connect(self._read_detail)

    # Reading

    @Slot()
    def refresh(self) -> None:
        """Read the shelf; `changed()` follows."""
        self._shelf.refresh()

    @Slot(object)
    def _have_shelf(self, shelf: object) -> None:
        if not isinstance(shelf, Shelf):
            return
        before, known = self.state.article, derive_counts(shelf.rows)
        segment = self.state.segment if self.state.segment in known else ALL
        self.state = replace(self.state, shelf=shelf, segment=segment)
        if self.state.article is None:
            self.state = replace(self.state, picked="", detail=None)
        self.searching.offer_tenants(shelf.tenants)
        if not self.importing.runs:
            self.searching.search_soon()
        self._show_wanted()
        if self.state.article is not None and self.state.article != before:
            self._read_detail()
        self.changed.emit()

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
        self.state = replace(self.state, picked=wanted, detail=None, receipt=None)
        self._read_detail()
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

    @Slot()
    def edit(self) -> None:
        """Edit the picked article."""
        article = self.state.article
        if article is not None and not self.state.doing:
            self.editing.start(article)

    @Slot()
    def edit_new(self) -> None:
        self.write()

    def write(self, title: str = "", language: str = "en") -> None:
        """Edit a new article."""
        shelf = self.state.shelf
        if shelf is not None:
            taken = frozenset(article.text.source_name for article in shelf.articles)
            self.editing.start_new(taken, Typed(title=title, language=language))

    def retire(self) -> None:
        self._do("Retiring…", self._context.house.library.retire)

    def publish(self) -> None:
        """Let the picked article answer: with its draft when it has one."""
        self._do("Publishing…", self._context.house.library.publish)

    @Slot(int)
    def restore(self, number: int) -> None:
        """Publish the text of an earlier version of the picked article again."""
        library = self._context.house.library
        self._do("Restoring…", lambda article_id: library.restore(article_id, number))

    @Slot()
    def remove(self) -> None:
        call = self._do("Deleting…", self._context.house.library.remove)
        if call is not None:
            call.done.connect(self._removed)

    # Inside

    @Slot(str)
    def _edited(self, article_id: str) -> None:
        if article_id:
            self._wanted_id = article_id
            self.refresh()

    @Slot(object)
    def _published(self, article: object) -> None:
        if isinstance(article, Article):
            chunks = count_text(article.chunk_count, "chunk")
            fact = f"{article.text.title} is published: {chunks} answer from the next question on."
            self._context.notify(Notice("published", "ok", fact))

    @Slot(str)
    def _tell(self, sentence: str) -> None:
        self._context.notify(Notice("articles", "error", sentence))

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
        elif shelf and self._wanted_id and shelf.article(self._wanted_id):
            wanted, self._wanted_id = self._wanted_id, ""
            self.pick(wanted)

    @Slot()
    def _read_detail(self) -> None:
        article = self.state.article
        if article is None:
            self._detail.stop()
        else:
            self._detail.read(partial(read_detail, self._context.house, article))

    @Slot(object)
    def _have_detail(self, detail: object) -> None:
        if isinstance(detail, Detail) and detail.article_id == self.state.picked:
            self._set(replace(self.state, detail=detail))
            self._reveal()

    def _reveal(self) -> None:
        if self._to_reveal is not None and self.state.detail is not None:
            start, self._to_reveal = self._to_reveal, None
            self.revealed.emit(start)

    def _do(self, doing: str, act: Callable[[str], Coroutine[Any, Any, object]]) -> Call | None:
        if not self.state.picked or self.state.doing:
            return None
        call = self._context.bridge.submit(partial(act, self.state.picked), doing)
        call.failed.connect(self._cannot)
        call.finished.connect(self._did)
        self._set(replace(self.state, doing=doing))
        return call

    @Slot(object)
    def _removed(self, receipt: object) -> None:
        if isinstance(receipt, DeletionReceipt):
            self._set(replace(self.state, picked="", detail=None, receipt=receipt))

    @Slot()
    def _did(self) -> None:
        self._set(replace(self.state, doing=""))
        self.refresh()

    @Slot()
    def _import_changed(self) -> None:
        if not self.importing.runs:
            self.refresh()
