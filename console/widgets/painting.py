"""Small painting helpers that every drawn widget shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QFont

KEPT_WIDTHS = 4096
_widths: dict[tuple[str, str], float] = {}

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTER = Qt.AlignmentFlag.AlignCenter


def draw_text(
    painter: QPainter, rect: QRectF, text: str, font: QFont, color: QColor, align: Qt.AlignmentFlag = LEFT
) -> float:
    """Draws one elided line and returns the width it took, in px."""
    shown, width = text, text_width(text, font)
    if width > rect.width():
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        width = text_width(shown, font)
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(rect, int(align | Qt.TextFlag.TextSingleLine), shown)
    return width


def text_width(text: str, font: QFont) -> float:
    """In px. Kept for the words drawn lately: a page that is drawn each second measures the same ones again."""
    key = (font.key(), text)
    width = _widths.get(key)
    if width is None:
        if len(_widths) >= KEPT_WIDTHS:
            _widths.clear()
        width = _widths[key] = QFontMetricsF(font).horizontalAdvance(text)
    return width


def fill_round(painter: QPainter, rect: QRectF, color: QColor, radius: float) -> None:
    """A filled rounded rectangle without a border."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRoundedRect(rect, radius, radius)


def frame_round(painter: QPainter, rect: QRectF, fill: QColor | None, line: QColor, radius: float) -> None:
    """A rounded rectangle with a border of one px that lies inside `rect`."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(line, 1))
    painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)


def swatch(painter: QPainter, x: float, center_y: float, color: QColor, px: float = 8) -> None:
    """The square of a tenant's colour, `px` wide, its left edge at `x`."""
    fill_round(painter, QRectF(x, center_y - px / 2, px, px), color, 2)


def dot(painter: QPainter, x: float, center_y: float, color: QColor, px: float = 7) -> None:
    """The dot of a state, `px` wide, its left edge at `x`."""
    fill_round(painter, QRectF(x, center_y - px / 2, px, px), color, px / 2)
