"""A panel with a legend and a chart whose figures follow the mouse."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout

from console.widgets.cards import Panel
from console.widgets.chart import Chart
from console.widgets.legend import Legend

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtWidgets import QWidget

    from console.theme.style import Theme
    from console.widgets.chart import HoverGroup
    from console.widgets.chart_data import Line, Span


class ChartPanel(Panel):
    """At rest the legend shows the last values; under the mouse those of that moment, and the header says when."""

    def __init__(
        self, theme: Theme, title: str, unit: str, lines: Sequence[Line], *, help_text: str = "",
        hover: HoverGroup | None = None, zone: tzinfo = UTC, expandable: bool = True, millions: bool = False,
        legend: bool = True, parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(theme, title, unit, help_text=help_text, expandable=expandable, padding=0, parent=parent)
        self._zone = zone
        self._rest_value = ""
        self.legend = Legend(theme, [line for line in lines if line.name])
        self.chart = Chart(theme, lines, hover=hover, zone=zone, millions=millions)
        if not legend:
            self.legend.hide()
        row = QHBoxLayout()
        row.setContentsMargins(12, 0, 12, 0)
        row.addWidget(self.legend)
        self.body.setSpacing(0)
        self.body.addLayout(row)
        self.body.addWidget(self.chart, 1)
        self.setMinimumSize(320, 180)
        self.chart.hover.moved.connect(self._follow)

    def show_series(
        self,
        data: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]],
        window: Span,
        gaps: Sequence[Span] = (),
    ) -> None:
        """New numbers, the window (epoch s) and its gaps at once."""
        self.chart.set_data(data, window, gaps)
        self.legend.set_values(self.chart.values_at(self.chart.hover.moment))

    def set_rest_value(self, text: str) -> None:
        """What the header says while no mouse is over a chart, such as "paused at 12:44:10"."""
        self._rest_value = text
        if self.chart.hover.moment is None:
            self.set_value(text)

    @Slot(object)
    def _follow(self, moment: object) -> None:
        at = float(moment) if isinstance(moment, float) else None
        self.legend.set_values(self.chart.values_at(at))
        clock = "" if at is None else f"at {datetime.fromtimestamp(at, self._zone):%H:%M:%S}"
        self.set_value(clock or self._rest_value)
