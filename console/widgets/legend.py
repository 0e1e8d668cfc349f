"""The legend of a chart in one row: what each line is and its value now, or at the moment under the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.theme.fonts import ui_font
from console.widgets.chart_data import tick_text
from console.widgets.painting import RIGHT, draw_text, swatch, text_width

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QColor, QPaintEvent

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken
    from console.widgets.chart_data import Line, Look

HEIGHT = 18
INK: dict[Look, ColorToken] = {
    "main": "accent",
    "second": "text-2",
    "third": "text-2",
    "ghost": "text-2",
    "bad": "error",
    "series": "text",
}
DASHES: dict[Look, list[float]] = {"third": [1, 1], "ghost": [2, 1]}


class Legend(QWidget):
    """18 px high. `note` stands after the entries, `total` at the right."""

    def __init__(self, theme: Theme, lines: Sequence[Line], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines = tuple(lines)
        self._values: dict[str, str] = {}
        self._note = self._total = ""
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_values(self, values: Mapping[str, float | None]) -> None:
        """Numbers by the key of their line; None is shown as "–"."""
        self._values = {line.key: _figure(values.get(line.key), line.digits) for line in self._lines}
        self.update()

    def set_note(self, note: str) -> None:
        self._note = note
        self.update()

    def set_total(self, total: str) -> None:
        self._total = total
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        small = ui_font(11)
        right = self.width() - 0.0
        if self._total:
            area = QRectF(0, 0, right, HEIGHT)
            right -= draw_text(painter, area, self._total, ui_font(11, 600), self._theme.color("text"), RIGHT) + 12
        x = 0.0
        for line in self._lines:
            x = self._entry(painter, line, x, right)
        if self._note and x < right:
            draw_text(painter, QRectF(x, 0, right - x, HEIGHT), self._note, small, self._theme.color("text-2"))

    def _entry(self, painter: QPainter, line: Line, x: float, right: float) -> float:
        name, value = line.name, self._values.get(line.key, "–")
        plain, strong = ui_font(11), ui_font(11, 600)
        width = 15 + text_width(name, plain) + 5 + text_width(value, strong)
        if x + width > right:
            return x
        self._sample(painter, line, x)
        x += 12 if line.kind == "stack" and line.series else 15
        x += draw_text(painter, QRectF(x, 0, 300, HEIGHT), name, plain, self._theme.color("text-2")) + 5
        x += draw_text(painter, QRectF(x, 0, 200, HEIGHT), value, strong, self._theme.color("text"))
        return x + 12

    def _sample(self, painter: QPainter, line: Line, x: float) -> None:
        middle = HEIGHT / 2
        if line.kind == "stack" and line.series:
            swatch(painter, x, middle, self._theme.series_fill(line.series))
            return
        pen = QPen(self._color(line), 2)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if line.look in DASHES:
            pen.setDashPattern(DASHES[line.look])
        painter.setPen(pen)
        painter.drawLine(QPointF(x, middle), QPointF(x + 10, middle))

    def _color(self, line: Line) -> QColor:
        return self._theme.series_line(line.series) if line.series else self._theme.color(INK[line.look])


def _figure(value: float | None, digits: int) -> str:
    if value is None:
        return "–"
    return tick_text(value) if abs(value) >= 1e6 else f"{value:,.{digits}f}".replace("-", "\u2212")
