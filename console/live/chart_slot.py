"""A chart of the Live page: its panel, and the sentence that stands in it when the engine has no such series."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.widgets.chart_panel import ChartPanel
from console.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from PySide6.QtWidgets import QWidget

    from console.live.charts_shown import ChartShown
    from console.theme.style import Theme
    from console.widgets.chart import HoverGroup
    from console.widgets.chart_data import Line, Mark, Span


class ChartSlot(ChartPanel):
    def __init__(
        self, theme: Theme, title: str, lines: Sequence[Line], help_text: str, hover: HoverGroup, zone: tzinfo,
        promise: tuple[float, str] | None = None, *, thousands: bool = False,
        expandable: bool = True,
    ) -> None:  # fmt: skip
        """`thousands`: room for the larger numbers of its axis."""
        super().__init__(
            theme, title, "", lines, help_text=help_text, hover=hover, zone=zone, millions=thousands,
            expandable=expandable,
        )  # fmt: skip
        self.setAccessibleName(title)
        self.lines = tuple(lines)
        self.missing = EmptyState(theme, "", small=True)
        self.missing.hide()
        self.body.addWidget(self.missing, 1)
        self._unit_shown = ""
        self._limit: tuple[float, str] | None = None
        if promise is not None:
            self.chart.set_promise(*promise)

    def choose_in_title(self, choice: QWidget) -> None:
        """Put a choice in place of the title, which it says itself."""
        self.set_title("")
        self.lead_with(choice)

    def hasHeightForWidth(self) -> bool:
        # The wrapped sentence has one, and with it the scroll area would ask the charts how high they are now.
        return False

    def show_chart(self, shown: ChartShown, window: Span, gaps: Sequence[Span], marks: Sequence[Mark]) -> None:
        self._say_missing(shown.missing)
        if shown.missing:
            return
        if shown.unit != self._unit_shown:
            self._unit_shown = shown.unit
            self.set_unit(shown.unit)
        self.legend.set_note(shown.note)
        self._show_limit(shown.limit)
        self.chart.set_marks(marks)
        self.show_series(shown.data, window, gaps)

    def _show_limit(self, limit: tuple[float, str] | None) -> None:
        if limit == self._limit:
            return
        self._limit = limit
        if limit is None:
            self.chart.clear_limit()
        else:
            self.chart.set_limit(*limit)

    def _say_missing(self, sentence: str) -> None:
        if sentence:
            self.missing.say(sentence)
        self.missing.setVisible(bool(sentence))
        self.legend.setVisible(not sentence)
        self.chart.setVisible(not sentence)
