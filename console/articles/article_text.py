"""An article's Markdown as it reads. Nothing is fetched for it: pictures and links of an article lead nowhere here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Slot
from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat
from PySide6.QtWidgets import QTextBrowser, QWidget

from console.theme.fonts import ui_font

if TYPE_CHECKING:
    from PySide6.QtCore import QUrl
    from PySide6.QtGui import QTextBlock

    from console.theme.style import Theme

HEADING_PX: Final = {1: 16, 2: 14}
FEATURES: Final = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML


class ArticleTextView(QTextBrowser):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._body = ""
        self.setAccessibleName("Text of the article")
        self.setOpenLinks(False)
        self.setFont(ui_font(13))
        self.document().setDocumentMargin(16)
        theme.changed.connect(self._draw)

    def show_body(self, body: str, *, keep_place: bool = False) -> None:
        """Shows another text from its top, or where it was scrolled to; the same one stays as it is."""
        if body != self._body:
            place = self.verticalScrollBar().value()
            self._body = body
            self._draw()
            if keep_place:
                self.verticalScrollBar().setValue(place)

    def loadResource(self, type: int, name: QUrl | str) -> Any:  # noqa: A002, ARG002 Qt's name
        return None

    @Slot()
    def _draw(self) -> None:
        document = self.document()
        document.setMarkdown(self._body, FEATURES)
        block = document.begin()
        while block.isValid():
            self._dress(block, is_first=block == document.begin())
            block = block.next()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _dress(self, block: QTextBlock, *, is_first: bool) -> None:
        level = block.blockFormat().headingLevel()
        shape = QTextBlockFormat()
        shape.setTopMargin(0 if is_first else 16 if level else 4)
        shape.setBottomMargin(4)
        shape.setLineHeight(130, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor = QTextCursor(block)
        cursor.mergeBlockFormat(shape)
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        look = QTextCharFormat()
        look.setForeground(self._theme.color("text"))
        if level:
            look.setProperty(QTextFormat.Property.FontSizeAdjustment.value, 0)
            look.setFont(ui_font(HEADING_PX.get(level, 13), 600))
        cursor.mergeCharFormat(look)
