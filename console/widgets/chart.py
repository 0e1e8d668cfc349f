"""A chart over time: curves by pyqtgraph, everything else painted around them. It rests while it is hidden."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportMissingTypeStubs=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportOptionalMemberAccess=false, reportOptionalCall=false, reportUntypedBaseClass=false
# pyright: reportArgumentType=false

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QObject, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtWidgets import QGraphicsView

from console.widgets.chart_curves import INK, Curves
from console.widgets.chart_data import NEAR_S, Level, value_at, value_ticks
from console.widgets.chart_paint import (
    Frame,
    paint_gaps,
    paint_grid,
    paint_hover,
    paint_levels,
    paint_marks,
    paint_times,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from numpy.typing import NDArray
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QColor, QMouseEvent, QPainter, QResizeEvent, QShowEvent, QWheelEvent
    from PySide6.QtWidgets import QWidget

    from console.theme.style import Theme
    from console.widgets.chart_data import Line, Mark, Span

LEFT, RIGHT, TOP, BOTTOM = 34, 12, 8, 20
LEFT_MILLIONS = 38


class HoverGroup(QObject):
    """The moment (epoch s) under the mouse, shared by all charts of a page; None when the mouse has left."""

    moved = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.moment: float | None = None

    def set_moment(self, moment: float | None) -> None:
        if moment != self.moment:
            self.moment = moment
            self.moved.emit(moment)


class Chart(pg.GraphicsView):
    """Give it lines once and numbers often. Times are epoch seconds, float64; NaN is a value nobody knows.

    The left edge of the plane is fixed, so charts above each other line up. `zone` is the kitchen's clock.
    """

    def __init__(
        self, theme: Theme, lines: Sequence[Line], *, hover: HoverGroup | None = None, zone: tzinfo = UTC,
        millions: bool = False, parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent, useOpenGL=False, background=None)
        self._theme = theme
        self._lines = tuple(lines)
        self._zone = zone
        self._left = LEFT_MILLIONS if millions else LEFT
        self._data: dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]] = {}
        self._window: Span = (0.0, 60.0)
        self._gaps: tuple[Span, ...] = ()
        self._marks: tuple[Mark, ...] = ()
        self._levels: tuple[Level, ...] = ()
        self._fixed_top: float | None = None
        self._near_s = NEAR_S
        self._ticks = value_ticks(1.0)
        self._stale = True
        self.hover = hover or HoverGroup(self)
        self._build_view()
        self._box = pg.ViewBox(enableMouse=False, enableMenu=False, defaultPadding=0.0)
        self.scene().addItem(self._box)
        self._curves = Curves(theme, self._lines, self._box)
        self.hover.moved.connect(self._follow_hover)
        theme.changed.connect(self._dress)

    # What is shown

    def set_series(self, data: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]]) -> None:
        """Times and values of each line by its key; a missing key is an empty line."""
        self._data = dict(data)
        self._refresh()

    def set_window(self, start: float, end: float) -> None:
        """The first and the last moment on the time axis, in epoch s."""
        self._window = (start, max(end, start + 1.0))
        self._refresh()

    def set_gaps(self, gaps: Sequence[Span]) -> None:
        """Spans without a scrape: hatched, without line or fill."""
        self._gaps = tuple(gaps)
        self._refresh()

    def set_data(
        self, data: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]], window: Span, gaps: Sequence[Span]
    ) -> None:
        """Numbers, window and gaps together: drawn once."""
        self._data, self._gaps = dict(data), tuple(gaps)
        self.set_window(*window)

    def set_marks(self, marks: Sequence[Mark]) -> None:
        self._marks = tuple(marks)
        self.viewport().update()

    def set_promise(self, value: float, text: str) -> None:
        """A dashed red line, which can be broken: an SLO."""
        self._set_level(Level(value, text, promise=True))

    def set_limit(self, value: float, text: str) -> None:
        """A solid grey line, which can not be broken."""
        self._set_level(Level(value, text))

    def clear_limit(self) -> None:
        """No limit is known any more."""
        self._levels = tuple(known for known in self._levels if known.promise)
        self._refresh()

    def set_top(self, top: float | None) -> None:
        """Fixes the highest value of the axis; None lets the data decide."""
        self._fixed_top = top
        self._refresh()

    def set_near(self, seconds: float) -> None:
        """How far a moment may lie from a point to belong to it; half a step where points are further apart."""
        self._near_s = seconds

    def values_at(self, moment: float | None) -> dict[str, float | None]:
        """Each line's value at `moment`, or its last known one for None."""
        found: dict[str, float | None] = {}
        for line in self._lines:
            times, values = self._data.get(line.key, (np.empty(0), np.empty(0)))
            last = float(times[-1]) if moment is None and len(times) else moment
            found[line.key] = None if last is None else value_at(times, values, last, self._near_s)
        return found

    # Qt

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        super().drawBackground(painter, rect)
        frame = self._frame()
        paint_grid(painter, self._theme, frame, self._ticks)
        paint_times(painter, self._theme, frame, self._zone)
        paint_gaps(painter, self._theme, frame, self._gaps, self.devicePixelRatioF())

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        super().drawForeground(painter, rect)
        frame = self._frame()
        paint_levels(painter, self._theme, frame, self._levels)
        paint_marks(painter, self._theme, frame, self._marks)
        if self.hover.moment is not None:
            paint_hover(painter, self._theme, frame, self.hover.moment, self._dots(self.hover.moment))

    def resizeEvent(self, ev: QResizeEvent | None) -> None:
        super().resizeEvent(ev)
        # pyqtgraph resizes once while its own constructor runs.
        if hasattr(self, "_box"):
            self._box.setGeometry(self._plot())
            self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._refresh()

    def mouseMoveEvent(self, ev: QMouseEvent) -> None:
        inside = self._plot().contains(ev.position())
        self.hover.set_moment(round(self._frame().time(ev.position().x())) * 1.0 if inside else None)
        self.setToolTip(self._tip(ev.position().x()) if inside else "")

    def leaveEvent(self, ev: QEvent) -> None:
        super().leaveEvent(ev)
        self.hover.set_moment(None)

    def wheelEvent(self, ev: QWheelEvent) -> None:
        # The page scrolls, not the chart.
        ev.ignore()

    # Parts

    def _build_view(self) -> None:
        self.setCacheMode(QGraphicsView.CacheModeFlag.CacheNone)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumSize(120, 80)
        self.setStyleSheet("background: transparent; border: none;")

    def _set_level(self, level: Level) -> None:
        self._levels = (*(known for known in self._levels if known.promise != level.promise), level)
        self._refresh()

    def _plot(self) -> QRectF:
        return QRectF(self._left, TOP, max(self.width() - self._left - RIGHT, 1), max(self.height() - TOP - BOTTOM, 1))

    def _frame(self) -> Frame:
        return Frame(self._plot(), self._window, self._ticks[-1])

    def _refresh(self) -> None:
        self._stale = not self.isVisible()
        if self._stale:
            return
        highest = self._curves.show(self._data, self._gaps, self._window, round(self._plot().width()))
        highest = max([highest, *(level.value for level in self._levels)])
        self._ticks = value_ticks(self._fixed_top / 1.04 if self._fixed_top else highest or 1.0)
        start, end = self._window
        self._curves.set_plane(end - start, self._ticks[-1])
        self._box.setRange(xRange=(0.0, end - start), yRange=(0.0, self._ticks[-1]), padding=0, disableAutoRange=True)
        self.viewport().update()

    def _dots(self, moment: float) -> list[tuple[float, QColor]]:
        values = self.values_at(moment)
        dots: list[tuple[float, QColor]] = []
        below = 0.0
        for line in self._lines:
            value = values[line.key]
            if value is None:
                continue
            below = below + value if line.kind == "stack" else 0.0
            color = self._theme.series_line(line.series) if line.series else self._theme.color(INK[line.look])
            dots.append((below if line.kind == "stack" else value, color))
        return dots

    def _tip(self, x: float) -> str:
        frame = self._frame()
        return "\n".join(mark.tip or mark.text for mark in self._marks if abs(frame.x(mark.time) - x) <= 5)

    @Slot(object)
    def _follow_hover(self, _moment: object) -> None:
        self.viewport().update()

    @Slot()
    def _dress(self) -> None:
        self._curves.dress(self._theme)
        self.viewport().update()
