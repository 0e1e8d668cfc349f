"""One panel of the history: its chart, the sentence when nothing is kept, and a picture of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from console.widgets.buttons import IconButton
from console.widgets.chart_data import NEAR_S
from console.widgets.chart_panel import ChartPanel
from console.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from console.live.history_charts import HistoryShown
    from console.live.history_panels import HistoryPanel
    from console.theme.style import Theme
    from console.widgets.chart import HoverGroup
    from console.widgets.chart_data import Line, Mark, Span


class HistoryChart(ChartPanel):
    """`picture_asked` comes when a person wants this panel as a file."""

    picture_asked = Signal()

    def __init__(
        self, theme: Theme, panel: HistoryPanel, lines: Sequence[Line], hover: HoverGroup, zone: tzinfo
    ) -> None:
        help_text = f"{panel.help_text} From {panel.names}, as kept: older samples are thinned, never made up."
        super().__init__(theme, panel.title, panel.unit, lines, help_text=help_text, hover=hover, zone=zone)
        self.lines = tuple(lines)
        self.missing = EmptyState(theme, "", small=True)
        self.missing.hide()
        self.body.addWidget(self.missing, 1)
        self.picture = IconButton(theme, "export", f"Save {panel.title} as a picture", px=13, box=18)
        self.picture.clicked.connect(self.picture_asked)
        self.add_action(self.picture)

    def hasHeightForWidth(self) -> bool:
        # The wrapped sentence has one, and with it the scroll area would ask the charts how high they are now.
        return False

    def show_chart(
        self, shown: HistoryShown, window: Span, gaps: Sequence[Span], marks: Sequence[Mark], step_s: float
    ) -> None:
        """`step_s` lies between two points."""
        if shown.missing:
            self.missing.say(shown.missing)
        self.missing.setVisible(bool(shown.missing))
        self.legend.setVisible(not shown.missing)
        self.chart.setVisible(not shown.missing)
        if not shown.missing:
            self.chart.set_near(max(NEAR_S, step_s / 2))
            self.chart.set_marks(marks)
            self.show_series(shown.data, window, gaps)
