"""A field for an article's Markdown, with the colour of the chunk that each line goes to in its gutter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, Slot
from PySide6.QtGui import QPainter, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from console.theme.fonts import ui_font

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from console.theme.style import Theme

GUTTER: Final = 4
MARGIN: Final = 14


class MarkdownEdit(QPlainTextEdit):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._series: tuple[int, ...] = ()
        self.gutter = _Gutter(self)
        self.setFont(ui_font(13))
        self.setProperty("bare", True)
        self.setAccessibleName("Text of the article, in Markdown")
        self.setPlaceholderText("Write the article in Markdown. A line that begins with ## is a heading.")
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(8)
        self.setViewportMargins(MARGIN + GUTTER, 4, 8, 4)
        self.updateRequest.connect(self._follow)
        theme.changed.connect(self.gutter.update)

    def set_series(self, series: Sequence[int]) -> None:
        """The colour of each line, counted from 1; 0 = in no chunk."""
        if tuple(series) != self._series:
            self._series = tuple(series)
            self.gutter.update()

    def show_text(self, text: str) -> None:
        """Another text from its beginning; the same one keeps its cursor and its undo steps."""
        if self.toPlainText() != text:
            self.setPlainText(text)

    def go_to(self, offset: int) -> None:
        """Puts the cursor at a letter of the text and shows it."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(len(self.toPlainText()[:offset].encode("utf-16-le")) // 2)
        self.setTextCursor(cursor)
        self.centerCursor()
        self.setFocus()

    def paint_gutter(self, event: QPaintEvent) -> None:
        painter = QPainter(self.gutter)
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= event.rect().bottom():
            height = self.blockBoundingRect(block).height()
            number = block.blockNumber()
            series = self._series[number] if number < len(self._series) else 0
            if series:
                painter.fillRect(QRect(0, round(top), GUTTER, round(height)), self._theme.series_fill(series))
            top += height
            block = block.next()

    def resizeEvent(self, e: QResizeEvent) -> None:
        super().resizeEvent(e)
        self._place()

    @Slot(QRect, int)
    def _follow(self, _rect: QRect, _dy: int) -> None:
        self._place()
        self.gutter.update()

    def _place(self) -> None:
        view = self.viewport().geometry()
        self.gutter.setGeometry(MARGIN, view.top(), GUTTER, view.height())


class _Gutter(QWidget):
    def __init__(self, edit: MarkdownEdit) -> None:
        super().__init__(edit)
        self._edit = edit

    def paintEvent(self, event: QPaintEvent) -> None:
        self._edit.paint_gutter(event)
