"""A tile: what it is, one or two big numbers with their units, and one line that explains them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

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

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from console.theme.style import Theme


LOOKS: Final = ((28, 13, 16), (24, 12, 12), (20, 12, 8))
"""Px of a number, of its unit, and between two of them: the first that fits is used."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and the words after it: Figure("32", "of 32"). A number that is not known is "–"."""

    number: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class TileFigures:
    """`short` stands for a caption that has no room."""

    figures: tuple[Figure, ...]
    caption: str = ""
    alert: bool = False
    short: str = ""


class FigureLine(QWidget):
    """Numbers in 28/600 with their units in 13, on one base line; smaller where two have no room."""

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
        big, small, gap = next((look for look in LOOKS if self._width(*look) <= self.width()), LOOKS[-1])
        for figure in self._figures:
            x = self._word(painter, x, base, figure.number, big, big=True)
            x = self._word(painter, x + 6, base, figure.unit, small) + gap

    def _width(self, big: int, small: int, gap: int) -> float:
        words = sum(
            text_width(f.number, ui_font(big, 600)) + 6 + text_width(f.unit, ui_font(small)) for f in self._figures
        )
        return words + gap * (len(self._figures) - 1)

    def _word(self, painter: QPainter, x: float, base: float, text: str, px: int, *, big: bool = False) -> float:
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
        self.body.setContentsMargins(12, 8, 10, 5)
        self.body.setSpacing(0)
        self._icon = Icon(theme, "warning", "error", 15)
        self._icon.hide()
        self._label = ElidedLabel(label, "small", "text-2")
        self._numbers = FigureLine(theme)
        self._caption = ElidedLabel("", "caption")
        self._shown = TileFigures(())
        self.body.addLayout(self._head(theme, label, help_text))
        self.body.addWidget(self._numbers)
        self.body.addStretch(1)
        self.body.addWidget(self._caption)

    def set_label(self, label: str) -> None:
        self._label.setText(label)

    def show_figures(self, shown: TileFigures) -> None:
        if shown == self._shown:
            return
        self._numbers.set_figures(shown.figures, alert=shown.alert)
        self._shown = shown
        self._fit_caption()
        self._caption.set_tone("text-2" if shown.alert else "")
        self._icon.setVisible(shown.alert)
        self.set_look("alert" if shown.alert else "true")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_caption()

    def _fit_caption(self) -> None:
        margins = self.body.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        fits = text_width(self._shown.caption, ui_font(11)) <= room
        self._caption.setText(self._shown.caption if fits else self._shown.short or self._shown.caption)

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
