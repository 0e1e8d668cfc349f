"""Text of a message: it grows at its end, wraps at 14/21, can be selected, and holds citation squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QSizeF, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QSizePolicy, QTextBrowser, QWidget

from console.theme.fonts import ui_font

if TYPE_CHECKING:
    from PySide6.QtGui import QWheelEvent

    from console.theme.style import Theme

LINE_PX = 21


class GrowingText(QTextBrowser):
    """Nothing that was shown is ever set again: `append_text` adds at the end. As high as its text."""

    cited = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._citations: list[tuple[int, int]] = []
        self.setFont(ui_font(14))
        self.document().setDefaultFont(ui_font(14))
        self.document().setDocumentMargin(0)
        self.document().setUndoRedoEnabled(False)
        self.setOpenLinks(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._end = QTextCursor(self.document())
        self._end.setBlockFormat(_lines())
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.anchorClicked.connect(self._cite)
        theme.changed.connect(self._tint)
        self.setFixedHeight(LINE_PX)

    def append_text(self, text: str) -> None:
        self._end.movePosition(QTextCursor.MoveOperation.End)
        self._end.insertText(text, _plain())

    def append_citation(self, number: int) -> None:
        """A small square with the number; a click on it sends `cited(number)`."""
        self._end.movePosition(QTextCursor.MoveOperation.End)
        # No-break spaces: the square never begins a line of its own.
        self._end.insertText("\u00a0", _plain())
        self._citations.append((self._end.position(), number))
        self._end.insertText(f"\u202f{number}\u202f", self._square(number))
        self._end.insertText(" ", _plain())

    def sizeHint(self) -> QSize:
        return QSize(300, self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(80, LINE_PX)

    def wheelEvent(self, e: QWheelEvent) -> None:
        # The transcript scrolls, not the message.
        e.ignore()

    def _square(self, number: int) -> QTextCharFormat:
        look = QTextCharFormat()
        look.setFont(ui_font(11, 600))
        look.setBackground(self._theme.color("accent-tint"))
        look.setForeground(self._theme.color("accent-ink"))
        look.setAnchor(True)
        look.setAnchorHref(f"cite:{number}")
        look.setFontUnderline(False)
        return look

    @Slot(QSizeF)
    def _fit(self, size: QSizeF) -> None:
        self.setFixedHeight(max(round(size.height()), LINE_PX))

    @Slot(QUrl)
    def _cite(self, url: QUrl) -> None:
        self.cited.emit(int(url.path()))

    @Slot()
    def _tint(self) -> None:
        for start, number in self._citations:
            cursor = QTextCursor(self.document())
            cursor.setPosition(start)
            cursor.setPosition(start + len(str(number)) + 2, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(self._square(number))


def _plain() -> QTextCharFormat:
    look = QTextCharFormat()
    look.setFont(ui_font(14))
    return look


def _lines() -> QTextBlockFormat:
    look = QTextBlockFormat()
    look.setLineHeight(LINE_PX, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    return look
