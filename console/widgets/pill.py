"""Pills: a word in a tint of its family, 18 px high, alone or inside a table cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.theme.fonts import mono_font, ui_font
from console.widgets.painting import draw_text, frame_round, swatch, text_width

if TYPE_CHECKING:
    from PySide6.QtGui import QFont, QPaintEvent

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken

PillKind = Literal["neutral", "ok", "info", "warn", "error", "accent"]
HEIGHT = 18
LOOKS: dict[PillKind, tuple[ColorToken, ColorToken, ColorToken, ColorToken]] = {
    "neutral": ("sunken", "line", "text-2", "text-3"),
    "ok": ("ok-tint", "ok-line", "ok", "ok"),
    "info": ("info-tint", "info-line", "info", "info"),
    "warn": ("warn-tint", "warn-line", "warn", "warn"),
    "error": ("error-tint", "error-line", "error", "error"),
    "accent": ("accent-tint", "accent-line", "accent-ink", "accent"),
}


@dataclass(frozen=True, slots=True)
class PillMark:
    """What a pill says. `dot` draws the state dot, `series` (from 1) a tenant's square, `mono` suits keys and ids."""

    text: str
    kind: PillKind = "neutral"
    dot: bool = False
    series: int = 0
    mono: bool = False


class Pill(QWidget):
    def __init__(self, theme: Theme, mark: PillMark, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._mark = mark
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(mark.text)

    @property
    def mark(self) -> PillMark:
        return self._mark

    def set_mark(self, mark: PillMark) -> None:
        if mark == self._mark:
            return
        self._mark = mark
        self.setAccessibleName(mark.text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(pill_width(self._mark), HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        paint_pill(QPainter(self), self._theme, QPointF(0, 0), self._mark)


def pill_width(mark: PillMark) -> int:
    """Width in px: 6 at each side, 11 for a dot, 14 for a square."""
    lead = 11 if mark.dot else 14 if mark.series else 0
    return round(text_width(mark.text, _font(mark)) + 0.5) + 14 + lead


def paint_pill(painter: QPainter, theme: Theme, corner: QPointF, mark: PillMark) -> None:
    """Draws the pill with its top left corner at `corner`."""
    fill, line, ink, dot = LOOKS[mark.kind]
    rect = QRectF(corner.x(), corner.y(), pill_width(mark), HEIGHT)
    frame_round(painter, rect, theme.color(fill), theme.color(line), 3.5)
    left = rect.x() + 7
    if mark.dot:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(dot))
        painter.drawEllipse(QPointF(left + 3, rect.center().y()), 3, 3)
        left += 10
    elif mark.series:
        swatch(painter, left, rect.center().y(), theme.series_fill(mark.series))
        left += 14
    words = QRectF(left, rect.y(), rect.right() - left, HEIGHT)
    draw_text(painter, words, mark.text, _font(mark), theme.color(ink))


def _font(mark: PillMark) -> QFont:
    return mono_font(11) if mark.mono else ui_font(11, 500)
