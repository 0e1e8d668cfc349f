"""One tenant's day, painted: what is used so far as a filled curve, the forecast dashed, the quota across."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.tenants.amounts import round_text
from console.theme.fonts import ui_font
from console.widgets.chart_data import Level, tick_text, value_ticks
from console.widgets.chart_paint import Frame, paint_grid, paint_levels, paint_times, pen
from console.widgets.painting import LEFT, RIGHT, draw_text, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from console.tenants.outlook_shown import DayShown, Points
    from console.theme.style import Theme

TOP, BOTTOM, AT_RIGHT, AT_LEFT, LABEL_AIR = 12, 22, 12, 46, 18
FILL_ALPHA: Final = 70


class DayCurve(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: DayShown | None = None
        self.setMinimumSize(240, 110)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self.update)

    def show_day(self, shown: DayShown | None) -> None:
        self._shown = shown
        self.setAccessibleName(f"{shown.name}, {shown.value}. {shown.fact}" if shown else "")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(380, 200)

    def paintEvent(self, _event: QPaintEvent) -> None:
        shown = self._shown
        if shown is None:
            return
        painter = QPainter(self)
        frame, ticks = self._frame(shown)
        paint_grid(painter, self._theme, frame, ticks if max(ticks) > 1 else ticks[:1])
        paint_times(painter, self._theme, frame, shown.zone)
        self._paint_used(painter, frame, shown)
        self._paint_path(painter, frame, shown)
        if shown.quota is not None:
            paint_levels(painter, self._theme, frame, (Level(shown.quota, f"quota {round_text(shown.quota)} a day"),))
            self._paint_end(painter, frame, shown)
        self._paint_now(painter, frame, shown)

    def _frame(self, shown: DayShown) -> tuple[Frame, tuple[float, ...]]:
        highest = max([tokens for _, tokens in (*shown.used, *shown.path)] + [float(shown.quota or 0)])
        ticks = value_ticks(highest) if highest else (0.0, 1.0)
        left = max(AT_LEFT, *(text_width(tick_text(tick), ui_font(11)) + LABEL_AIR for tick in ticks))
        plot = QRectF(left, TOP, max(self.width() - left - AT_RIGHT, 1), max(self.height() - TOP - BOTTOM, 1))
        return Frame(plot, shown.window, ticks[-1]), ticks

    def _paint_used(self, painter: QPainter, frame: Frame, shown: DayShown) -> None:
        line = _points(frame, shown.used)
        floor = frame.plot.bottom()
        area = QPolygonF([QPointF(line[0].x(), floor), *line, QPointF(line[-1].x(), floor)])
        fill = QColor(self._theme.series_fill(shown.series))
        fill.setAlpha(FILL_ALPHA)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(0, 0, 0, 0)))
        painter.setBrush(fill)
        painter.drawPolygon(area)
        painter.setPen(pen(self._theme.series_line(shown.series)))
        painter.drawPolyline(QPolygonF(line))

    def _paint_path(self, painter: QPainter, frame: Frame, shown: DayShown) -> None:
        if not shown.path:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen(self._theme.series_line(shown.series), (4, 3)))
        painter.drawPolyline(QPolygonF(_points(frame, shown.path)))
        above = frame.y(shown.path[-1][1]) - 17
        top = above if above > frame.plot.top() - TOP else frame.y(shown.path[-1][1]) + 3
        words = QRectF(frame.plot.left(), top, frame.plot.width(), 14)
        draw_text(painter, words, shown.at_midnight, ui_font(11), self._theme.color("text-2"), RIGHT)

    def _paint_end(self, painter: QPainter, frame: Frame, shown: DayShown) -> None:
        if shown.end is None:
            return
        moment, value, clock = shown.end
        at = QPointF(frame.x(moment), frame.y(value))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("surface"), 1))
        painter.setBrush(self._theme.color("error"))
        painter.drawEllipse(at, 4, 4)
        font, width = ui_font(11, 600), text_width(clock, ui_font(11, 600)) + 2
        left = min(at.x() + 8, frame.plot.right() - width)
        draw_text(painter, QRectF(left, at.y() + 3, width, 14), clock, font, self._theme.color("error"), LEFT)

    def _paint_now(self, painter: QPainter, frame: Frame, shown: DayShown) -> None:
        x = round(frame.x(shown.now)) + 0.5
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(pen(self._theme.color("text-2")))
        painter.drawLine(QPointF(x, frame.plot.top()), QPointF(x, frame.plot.bottom()))
        width = text_width("now", ui_font(11)) + 2
        left = x - width - 4 if x - width - 4 > frame.plot.left() else x + 4
        words = QRectF(left, frame.plot.top() - 2, width, 14)
        draw_text(painter, words, "now", ui_font(11), self._theme.color("text-2"), LEFT)


def _points(frame: Frame, points: Points) -> Sequence[QPointF]:
    return [QPointF(frame.x(moment), frame.y(tokens)) for moment, tokens in points]
