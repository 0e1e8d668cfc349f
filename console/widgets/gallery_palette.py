"""The gallery's colours, series, type scale and icons, drawn from the tokens themselves."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from console.theme.fonts import ui_font
from console.widgets.painting import CENTER, draw_text, frame_round

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken

TYPE = (
    (28, 600, "1.12 s"),
    (20, 600, "Setting up Dabba Console"),
    (16, 600, "Refunds and cancellations"),
    (14, 400, "Your Low-sugar lunch left the kitchen. जैन डब्बा"),
    (13, 400, "Body, tables, buttons (500), inputs"),
    (12, 400, "Secondary text, panel titles (600), status strip"),
    (11, 400, "Axis, captions, pills (500), table headers (500)"),
    (10, 500, "Rail label"),
)
SHOWN: tuple[ColorToken, ...] = (
    "canvas", "surface", "sunken", "rail", "hover", "line", "line-strong", "control", "grid", "axis",
    "text", "text-2", "text-3", "disabled", "hatch", "accent", "accent-hover", "accent-pressed", "accent-ink",
    "accent-tint", "ok", "warn", "error", "info", "seg-a", "ok-tint", "warn-tint", "error-tint", "info-tint", "seg-b",
)  # fmt: skip


class Palette(QWidget):
    """Five swatches a row, 82 px apart, with their names and values."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedSize(QSize(412, -(-len(SHOWN) // 5) * 65))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        for number, token in enumerate(SHOWN):
            x, y = 82 * (number % 5), 65 * (number // 5)
            box = QRectF(x, y, 72, 26)
            frame_round(painter, box, self._theme.color(token), self._theme.color("line"), 4)
            ink = self._theme.color("text")
            draw_text(painter, QRectF(x, y + 27, 82, 15), token, ui_font(10, 500), ink)
            value = self._theme.color(token).name().upper()
            draw_text(painter, QRectF(x, y + 42, 82, 15), value, ui_font(10), self._theme.color("text-2"))


class SeriesColors(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedSize(412, 68)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        for place, series in enumerate(self._theme.tokens.series):
            x, y = 94 * (place % 4), 34 * (place // 4)
            box = QRectF(x, y, 22, 14)
            frame_round(painter, box, self._theme.series_fill(series.number), self._theme.color("line"), 2)
            painter.setPen(QPen(self._theme.series_line(series.number), 2))
            painter.drawLine(QPointF(x + 26, y + 7), QPointF(x + 60, y + 7))
            words = QRectF(x, y + 14, 94, 15)
            draw_text(painter, words, f"{series.number} {series.name}", ui_font(10), self._theme.color("text-2"))


class TypeScale(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedSize(420, 200)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        y = 0.0
        for px, weight, text in TYPE:
            height = px * 1.32 + 4
            size = QRectF(0, y, 70, height)
            draw_text(painter, size, f"{px} / {weight}", ui_font(11), self._theme.color("text-3"))
            words = QRectF(76, y, 360, height)
            draw_text(painter, words, text, ui_font(px, weight), self._theme.color("text"))
            y += height


class IconSheet(QWidget):
    """All icons but the logo at 20 px, ten a row, with their names."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        found = files("assets").joinpath("icons").iterdir()
        names = {entry.name.removesuffix(".svg") for entry in found if entry.name.endswith(".svg")}
        self._names = sorted(names - {"dabba"})
        self.setFixedSize(440, -(-len(self._names) // 10) * 37)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        for place, name in enumerate(self._names):
            x, y = 44 * (place % 10), 37 * (place // 10)
            painter.drawPixmap(QPointF(x + 12, y), self._theme.pixmap(name, "text-2", 20, self))
            draw_text(painter, QRectF(x - 6, y + 20, 56, 12), name, ui_font(8), self._theme.color("text-2"), CENTER)
