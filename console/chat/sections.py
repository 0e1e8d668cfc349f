"""The sections of the inspector: a caption, a figure at its right, and a body that is made anew when it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from console.theme.fonts import ui_font
from console.widgets.bars import paint_share
from console.widgets.label import Label
from console.widgets.painting import CENTER, RIGHT, draw_text, fill_round, text_width
from console.widgets.paragraph import Paragraph, Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtGui import QPaintEvent

    from console.chat.inspector_shown import PassageShown
    from console.theme.style import Theme
    from console.theme.tokens import ColorToken


class Section(QFrame):
    """`say` sets the figure in two strengths; `fill` replaces the body."""

    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._filled: tuple[QWidget, ...] = ()
        self.setProperty("edge", "bottom")
        self._strong = Label("", "caption", "text")
        font = ui_font(11, 600)
        self._strong.setFont(font)
        self._figure = Label("", "caption")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 11, 16, 12)
        column.setSpacing(7)
        head = QHBoxLayout()
        head.setSpacing(0)
        head.addWidget(Label(title, "section"))
        head.addStretch(1)
        head.addWidget(self._strong)
        head.addWidget(self._figure)
        column.addLayout(head)
        self._body = QVBoxLayout()
        self._body.setSpacing(4)
        column.addLayout(self._body)

    @property
    def figure(self) -> str:
        return self._strong.text() + self._figure.text()

    def say(self, figure: str, strong: str = "") -> None:
        self._strong.setText(strong)
        self._figure.setText(figure)
        self._figure.setVisible(bool(figure))  # without words it would still keep some room

    def fill(self, widgets: Iterable[QWidget]) -> None:
        for widget in self._filled:
            self._body.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._filled = tuple(widgets)
        for widget in self._filled:
            self._body.addWidget(widget)

    def note(self, text: str, color: ColorToken = "text-3") -> QWidget:
        return Paragraph(self._theme, (Run(text, color),), px=11, line=15)


class PassageRow(QWidget):
    """Number, title › heading, a bar and the score. One that was not given to the model is grey."""

    def __init__(self, theme: Theme, shown: PassageShown, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown = shown
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        words = " › ".join(part for part in (shown.title, shown.heading) if part)
        self.setAccessibleName(f"Passage {shown.number}: {words}, {shown.score}")
        self.setToolTip(words)

    def sizeHint(self) -> QSize:
        return QSize(300, 18)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, theme, shown = QPainter(self), self._theme, self._shown
        number = QRectF(0, 1, 16, 16)
        if shown.cited:
            fill_round(painter, number, theme.color("accent-tint"), 3)
        ink = theme.color("accent-ink" if shown.cited else "text-3")
        draw_text(painter, number, shown.number, ui_font(11, 600 if shown.cited else 400), ink, CENTER)
        score = QRectF(self.width() - 34, 0, 34, 18)
        draw_text(painter, score, shown.score, ui_font(12), theme.color("text" if shown.given else "text-3"), RIGHT)
        bar = QRectF(self.width() - 78, 7, 40, 4)
        paint_share(painter, theme, bar, shown.share, "accent" if shown.cited else "seg-a")
        self._paint_words(painter, QRectF(24, 0, self.width() - 24 - 86, 18))

    def _paint_words(self, painter: QPainter, room: QRectF) -> None:
        """The title gives way first, as far as half of the room, then the heading."""
        theme, shown = self._theme, self._shown
        heading = f" › {shown.heading}" if shown.heading else ""
        wanted = text_width(heading, ui_font(12))
        title = QRectF(room.x(), 0, max(room.width() - wanted, room.width() / 2), room.height())
        used = draw_text(painter, title, shown.title, ui_font(12), theme.color("text" if shown.given else "text-3"))
        rest = room.adjusted(used, 0, 0, 0)
        draw_text(painter, rest, heading, ui_font(12), theme.color("text-2" if shown.given else "text-3"))


PART_GAP_PX: Final = 14.0


class Legend(QWidget):
    """Squares with words in one row, and a last word at the right end."""

    def __init__(
        self, theme: Theme, parts: Sequence[tuple[ColorToken, str]], last: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._parts = tuple(parts)
        self._last = last
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(", ".join([*(words for _, words in parts), last]))

    def sizeHint(self) -> QSize:
        return QSize(300, 18)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, font, x = QPainter(self), ui_font(12), 0.0
        gap, last = self._fitting()
        for color, words in self._parts:
            fill_round(painter, QRectF(x, 5, 8, 8), self._theme.color(color), 2)
            room = QRectF(x + 14, 0, max(self.width() - x - 14, 0), 18)
            x += 14 + draw_text(painter, room, words, font, self._theme.color("text-2")) + gap
        if last:
            rest = QRectF(x, 0, self.width() - x, 18)
            draw_text(painter, rest, last, font, self._theme.color("text-3"), RIGHT)

    def _fitting(self) -> tuple[float, str]:
        """The gap after a part, and the last word where there is room for it."""
        taken = sum(14 + text_width(words, ui_font(12)) for _, words in self._parts)
        free = self.width() - taken - text_width(self._last, ui_font(12))
        gap = min(free / max(len(self._parts), 1), PART_GAP_PX)
        return (gap, self._last) if gap >= PART_GAP_PX / 2 else (PART_GAP_PX, "")


def line_of(*widgets: QWidget, gap: int = 6) -> QWidget:
    """Widgets beside each other, from the left."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(gap)
    for widget in widgets:
        row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
    row.addStretch(1)
    return holder
