"""Recall against prompt tokens: a dot a setting, a line along those that none beats in both, the winner named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.theme.fonts import ui_font
from console.widgets.chart_data import tick_text, value_ticks
from console.widgets.chart_paint import Frame, paint_grid
from console.widgets.painting import CENTER, draw_text, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from console.articles.sweep_shown import PointShown
    from console.theme.style import Theme
    from console.theme.tokens import ColorToken

LEFT, RIGHT, TOP, BOTTOM = 44, 18, 16, 40
DOT, STRONG = 3.0, 5.0
NEAR_PX: Final = 9.0
FAINT: Final = 0.35
WAYS: Final[dict[str, ColorToken]] = {"hybrid": "accent", "dense": "info", "words": "text-3"}


class SweepPlot(QWidget):
    """`picked(key)` for the dot that a person clicks."""

    picked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._points: tuple[PointShown, ...] = ()
        self._chosen = ""
        self.setMinimumSize(260, 200)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self.update)

    def set_points(self, points: Sequence[PointShown]) -> None:
        self._points = tuple(points)
        best = next((point.words for point in points if point.wins), "no setting")
        self.setAccessibleName(f"Recall against prompt tokens, {len(points)} settings; the winner: {best}")
        self.update()

    def choose(self, key: str) -> None:
        """Draw a ring around this setting's dot."""
        if key != self._chosen:
            self._chosen = key
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(560, 300)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        frame = self._frame()
        paint_grid(painter, self._theme, frame, (0.0, 0.2, 0.4, 0.6, 0.8, 1.0))
        self._paint_tokens(painter, frame)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        front = sorted((point for point in self._points if point.front), key=lambda point: point.tokens)
        painter.setPen(QPen(self._theme.color("accent"), 1))
        painter.drawPolyline(QPolygonF([self._spot(frame, point) for point in front]))
        for point in sorted(self._points, key=lambda point: (point.wins, point.now, point.front)):
            self._paint_point(painter, frame, point)
        self._paint_names(painter, frame)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = self._near(event.position())
        self.setToolTip(point.words if point else "")
        self.setCursor(Qt.CursorShape.PointingHandCursor if point else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = self._near(event.position())
        if point is not None:
            self.picked.emit(point.key)

    def _frame(self) -> Frame:
        most = value_ticks(max((point.tokens for point in self._points), default=1.0))[-1]
        plot = QRectF(LEFT, TOP, max(self.width() - LEFT - RIGHT, 1), max(self.height() - TOP - BOTTOM, 1))
        return Frame(plot, (0.0, most), 1.0)

    def _spot(self, frame: Frame, point: PointShown) -> QPointF:
        return QPointF(frame.x(point.tokens), frame.y(point.recall))

    def _near(self, at: QPointF) -> PointShown | None:
        frame = self._frame()
        near = [(_distance(self._spot(frame, point), at), number) for number, point in enumerate(self._points)]
        distance, number = min(near, default=(NEAR_PX + 1, 0))
        return self._points[number] if distance <= NEAR_PX else None

    def _paint_tokens(self, painter: QPainter, frame: Frame) -> None:
        ink, font = self._theme.color("text-3"), ui_font(11)
        for tick in value_ticks(frame.window[1] / 1.05):
            if tick <= frame.window[1]:
                label = QRectF(frame.x(tick) - 30, frame.plot.bottom() + 3, 60, 16)
                draw_text(painter, label, tick_text(tick), font, ink, CENTER)
        under = QRectF(frame.plot.left(), frame.plot.bottom() + 20, frame.plot.width(), 16)
        draw_text(painter, under, "prompt tokens", font, ink, CENTER)

    def _paint_point(self, painter: QPainter, frame: Frame, point: PointShown) -> None:
        strong = point.wins or point.now
        ink = self._theme.color(WAYS[point.way], 1.0 if point.front or strong else FAINT)
        spot = self._spot(frame, point)
        painter.setPen(QPen(self._theme.color("surface"), 1))
        painter.setBrush(ink)
        radius = STRONG if strong else DOT
        painter.drawEllipse(spot, radius, radius)
        if point.key == self._chosen:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("text"), 1.5))
            painter.drawEllipse(spot, STRONG + 2.5, STRONG + 2.5)

    def _paint_names(self, painter: QPainter, frame: Frame) -> None:
        """The names of the winner and of the setting of now, under their dots: above they would leave the plane."""
        font = ui_font(11, 600)
        for point in self._points:
            name = "wins, and is set now" if point.wins and point.now else "wins" if point.wins else "now"
            if point.wins or point.now:
                spot, width = self._spot(frame, point), text_width(name, font)
                left = min(max(spot.x() - width / 2, frame.plot.left() + 2), frame.plot.right() - width)
                area = QRectF(left, spot.y() + 8, width + 2, 14)
                draw_text(painter, area, name, font, self._theme.color("text"))


def _distance(one: QPointF, other: QPointF) -> float:
    return ((one.x() - other.x()) ** 2 + (one.y() - other.y()) ** 2) ** 0.5
