"""What a chart shows beside its curves: grid, labels, gaps, promises, limits, event marks and the hover line."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap, QPolygonF

from console.theme.fonts import ui_font
from console.widgets.chart_data import tick_text, time_ticks
from console.widgets.painting import CENTER, LEFT, RIGHT, draw_text, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from PySide6.QtGui import QColor

    from console.theme.style import Theme
    from console.widgets.chart_data import Level, Mark, Span

CAPTION_PX = 11


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a chart's plane lies on the widget, and which times (epoch s) and values it covers."""

    plot: QRectF
    window: Span
    top: float

    def x(self, time: float) -> float:
        start, end = self.window
        return self.plot.left() + (time - start) / max(end - start, 1e-9) * self.plot.width()

    def y(self, value: float) -> float:
        return self.plot.bottom() - value / max(self.top, 1e-12) * self.plot.height()

    def time(self, x: float) -> float:
        start, end = self.window
        return start + (x - self.plot.left()) / max(self.plot.width(), 1.0) * (end - start)


def pen(color: QColor, dashes: Sequence[float] = ()) -> QPen:
    made = QPen(color, 1)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dashes:
        made.setDashPattern(list(dashes))
    return made


def across(painter: QPainter, frame: Frame, value: float, line: QPen) -> float:
    """A horizontal line over the plane, on whole px; returns its y."""
    y = round(frame.y(value)) + 0.5
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setPen(line)
    painter.drawLine(QPointF(frame.plot.left(), y), QPointF(frame.plot.right(), y))
    return y


def paint_grid(painter: QPainter, theme: Theme, frame: Frame, ticks: Sequence[float]) -> None:
    font = ui_font(CAPTION_PX)
    for tick in ticks:
        y = across(painter, frame, tick, pen(theme.color("axis" if tick == 0 else "grid")))
        label = QRectF(0, y - 8, frame.plot.left() - 6, 16)
        draw_text(painter, label, tick_text(tick), font, theme.color("text-3"), RIGHT)


def paint_times(painter: QPainter, theme: Theme, frame: Frame, zone: tzinfo) -> None:
    start, end = frame.window
    offset = datetime.fromtimestamp(start, zone).utcoffset()
    ticks = time_ticks(start, end, frame.plot.width(), offset.total_seconds() if offset else 0.0)
    form = "%H:%M:%S" if end - start < 60 else "%H:%M" if end - start < 172_800 else "%-d %b"
    font = ui_font(CAPTION_PX)
    for tick in ticks:
        text = datetime.fromtimestamp(tick, zone).strftime(form)
        width = text_width(text, font)
        left = min(max(frame.x(tick) - width / 2, frame.plot.left()), frame.plot.right() - width)
        draw_text(painter, QRectF(left, frame.plot.bottom() + 3, width + 2, 16), text, font, theme.color("text-3"))


def hatch(color: QColor, ratio: float, pitch: int = 8) -> QPixmap:
    """45° lines `pitch` px apart. A tile at the screen's ratio, since Qt's own pattern stays one device px."""
    tile = QPixmap(round(pitch * ratio), round(pitch * ratio))
    tile.setDevicePixelRatio(ratio)
    tile.fill(Qt.GlobalColor.transparent)
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, 1.1))
    for x in (-pitch, 0, pitch):
        painter.drawLine(QPointF(x - 1, pitch + 1), QPointF(x + pitch + 1, -1))
    painter.end()
    return tile


def paint_gaps(painter: QPainter, theme: Theme, frame: Frame, gaps: Sequence[Span], ratio: float) -> None:
    tile = hatch(theme.color("line"), ratio)
    for start, end in gaps:
        left, right = max(frame.x(start), frame.plot.left()), min(frame.x(end), frame.plot.right())
        if right > left:
            area = QRectF(left, frame.plot.top(), right - left, frame.plot.height())
            painter.drawTiledPixmap(area, tile)
            if right - left >= 22:
                _gap_words(painter, theme, area)


def _gap_words(painter: QPainter, theme: Theme, area: QRectF) -> None:
    painter.save()
    painter.translate(area.center())
    painter.rotate(-90)
    words = QRectF(-area.height() / 2, -8, area.height(), 16)
    draw_text(painter, words, "no scrape", ui_font(CAPTION_PX), theme.color("text-2"), CENTER)
    painter.restore()


def paint_levels(painter: QPainter, theme: Theme, frame: Frame, levels: Sequence[Level]) -> None:
    """Labels stand at the left above their line."""
    for level in levels:
        color = theme.color("error" if level.promise else "text-3")
        y = across(painter, frame, level.value, pen(color, (4, 3) if level.promise else ()))
        words = QRectF(frame.plot.left() + 4, y - 15, frame.plot.width() - 8, 14)
        draw_text(painter, words, level.text, ui_font(CAPTION_PX), color)


def paint_marks(painter: QPainter, theme: Theme, frame: Frame, marks: Sequence[Mark]) -> None:
    color = theme.color("text-3")
    free, places = frame.plot.left(), [frame.x(mark.time) for mark in marks]
    for mark in marks:
        x = round(frame.x(mark.time)) + 0.5
        if not frame.plot.left() <= x <= frame.plot.right():
            continue
        top = frame.plot.top()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(pen(color, (1, 3)))
        painter.drawLine(QPointF(x, top + 6), QPointF(x, frame.plot.bottom()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPolygon(QPolygonF([QPointF(x - 4, top - 1), QPointF(x + 4, top - 1), QPointF(x, top + 4)]))
        if mark.text:
            free = _mark_words(painter, frame, x, mark.text, color, free, places)


def _mark_words(
    painter: QPainter, frame: Frame, x: float, text: str, color: QColor, free: float, places: Sequence[float]
) -> float:
    """Right of the mark, else left of it: where it lies over no other mark, inside the plot, and not over the label
    before, which ends at `free`."""
    width = text_width(text, ui_font(CAPTION_PX))
    room = (
        left
        for left in (x + 7, x - 7 - width)
        if free <= left < frame.plot.right() - width - 1
        and not any(left - 4 < place < left + width + 4 for place in places)
    )
    left = next(room, None)
    if left is None:
        return free
    draw_text(painter, QRectF(left, frame.plot.top() - 6, width + 2, 14), text, ui_font(CAPTION_PX), color, LEFT)
    return left + width + 6


def paint_hover(
    painter: QPainter, theme: Theme, frame: Frame, moment: float, dots: Sequence[tuple[float, QColor]]
) -> None:
    """The upright line at `moment` and a dot with a rim on every value."""
    x = round(frame.x(moment)) + 0.5
    if not frame.plot.left() <= x <= frame.plot.right():
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setPen(pen(theme.color("text-2")))
    painter.drawLine(QPointF(x, frame.plot.top()), QPointF(x, frame.plot.bottom()))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for value, color in dots:
        painter.setPen(QPen(theme.color("surface"), 1))
        painter.setBrush(color)
        painter.drawEllipse(QPointF(x, frame.y(value)), 3, 3)
