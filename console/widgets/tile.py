"""A tile: what it is, one or two big numbers with their units, and one line that explains them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QWidget

from console.theme.fonts import ui_font
from console.widgets.buttons import Icon
from console.widgets.cards import Card, help_button
from console.widgets.label import ElidedLabel, Label
from console.widgets.painting import text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from console.theme.style import Theme


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and the words after it: Figure("32", "of 32"). A number that is not known is "–"."""

    number: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class TileFigures:
    figures: tuple[Figure, ...]
    caption: str = ""
    alert: bool = False


class FigureLine(QWidget):
    """Numbers in 28/600 with their units in 13, on one base line."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._figures: tuple[Figure, ...] = ()
        self._alert = False
        self.setFixedHeight(32)

    def set_figures(self, figures: Sequence[Figure], *, alert: bool = False) -> None:
        self._figures, self._alert = tuple(figures), alert
        self.setAccessibleName(", ".join(f"{f.number} {f.unit}".strip() for f in figures))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, 32)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        base = 26.0
        x = 0.0
        for figure in self._figures:
            x = self._word(painter, x, base, figure.number, 28)
            x = self._word(painter, x + 6, base, figure.unit, 13) + 16

    def _word(self, painter: QPainter, x: float, base: float, text: str, px: int) -> float:
        big = px == 28
        font = ui_font(px, 600 if big else 400)
        painter.setFont(font)
        painter.setPen(self._theme.color("error" if self._alert and big else "text" if big else "text-2"))
        width = text_width(text, font)
        painter.drawText(QPointF(x, base), text)
        return x + width


class Tile(Card):
    """84 px high. `alert` gives it the red tint, the triangle and a red number."""

    def __init__(self, theme: Theme, label: str, *, help_text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(padding=0, parent=parent)
        self.setFixedHeight(84)
        self.body.setContentsMargins(12, 8, 10, 8)
        self.body.setSpacing(0)
        self._icon = Icon(theme, "warning", "error", 15)
        self._icon.hide()
        self._label = ElidedLabel(label, "small", "text-2")
        self._numbers = FigureLine(theme)
        self._caption = ElidedLabel("", "caption")
        self.body.addLayout(self._head(theme, label, help_text))
        self.body.addWidget(self._numbers)
        self.body.addWidget(self._caption)

    def set_label(self, label: str) -> None:
        self._label.setText(label)

    def show_figures(self, shown: TileFigures) -> None:
        self._numbers.set_figures(shown.figures, alert=shown.alert)
        self._caption.setText(shown.caption)
        self._caption.set_tone("text-2" if shown.alert else "")
        self._icon.setVisible(shown.alert)
        self.set_look("alert" if shown.alert else "true")

    def _head(self, theme: Theme, label: str, help_text: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self._icon)
        row.addWidget(self._label, 1)
        if help_text:
            row.addWidget(help_button(theme, label, help_text))
        else:
            row.addWidget(Label("", "small"))
        return row
