"""Bars by day, stacked by tenant, with names below and a limit across."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.theme.fonts import ui_font
from console.widgets.chart_data import Level, tick_text, value_ticks
from console.widgets.chart_paint import Frame, hatch, paint_grid, paint_levels
from console.widgets.painting import CENTER, draw_text, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from console.theme.style import Theme

LEFT, RIGHT, TOP, BOTTOM = 46, 12, 8, 36
LABEL_AIR = 18
"""Px before and after a label of the value axis: it never touches the edge of the card."""


@dataclass(frozen=True, slots=True)
class Day:
    """One bar. `amounts` from the bottom up, one for each series; `forecast` is what may still come."""

    name: str
    second: str = ""
    amounts: tuple[float, ...] = ()
    forecast: float = 0.0
    strong: bool = False
    tip: str = ""


class BarChart(QWidget):
    """`picked(number)` says which bar was clicked, counted from 0."""

    picked = Signal(int)

    def __init__(self, theme: Theme, *, empty: str = "", parent: QWidget | None = None) -> None:
        """`empty` is said while no day has an amount."""
        super().__init__(parent)
        self._theme = theme
        self._empty = empty
        self._days: tuple[Day, ...] = ()
        self._series: tuple[int, ...] = ()
        self._limit: tuple[Level, ...] = ()
        self.setMinimumSize(240, 140)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def set_days(self, days: Sequence[Day], series: Sequence[int]) -> None:
        """`series` are the numbers of the tenants' colours, in the order of every day's amounts."""
        self._days, self._series = tuple(days), tuple(series)
        self.setAccessibleName(", ".join(f"{day.name} {tick_text(sum(day.amounts))}" for day in days))
        self.update()

    def set_limit(self, value: float, text: str) -> None:
        """A solid line across; its value belongs to the axis."""
        self._limit = (Level(value, text),)
        self.update()

    def clear_limit(self) -> None:
        """The axis follows the bars alone."""
        self._limit = ()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(520, 280)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        frame, ticks = self._frame()
        has_bars = any(sum(day.amounts) + day.forecast > 0 for day in self._days)
        paint_grid(painter, self._theme, frame, ticks if has_bars or self._limit else ticks[:1])
        if not has_bars:
            draw_text(painter, frame.plot, self._empty, ui_font(12), self._theme.color("text-3"), CENTER)
        for number, day in enumerate(self._days):
            self._paint_day(painter, frame, number, day)
        paint_levels(painter, self._theme, frame, self._limit)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        number = self._day_at(event.position().x())
        self.setToolTip(self._days[number].tip if number is not None else "")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._day_at(event.position().x())
        if number is not None:
            self.picked.emit(number)

    def _frame(self) -> tuple[Frame, tuple[float, ...]]:
        sums = [sum(day.amounts) + day.forecast for day in self._days]
        ticks = value_ticks(max([*sums, *(level.value for level in self._limit)], default=1.0) or 1.0)
        left = max(LEFT, *(text_width(tick_text(tick), ui_font(11)) + LABEL_AIR for tick in ticks))
        plot = QRectF(left, TOP, max(self.width() - left - RIGHT, 1), max(self.height() - TOP - BOTTOM, 1))
        return Frame(plot, (0.0, float(max(len(self._days), 1))), ticks[-1]), ticks

    def _day_at(self, x: float) -> int | None:
        frame, _ = self._frame()
        number = int(frame.time(x)) if frame.plot.left() <= x < frame.plot.right() else -1
        return number if 0 <= number < len(self._days) else None

    def _paint_day(self, painter: QPainter, frame: Frame, number: int, day: Day) -> None:
        slot = frame.plot.width() / max(len(self._days), 1)
        middle = frame.x(number + 0.5)
        width = min(round(slot * 0.7), 40)
        total = self._paint_stack(painter, frame, round(middle - width / 2), width, day)
        if day.forecast > 0:
            self._paint_forecast(painter, frame, QRectF(round(middle - width / 2), 0, width, 0), total, day)
        words = QRectF(middle - slot / 2, frame.plot.bottom() + 4, slot, 14)
        ink = self._theme.color("text" if day.strong else "text-3")
        draw_text(painter, words, day.name, ui_font(11, 600 if day.strong else 400), ink, CENTER)
        draw_text(painter, words.translated(0, 14), day.second, ui_font(11), self._theme.color("text-3"), CENTER)

    def _paint_stack(self, painter: QPainter, frame: Frame, left: float, width: float, day: Day) -> float:
        total = 0.0
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        for series, amount in zip(self._series, day.amounts, strict=True):
            top, bottom = round(frame.y(total + amount)), round(frame.y(total))
            gap = 1 if total > 0 and bottom - top > 1 else 0
            painter.fillRect(QRectF(left, top, width, bottom - top - gap), self._theme.series_fill(series))
            total += amount
        return total

    def _paint_forecast(self, painter: QPainter, frame: Frame, rect: QRectF, total: float, day: Day) -> None:
        top, bottom = round(frame.y(total + day.forecast)), round(frame.y(total)) - 1
        box = QRectF(rect.x() + 0.5, top + 0.5, rect.width() - 1, max(bottom - top - 1, 1))
        painter.setPen(self._theme.color("line-strong"))
        painter.drawTiledPixmap(box, hatch(self._theme.color("line-strong"), self.devicePixelRatioF()))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box)
        label = QRectF(box.center().x() - 40, top - 16, 80, 14)
        text = tick_text(round(total + day.forecast, -5)) if total >= 1e6 else tick_text(round(total + day.forecast))
        draw_text(painter, label, text, ui_font(11), self._theme.color("text-2"), CENTER)
