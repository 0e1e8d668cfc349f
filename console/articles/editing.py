"""Edits one article at a time: what is typed is kept as a draft by itself, cut as it would be, and published."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.articles.cutting import CutDesk
from console.articles.draft_keeper import DraftKeeper
from console.articles.editor_calls import Cut, ToEdit, read_draft
from console.articles.editor_shown import Editing, Typed, blank_text, new_source_name, text_of, typed_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from console.bridge.calls import Call
    from console.page_context import PageContext
    from knowledge.article import Article, ArticleText

KEEP_MS: Final = 1000
"""A pause in typing after which the draft is kept."""
CLOSE_S: Final = 10.0
NOTHING: Final = Typed()


class EditDesk(QObject):
    """`changed()` with every step, `opened()` when there is something new to edit, `published(article)` and
    `left(article id)` when the editor is to be closed; `stuck()` when leaving would lose what was typed,
    `failed(sentence)` when an article can't be opened."""

    changed = Signal()
    opened = Signal()
    published = Signal(object)
    left = Signal(str)
    stuck = Signal()
    failed = Signal(str)

    def __init__(self, context: PageContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = context.bridge
        self._library = context.house.library
        self._keeper = DraftKeeper(self._library)
        self._bridge.add_closer("article draft", self._keeper.keep, CLOSE_S)
        self.state: Editing | None = None
        self._taken: Collection[str] = ()
        self._leaving = False
        self._sent = Typed()
        self._opening: Call | None = None
        self._keep_soon = self._timer(KEEP_MS, self.keep)
        self._cutting = CutDesk(self._bridge, self._library, self)
        self._cutting.cut.connect(self._have_cut)

    # Opening and leaving

    def start_new(self, taken: Collection[str], typed: Typed = NOTHING) -> None:
        """Edit a new article; `taken` are the names that others have."""
        if self.state is None:
            self._taken = taken
            self._open(Editing(None, blank_text(""), typed, typed))

    def start(self, article: Article) -> None:
        """Edit an article: its draft when it has one."""
        if self.state is None and self._opening is None:
            self._opening = self._bridge.submit(partial(read_draft, self._library, article), "draft")
            self._opening.done.connect(self._have_draft)
            self._opening.failed.connect(self._cannot)
            self._opening.finished.connect(self._read)

    @Slot()
    def leave(self) -> None:
        """Close the editor as soon as the draft is kept."""
        if self.state is not None and not self.state.doing:
            self._leaving = True
            self.keep()

    @Slot()
    def abandon(self) -> None:
        """Close the editor; what was not kept is gone."""
        self._keeper.forget()
        self._end()

    @Slot()
    def discard(self) -> None:
        """Forget the draft beside what the article says, and close the editor."""
        state = self.state
        if state is None or state.doing or state.keeping or state.article is None:
            return
        self._keeper.forget()
        self._keep_soon.stop()
        self._show(replace(state, doing="Discarding…", fault=""))
        call = self._bridge.submit(partial(self._keeper.discard, state.article_id), "discard draft")
        call.done.connect(self.abandon)
        call.failed.connect(self._not_published)
        call.cancelled.connect(self._stopped)

    # Typing

    @Slot(object)
    def type(self, typed: Typed) -> None:
        state = self.state
        if state is None or state.doing or typed == state.typed:
            return
        moved = (typed.body, typed.title, typed.language) != (state.typed.body, state.typed.title, state.typed.language)
        self._show(replace(state, typed=typed, fault=""))
        self._want(typed)
        self._keep_soon.start()
        if moved:
            self._cutting.cut_soon(text_of(typed, state.base))

    @Slot()
    def keep(self) -> None:
        """Keep the draft now, unless it is."""
        self._keep_soon.stop()
        state = self.state
        if state is None or state.keeping or state.doing:
            return
        if state.is_kept:
            self._left_if_asked()
            return
        self._want(state.typed)
        self._show(replace(state, keeping=True, base=self._base(state)))
        call = self._bridge.submit(self._keeper.keep, "keep draft")
        self._sent = state.typed
        call.done.connect(self._kept)
        call.failed.connect(self._not_kept)
        call.cancelled.connect(self._stopped)

    @Slot()
    def publish(self) -> None:
        state = self.state
        if state is None or not state.can_publish:
            return
        self._keep_soon.stop()
        self._want(state.typed)
        base = self._base(state)
        self._show(replace(state, doing="Publishing…", fault="", base=base))
        call = self._bridge.submit(
            partial(self._keeper.publish, text_of(state.typed, base), state.article_id), "publish"
        )
        call.done.connect(self._is_published)
        call.failed.connect(self._not_published)
        call.cancelled.connect(self._stopped)

    # Inside

    def _open(self, state: Editing) -> None:
        self._leaving = False
        self.state = state
        self.opened.emit()
        self.changed.emit()
        self._cutting.cut_now(text_of(state.typed, state.base))

    def _end(self) -> None:
        state, self.state = self.state, None
        self._leaving = False
        self._keep_soon.stop()
        self._cutting.stop()
        self.left.emit(state.article_id if state else "")

    def _want(self, typed: Typed) -> None:
        state = self.state
        if state is None or (not state.article_id and typed.is_blank):
            self._keeper.forget()
            return
        self._keeper.want(text_of(typed, self._base(state)), state.article_id)

    def _base(self, state: Editing) -> ArticleText:
        """A new article is named by its title until its first draft is kept."""
        if state.base.source_name:
            return state.base
        return replace(state.base, source_name=new_source_name(state.typed, self._taken))

    @Slot(object)
    def _have_draft(self, found: object) -> None:
        if isinstance(found, ToEdit):
            typed = typed_of(found.text)
            article = found.article
            self._open(Editing(article, found.text, typed, typed, article.article_id, found.from_draft))

    @Slot()
    def _read(self) -> None:
        self._opening = None

    @Slot(object)
    def _cannot(self, error: Exception) -> None:
        self.failed.emit(str(error))

    @Slot(object)
    def _have_cut(self, cut: object) -> None:
        if self.state is not None and isinstance(cut, Cut):
            self._show(replace(self.state, cut=cut))

    @Slot(object)
    def _kept(self, article: object) -> None:
        if self.state is None:
            return
        state = replace(self.state, keeping=False)
        if article is not None:
            now = datetime.now(UTC)
            article_id = getattr(article, "article_id", state.article_id)
            state = replace(state, kept=self._sent, article_id=article_id, kept_at=now, fault="")
        self._show(state)
        if not state.is_kept:
            self._want(state.typed)  # with the id that a new article has now
            self.keep() if self._leaving else self._keep_soon.start()
        else:
            self._left_if_asked()

    @Slot(object)
    def _not_kept(self, error: Exception) -> None:
        asked, self._leaving = self._leaving, False
        if self.state is not None:
            self._show(replace(self.state, keeping=False, fault=str(error)))
            if asked:
                self.stuck.emit()

    @Slot(object)
    def _is_published(self, article: object) -> None:
        self._keeper.forget()
        self._end()
        self.published.emit(article)

    @Slot(object)
    def _not_published(self, error: Exception) -> None:
        if self.state is not None:
            self._show(replace(self.state, doing="", fault=str(error)))

    @Slot()
    def _stopped(self) -> None:
        if self.state is not None:
            self._show(replace(self.state, doing="", keeping=False))

    def _left_if_asked(self) -> None:
        if self._leaving:
            self._end()

    def _show(self, state: Editing) -> None:
        self.state = state
        self.changed.emit()

    def _timer(self, pause_ms: int, then: Callable[[], object]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(pause_ms)
        timer.timeout.connect(then)
        return timer
