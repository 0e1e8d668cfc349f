"""The banner over the form, in the colour of its verdict, with the button that makes the one change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from console.theme.fonts import ui_font
from console.widgets.bars import StackedBar
from console.widgets.buttons import Button, Icon
from console.widgets.label import Label
from console.widgets.painting import RIGHT, draw_text, fill_round, frame_round, text_width
from console.widgets.paragraph import Paragraph, Run
from console.widgets.restyle import set_look

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from console.engine.fit_shown import FitShown
    from console.theme.style import Theme
    from console.theme.tokens import ColorToken

FILLS: Final = {"ok": "ok-tint", "error": "error-tint", "info": "sunken"}
FITS: Final = ": fits; "
HEIGHT: Final = 16


class FitBanner(QFrame):
    """`change_asked()` when a person presses the button."""

    change_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = Icon(theme, "info", "info", 16)
        self._headline = Paragraph(theme, px=13, line=19)
        self._bar = StackedBar(theme, 13)
        self._legend = _Legend(theme)
        self._notes = Label("", "caption", wrap=True)
        self.button = Button(theme, "", small=True)
        self.setProperty("edge", "bottom")
        self._build()
        self.button.clicked.connect(self.change_asked)

    def show_fit(self, shown: FitShown) -> None:
        set_look(self, "fill", FILLS[shown.tone])
        self._icon.set_icon(shown.tone, shown.tone)
        before, fits, after = shown.headline.partition(FITS)
        runs = (Run(f"{before}: "), Run("fits", "ok", 600), Run("; "), Run(after, weight=600))
        self._headline.set_runs(runs if fits else (Run(shown.headline, weight=500),))
        self._bar.set_pieces(shown.pieces, shown.whole)
        self._bar.setVisible(bool(shown.pieces))
        self._legend.show_entries(shown.legend, shown.detail)
        self._legend.setVisible(bool(shown.legend))
        self._notes.setText("\n".join(shown.notes))
        self._notes.setVisible(bool(shown.notes))
        self.button.setText(shown.button)
        self.button.setVisible(bool(shown.button))

    @property
    def headline(self) -> str:
        return self._headline.text()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 11, 16, 11)
        column.setSpacing(7)
        row = QHBoxLayout()
        row.setSpacing(9)
        lead = QVBoxLayout()
        lead.setContentsMargins(0, 1, 0, 0)
        lead.addWidget(self._icon)
        lead.addStretch(1)
        row.addLayout(lead)
        row.addWidget(self._headline, 1)
        column.addLayout(row)
        column.addWidget(self._bar)
        column.addWidget(self._legend)
        column.addWidget(self._notes)
        line = QHBoxLayout()
        line.addWidget(self.button)
        line.addStretch(1)
        column.addLayout(line)


class _Legend(QWidget):
    """A square and a word for each piece of the bar; a frame for what is left; words at the right if they fit."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entries: tuple[tuple[str, ColorToken | None], ...] = ()
        self._right = ""
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_entries(self, entries: tuple[tuple[str, ColorToken | None], ...], right: str) -> None:
        self._entries, self._right = entries, right
        self.setAccessibleName(", ".join([*(words for words, _ in entries), right]))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, font = QPainter(self), ui_font(11)
        ink, x = self._theme.color("text-2"), 0.0
        for words, color in self._entries:
            box = QRectF(x, HEIGHT / 2 - 4, 8, 8)
            if color is None:
                frame_round(painter, box, self._theme.color("surface"), self._theme.color("line-strong"), 1.5)
            else:
                fill_round(painter, box, self._theme.color(color), 1.5)
            x += 13 + draw_text(painter, QRectF(x + 13, 0, 300, HEIGHT), words, font, ink) + 14
        if x + text_width(self._right, font) < self.width():
            draw_text(painter, QRectF(x, 0, self.width() - x, HEIGHT), self._right, font, ink, RIGHT)
