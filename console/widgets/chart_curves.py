"""The curves of one chart in pyqtgraph: made once, given new numbers as often as they come."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportMissingTypeStubs=false, reportUnknownParameterType=false, reportAttributeAccessIssue=false
# pyright: reportOptionalMemberAccess=false, reportOptionalCall=false, reportCallIssue=false, reportArgumentType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPen

from console.widgets.chart_data import as_steps, broken_at, clipped, thinned

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken
    from console.widgets.chart_data import Line, Look, Span

INK: dict[Look, ColorToken] = {
    "main": "accent",
    "second": "text-2",
    "third": "text-3",
    "ghost": "text-3",
    "bad": "error",
    "series": "text",
}
DASHES: dict[Look, list[float]] = {"third": [2, 2], "ghost": [4, 3]}
FILL_SHARE = 0.16


class _Plotted(pg.PlotCurveItem):
    """A curve that knows its plane and does not measure itself for every frame."""

    plane = QRectF()

    def boundingRect(self) -> QRectF:
        return self.plane

    def dataBounds(self, *_axis: object, **_share: object) -> tuple[None, None]:
        return (None, None)


class Curve:
    """A fill without antialiasing (else seams show) under a line of one px with it."""

    def __init__(self, line: Line, box: Any, depth: int) -> None:
        self.line = line
        self._fill = _Plotted(connect="finite", antialias=False)
        self._edge = _Plotted(connect="finite", antialias=not line.stepped)
        self._fill.setPen(None)
        self._fill.setZValue(depth)
        self._edge.setZValue(depth + 0.5)
        box.addItem(self._fill)
        box.addItem(self._edge)

    def dress(self, theme: Theme) -> None:
        line = self.line
        color = theme.series_line(line.series) if line.series else theme.color(INK[line.look])
        pen = QPen(color, line.width)
        pen.setCosmetic(True)
        if line.look in DASHES:
            pen.setDashPattern(DASHES[line.look])
        self._edge.setPen(pen)
        if line.kind == "stack" and line.series:
            self._fill.setBrush(theme.series_fill(line.series))
        elif line.kind == "stack":
            self._fill.setBrush(_mixed(color, theme.color("surface"), FILL_SHARE))
        elif line.fill:
            color.setAlphaF(FILL_SHARE)
            self._fill.setBrush(color)

    def set_plane(self, plane: QRectF) -> None:
        for item in (self._fill, self._edge):
            item.prepareGeometryChange()
            item.plane = plane

    def set_data(self, times: NDArray[np.float64], values: NDArray[np.float64]) -> None:
        self._edge.setData(times, values)
        if self.line.fill or self.line.kind == "stack":
            self._fill.setData(times, values, fillLevel=0.0)


class Curves:
    """All curves of a chart. Stacks are drawn as running totals from the top one down, each filled to 0."""

    def __init__(self, theme: Theme, lines: Sequence[Line], box: Any) -> None:
        self._curves = [Curve(line, box, 100 - 2 * number) for number, line in enumerate(lines)]
        self.dress(theme)

    def dress(self, theme: Theme) -> None:
        for curve in self._curves:
            curve.dress(theme)

    def set_plane(self, seconds: float, top: float) -> None:
        """What the axes cover: the time from 0 to `seconds`, the values from 0 to `top`."""
        for curve in self._curves:
            curve.set_plane(QRectF(0, 0, seconds, top))

    def show(
        self, data: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]], gaps: Sequence[Span],
        window: Span, points: int,
    ) -> float:  # fmt: skip
        """Draws what lies in `window` and returns the highest value there. Times are relative to window[0]."""
        below: NDArray[np.float64] | None = None
        highest = 0.0
        for curve in self._curves:
            times, values = clipped(*data.get(curve.line.key, _NOTHING), *window)
            if curve.line.kind == "stack":
                values = values if below is None or len(below) != len(values) else below + values
                below = values
            if len(values) and not np.isnan(values).all():
                highest = max(highest, float(np.nanmax(values)))
            times, values = thinned(*broken_at(times, values, gaps), points)
            if curve.line.stepped:
                times, values = as_steps(times, values)
            curve.set_data(times - window[0], values)
        return highest


_NOTHING = (np.empty(0), np.empty(0))


def _mixed(color: QColor, ground: QColor, share: float) -> QColor:
    """`color` at `share` over `ground`, without transparency, so that stacked fills do not add up."""
    pairs = zip(color.getRgb(), ground.getRgb(), strict=True)
    red, green, blue, _ = (round(c * share + g * (1 - share)) for c, g in pairs)
    return QColor(red, green, blue)
