"""Rows of bars on one axis of time: where a turn spent its time, or the phases of a start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.theme.fonts import ui_font
from console.widgets.painting import CENTER, RIGHT, draw_text, fill_round, frame_round

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken

BarKind = Literal["neutral", "hot", "ghost"]


@dataclass(frozen=True, slots=True)
class TimeBar:
    """A bar from `start`, `length` long, both in the unit of the axis. A length of None draws no bar.

    mark: where the peers' median ends, a 1-px tick. expected: an outline of that length behind the bar.
    """

    label: str
    start: float = 0.0
    length: float | None = None
    kind: BarKind = "neutral"
    figure: str = ""
    second: str = ""
    mark: float | None = None
    expected: float | None = None
    icon: tuple[str, ColorToken] | None = None


@dataclass(frozen=True, slots=True)
class AxisTick:
    value: float
    text: str


class TimeBars(QWidget):
    """`heads` are the words over the two columns of figures; `bar_px` is the height of a bar."""

    def __init__(
        self, theme: Theme, *, heads: tuple[str, str] = ("", ""), label_px: int = 62, figure_px: int = 60,
        second_px: int = 50, row_px: int = 19, bar_px: int = 8, parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._theme = theme
        self._heads = heads
        self._label_px, self._figure_px, self._second_px = label_px, figure_px, second_px
        self._row_px, self._bar_px = row_px, bar_px
        self._bars: tuple[TimeBar, ...] = ()
        self._ticks: tuple[AxisTick, ...] = ()
        self._whole = 1.0
        self._now: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_bars(
        self, bars: Sequence[TimeBar], whole: float, *, ticks: Sequence[AxisTick] = (), now: float | None = None
    ) -> None:
        """`whole` is the value at the right end of the axis, `now` draws an upright line."""
        self._bars, self._whole = tuple(bars), max(whole, 1e-9)
        self._ticks, self._now = tuple(ticks), now
        self.setAccessibleName(", ".join(f"{bar.label} {bar.figure}" for bar in bars))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(280, self._head_px() + len(self._bars) * self._row_px)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        axis = self._axis()
        self._paint_head(painter, axis)
        for number, bar in enumerate(self._bars):
            middle = self._head_px() + (number + 0.5) * self._row_px
            self._paint_words(painter, axis, bar, middle)
            self._paint_bar(painter, axis, bar, middle)
        if self._now is not None:
            x = round(self._x(axis, self._now)) + 0.5
            painter.fillRect(QRectF(x - 0.5, axis.top(), 1, axis.height()), self._theme.color("text-2"))

    def _head_px(self) -> int:
        return 18 if self._ticks or any(self._heads) else 0

    def _axis(self) -> QRectF:
        left = self._label_px + (21 if any(bar.icon for bar in self._bars) else 0)
        right = self.width() - self._figure_px - self._second_px
        return QRectF(left, self._head_px(), max(right - left, 10), len(self._bars) * self._row_px)

    def _x(self, axis: QRectF, value: float) -> float:
        return axis.left() + min(max(value / self._whole, 0.0), 1.0) * axis.width()

    def _paint_head(self, painter: QPainter, axis: QRectF) -> None:
        font, color = ui_font(11), self._theme.color("text-3")
        for tick in self._ticks:
            x = self._x(axis, tick.value)
            draw_text(painter, QRectF(x - 20, 0, 40, 14), tick.text, font, color, CENTER)
            painter.fillRect(QRectF(round(x), axis.top(), 1, axis.height()), self._theme.color("grid"))
        if any(self._heads):
            first = QRectF(axis.right(), 0, self._figure_px, 14)
            draw_text(painter, first, self._heads[0], font, color, RIGHT)
            second = QRectF(axis.right() + self._figure_px, 0, self._second_px, 14)
            draw_text(painter, second, self._heads[1], font, color, RIGHT)

    def _paint_words(self, painter: QPainter, axis: QRectF, bar: TimeBar, middle: float) -> None:
        left, top, height = 0.0, middle - self._row_px / 2, float(self._row_px)
        if bar.icon is not None:
            painter.drawPixmap(QPointF(0, middle - 7.5), self._theme.pixmap(bar.icon[0], bar.icon[1], 15, self))
        if any(row.icon for row in self._bars):
            left = 21.0
        hot = bar.kind == "hot"
        name = QRectF(left, top, axis.left() - left - 4, height)
        draw_text(painter, name, bar.label, ui_font(12, 600 if hot and bar.icon else 400), self._theme.color("text-2"))
        figure = QRectF(axis.right(), top, self._figure_px, height)
        draw_text(painter, figure, bar.figure, ui_font(12, 500), self._theme.color("text"), RIGHT)
        second = QRectF(axis.right() + self._figure_px, top, self._second_px, height)
        draw_text(painter, second, bar.second, ui_font(12), self._theme.color("text-3"), RIGHT)

    def _paint_bar(self, painter: QPainter, axis: QRectF, bar: TimeBar, middle: float) -> None:
        if not self._ticks:
            painter.fillRect(QRectF(axis.left(), round(middle), axis.width(), 1), self._theme.color("grid"))
        if bar.expected is not None:
            outline = self._bar_rect(axis, bar.start, bar.expected, middle)
            frame_round(painter, outline, self._theme.color("surface"), self._theme.color("line-strong"), 2)
        if bar.length is not None:
            color = self._theme.color("accent" if bar.kind == "hot" else "seg-a")
            rect = self._bar_rect(axis, bar.start, bar.length, middle)
            if bar.kind == "ghost":
                frame_round(painter, rect, self._theme.color("surface"), self._theme.color("line-strong"), 2)
            else:
                fill_round(painter, rect, color, 1.5)
        if bar.mark is not None:
            x = round(self._x(axis, bar.mark))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
            painter.fillRect(QRectF(x, middle - 6, 1, 12), self._theme.color("text"))

    def _bar_rect(self, axis: QRectF, start: float, length: float, middle: float) -> QRectF:
        left, right = self._x(axis, start), self._x(axis, start + length)
        return QRectF(left, middle - self._bar_px / 2, max(right - left, 2.0), self._bar_px)
