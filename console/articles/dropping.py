"""Files and folders dropped on the page, and the veil that says so while they are over it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from console.theme.fonts import ui_font
from console.widgets.painting import CENTER, draw_text

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QPaintEvent

    from console.theme.style import Theme

WORDS: Final = "Drop to add these files and folders"


def dropped_paths(data: QMimeData) -> tuple[Path, ...]:
    """Files and folders of this machine among what is dragged."""
    return tuple(Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())


class DropVeil(QWidget):
    """Covers the page while something that can be added is dragged over it."""

    def __init__(self, theme: Theme, over: QWidget) -> None:
        super().__init__(over)
        self._theme = theme
        self._over = over
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def lift(self) -> None:
        self.setGeometry(self._over.rect())
        self.raise_()
        self.show()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        zone = QRectF(self.rect()).adjusted(16.5, 16.5, -16.5, -16.5)
        painter.fillRect(self.rect(), self._theme.color("canvas", 0.6))
        painter.setBrush(self._theme.color("accent-tint", 0.9))
        painter.setPen(QPen(self._theme.color("accent"), 1, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(zone, 8, 8)
        draw_text(painter, zone, WORDS, ui_font(16, 600), self._theme.color("accent-ink"), CENTER)
