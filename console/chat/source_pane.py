"""The article behind a citation, scrolled to the passage."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QTextBrowser, QVBoxLayout, QWidget

from console.chat.source_shown import SourceShown, derive_lost, derive_source
from console.theme.fonts import ui_font
from console.widgets.buttons import IconButton
from console.widgets.label import Label
from console.widgets.page_header import PageHeader
from knowledge.article import Article
from knowledge.errors import ArticleUnknown

if TYPE_CHECKING:
    from console.chat.source_shown import SourceLine
    from console.page_context import PageContext
    from console.theme.style import Theme
    from knowledge.article import Passage


class SourceDesk(QObject):
    """Reads the article of a passage. `found(SourceShown)`; `failed(error)` with a sentence."""

    found = Signal(object)
    failed = Signal(object)

    def __init__(self, context: PageContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._passage: Passage | None = None

    def open(self, passage: Passage) -> None:
        self._passage = passage
        work = partial(self._context.house.library.article, passage.article_id)
        call = self._context.bridge.submit(work, "source")
        call.done.connect(partial(self._have, passage))
        call.failed.connect(partial(self._cannot, passage))

    def _have(self, passage: Passage, article: object) -> None:
        if passage is self._passage and isinstance(article, Article):
            self.found.emit(derive_source(article, passage))

    def _cannot(self, passage: Passage, error: object) -> None:
        if passage is not self._passage:
            return
        if isinstance(error, ArticleUnknown):
            self.found.emit(derive_lost(passage))
        else:
            self.failed.emit(error)


class SourcePane(QFrame):
    """`closed()` when a person is done with it."""

    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: SourceShown | None = None
        self._first_mark = -1
        self.setProperty("fill", "canvas")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._header = PageHeader("Source", pane=True)
        self.close_button = IconButton(theme, "close", "Close the article")
        self.close_button.clicked.connect(self.closed)
        self._header.add_action(self.close_button)
        column.addWidget(self._header)
        about = QVBoxLayout()
        about.setContentsMargins(16, 10, 16, 6)
        about.setSpacing(3)
        self._title = Label("", "name", wrap=True)
        self._title.setMinimumHeight(22)  # Devanagari stands higher than the line of the Latin font
        self._detail = Label("", "caption", wrap=True)
        self._note = Label("", "small", "warn", wrap=True)
        for label in (self._title, self._detail, self._note):
            about.addWidget(label)
        column.addLayout(about)
        self.text = QTextBrowser()
        self.text.setAccessibleName("Article")
        self.text.document().setDocumentMargin(16)
        column.addWidget(self.text, 1)
        theme.changed.connect(self._draw)

    def show_source(self, shown: SourceShown) -> None:
        self._shown = shown
        self._draw()

    @Slot()
    def _draw(self) -> None:
        shown = self._shown
        if shown is None:
            return
        self._title.setText(shown.title)
        self._detail.setText(shown.detail)
        self._note.setText(shown.note)
        self._note.setVisible(bool(shown.note))
        self.text.clear()
        self._first_mark = -1
        cursor = QTextCursor(self.text.document())
        for number, line in enumerate(shown.lines):
            self._write(cursor, line, is_first=number == 0)
        self._scroll_to_mark()

    def _write(self, cursor: QTextCursor, line: SourceLine, *, is_first: bool) -> None:
        block = QTextBlockFormat()
        block.setTopMargin(0 if is_first else 12 if line.level else 4)
        block.setLineHeight(135, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        if line.bullet:
            block.setLeftMargin(12)
        if is_first:
            cursor.setBlockFormat(block)
        else:
            cursor.insertBlock(block)
        plain, marked = self._looks(line)
        if line.bullet:
            cursor.insertText("• ", plain)
        first, last = line.marked or (0, 0)
        cursor.insertText(line.text[:first], plain)
        if first < last:
            if self._first_mark < 0:
                self._first_mark = cursor.position()
            cursor.insertText(line.text[first:last], marked)
        cursor.insertText(line.text[last:], plain)

    def _looks(self, line: SourceLine) -> tuple[QTextCharFormat, QTextCharFormat]:
        plain = QTextCharFormat()
        plain.setFont(ui_font(13, 600 if line.level else 400))
        plain.setForeground(self._theme.color("text" if line.level else "text-2"))
        marked = QTextCharFormat(plain)
        marked.setForeground(self._theme.color("text"))
        marked.setBackground(self._theme.color("accent-tint"))
        return plain, marked

    def _scroll_to_mark(self) -> None:
        """The passage's first line near the top, so that what follows it can be read too."""
        bar = self.text.verticalScrollBar()
        bar.setValue(0)
        if self._first_mark < 0:
            return
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(self._first_mark)
        bar.setValue(max(self.text.cursorRect(cursor).top() - 40, 0))
