"""Lines of two versions under each other: what went in red with a minus, what came in green with a plus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Slot
from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QTextBrowser, QWidget

from console.theme.fonts import ui_font

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.articles.versions_shown import DiffShown
    from console.theme.style import Theme
    from console.theme.tokens import ColorToken

INDENT, LINE = 16, 18
"""Px of the column of marks, and of a line."""
INKS: Final[dict[str, ColorToken]] = {"-": "error", "+": "ok", " ": "text-2", "…": "text-3"}
GROUNDS: Final[dict[str, ColorToken]] = {"-": "error-tint", "+": "ok-tint"}


class DiffView(QTextBrowser):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines: tuple[DiffShown, ...] = ()
        self.setAccessibleName("What changed")
        self.setOpenLinks(False)
        self.setFont(ui_font(12))
        self.document().setDocumentMargin(0)
        self.setViewportMargins(0, 8, 0, 8)
        self.document().setUndoRedoEnabled(False)
        theme.changed.connect(self._draw)

    def show_lines(self, lines: Sequence[DiffShown]) -> None:
        if tuple(lines) != self._lines:
            self._lines = tuple(lines)
            self._draw()

    @Slot()
    def _draw(self) -> None:
        self.clear()
        cursor = QTextCursor(self.document())
        for number, line in enumerate(self._lines):
            shape, look = QTextBlockFormat(), QTextCharFormat()
            shape.setLeftMargin(16 + INDENT)
            shape.setRightMargin(16)
            shape.setTextIndent(-INDENT)
            shape.setTabPositions([QTextOption.Tab(INDENT, QTextOption.TabType.LeftTab)])
            shape.setLineHeight(LINE, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
            if line.mark in GROUNDS:
                shape.setBackground(self._theme.color(GROUNDS[line.mark]))
            look.setForeground(self._theme.color(INKS[line.mark]))
            if number:
                cursor.insertBlock(shape, look)
            else:
                cursor.setBlockFormat(shape)
            cursor.insertText(f"{line.mark}\t{line.text}", look)
        self.moveCursor(QTextCursor.MoveOperation.Start)
