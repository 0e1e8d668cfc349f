"""The history of the engines: a span of the past, beside another one. It stands in for the panels of the Live page.

Put it beside the page's own panels, call `open` when it is shown and `rest` when it is not, and go back on `closed`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from console.live.export_desk import ExportDesk
from console.live.history_bar import HistoryBar
from console.live.history_chart import HistoryChart
from console.live.history_charts import derive_chart, derive_marks
from console.live.history_grid import HistoryGrid
from console.live.history_panels import PANELS
from console.live.history_presenter import HistoryPresenter
from console.live.history_window import kept_words, span_words, step_words
from console.promises import INTER_TOKEN_PROMISE_S, TTFT_PROMISE_S
from console.widgets.chart import HoverGroup

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.live.history_charts import HistoryShown
    from console.live.history_panels import HistoryPanel
    from console.live.history_reading import HistoryRead
    from console.page_context import PageContext


class HistoryView(QWidget):
    closed = Signal()

    def __init__(
        self, context: PageContext, clock: Callable[[], float] = time.time, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._context = context
        self.presenter = HistoryPresenter(
            context.bridge, context.house.database, context.zone, context.notify, clock, self
        )
        self.bar = HistoryBar(context.theme, self.presenter)
        self.grid = HistoryGrid()
        self.exports = ExportDesk(context, self.presenter, self.grid, self)
        self.charts: dict[str, HistoryChart] = {}
        self._hover = HoverGroup(self)
        self._waiting: list[tuple[str, HistoryShown]] = []
        self._drawn: HistoryRead | None = None
        self._drawing = QTimer(self)
        self._drawing.timeout.connect(self._draw_next)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.grid, 1)
        self.presenter.changed.connect(self._show)
        self.bar.export_asked.connect(self.exports.export)
        self.bar.closed.connect(self.closed)
        escape = QShortcut(QKeySequence("Esc"), self, self._escape)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def open(self, engine: str | None = None) -> None:
        """`engine` by its name, "" = all of them together, None = as it was left."""
        self.presenter.open(engine)
        self._show()
        self.bar.day.setFocus(Qt.FocusReason.OtherFocusReason)

    def rest(self) -> None:
        self.presenter.rest()
        self._drawing.stop()

    @Slot()
    def _escape(self) -> None:
        if self.grid.expanded is not None:
            self.grid.expand(None)
        else:
            self.closed.emit()

    @Slot()
    def _show(self) -> None:
        state = self.presenter.state
        self.bar.show_state()
        self.bar.truth.setText(self._truth())
        self.bar.export.setEnabled(state.read is not None)
        if state.read is not None and state.read is not self._drawn:
            self._drawn = state.read
            self._draw(state.read)

    def _truth(self) -> str:
        state, now = self.presenter.state, self.presenter.now
        first, last = state.span.ends(now)
        shift_s = state.span.shift_s(self._context.zone, now) or 0.0
        step = step_words(state.span.slot_s(now, shift_s))
        told = [span_words(first, last, self._context.zone), f"a point each {step}"]
        told.append(kept_words(first, now))
        return ", ".join(told) + (", reading" if state.reading and state.read is None else "")

    def _draw(self, read: HistoryRead) -> None:
        shown = [(panel, derive_chart(panel, read, self._context.zone)) for panel in PANELS]
        if any(panel.key not in self.charts or self.charts[panel.key].lines != one.lines for panel, one in shown):
            self._build(shown)
        self._waiting = [(panel.key, one) for panel, one in shown]
        self._drawing.start()

    @Slot()
    def _draw_next(self) -> None:
        """One chart a turn: together they would hold the window up for two frames."""
        read = self.presenter.state.read
        if self._waiting and read is not None:
            key, one = self._waiting.pop(0)
            marks = derive_marks(read, self._context.zone, named=key == "ttft")
            self.charts[key].show_chart(one, (read.first, read.last), read.gaps, marks, read.slot_s)
        if not self._waiting:
            self._drawing.stop()

    def _build(self, shown: list[tuple[HistoryPanel, HistoryShown]]) -> None:
        """The lines are there for good in a chart: with another day beside them they are made again."""
        theme, zone = self._context.theme, self._context.zone
        self.charts = {panel.key: HistoryChart(theme, panel, one.lines, self._hover, zone) for panel, one in shown}
        self.charts["ttft"].chart.set_promise(TTFT_PROMISE_S, f"SLO {TTFT_PROMISE_S:.2f} s")
        promise_ms = INTER_TOKEN_PROMISE_S * 1000
        self.charts["inter_token"].chart.set_promise(promise_ms, f"SLO {promise_ms:.0f} ms")
        for panel, _ in shown:
            self.charts[panel.key].chart.set_top(panel.top)
        for chart in self.charts.values():
            chart.picture_asked.connect(self.exports.picture_of_sender)
        self.grid.set_panels(tuple(self.charts.values()))
