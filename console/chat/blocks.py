"""Blocks of a message that only the chat page has: a passage quoted word for word, and a note for staff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.theme.fonts import ui_font
from console.widgets.buttons import Icon
from console.widgets.growing_text import GrowingText
from console.widgets.label import Label
from console.widgets.painting import CENTER, draw_text, frame_round, text_width
from console.widgets.paragraph import Paragraph, Run

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from console.theme.style import Theme


class QuoteBlock(QWidget):
    """A passage in quotation marks beside an upright bar. `cited(number)` on a click on its square."""

    cited = Signal(int)

    def __init__(self, theme: Theme, text: str, citation: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 1, 0, 1)
        column.setSpacing(1)
        column.addWidget(Label("Quoted from the article, word for word", "caption"))
        words = GrowingText(theme)
        words.append_text(f"“{text}”")
        words.append_citation(citation)
        words.cited.connect(self.cited)
        column.addWidget(words)

    def paintEvent(self, _event: QPaintEvent) -> None:
        QPainter(self).fillRect(QRectF(0, 0, 2, self.height()), self._theme.color("line-strong"))


class NoteBlock(QWidget):
    """Why a turn ended as it did, for staff."""

    def __init__(self, theme: Theme, text: str, *, is_fault: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        icon = Icon(theme, "error" if is_fault else "info", "error" if is_fault else "text-3", 14)
        row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(Paragraph(theme, (Run(text, "error" if is_fault else "text-2"),), px=12, line=17), 1)


class KeyHint(QWidget):
    """The name of a key in a small frame, beside the button that it presses."""

    def __init__(self, theme: Theme, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._key = key
        self.setFixedSize(round(text_width(key, ui_font(11))) + 12, 16)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        rect = QRectF(self.rect())
        frame_round(painter, rect, self._theme.color("surface"), self._theme.color("line"), 3.5)
        draw_text(painter, rect, self._key, ui_font(11), self._theme.color("text-3"), CENTER)
