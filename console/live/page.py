"""The Live page: what the engine does this second, and what it did in the last hour."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from console.live.chart_slot import ChartSlot
from console.live.charts_shown import (
    BATCH_LINES,
    INTER_TOKEN_LINES,
    KV_LINES,
    LABEL_SHARE,
    TTFT_LINES,
    derive_batch,
    derive_gaps,
    derive_inter_token,
    derive_kv,
    derive_marks,
    derive_tokens,
    derive_ttft,
    lines_of,
)
from console.live.grid import LiveGrid
from console.live.helps import HELPS
from console.live.presenter import LivePresenter
from console.live.tenant_panel import TenantPanel
from console.live.tiles_shown import derive_labels, derive_pill, derive_rows, derive_tiles
from console.live.truth_panel import TruthPanel
from console.live.truth_shown import derive_truth
from console.live.view import SPANS, WINDOWS, View
from console.promises import INTER_TOKEN_PROMISE_S, TTFT_PROMISE_S
from console.widgets.buttons import Button
from console.widgets.chart import HoverGroup
from console.widgets.empty_state import EmptyState
from console.widgets.fields import Choice, ComboBox
from console.widgets.label import Label
from console.widgets.page_header import PageHeader
from console.widgets.pill import Pill
from console.widgets.segment import Option, Segment
from console.widgets.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.live.charts_shown import ChartShown
    from console.live.reading import LiveRead
    from console.page_context import PageContext

NOTHING_YET: Final = "Nothing to show yet. The first sample comes a second after an engine is ready."
STEP_MS: Final = 30
"""Between two parts of one refresh: a chart costs up to 6 ms, and no two may come together."""
DERIVE: Final = {"batch": derive_batch, "ttft": derive_ttft, "kv": derive_kv, "inter_token": derive_inter_token}


class LivePage(QWidget):
    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.presenter = LivePresenter(context.bridge, context.house, context.notify, self)
        self.hover = HoverGroup(self)
        self.tiles = {
            key: Tile(context.theme, label, help_text=HELPS[key]) for key, label in derive_labels(View()).items()
        }
        self.charts = self._build_charts()
        self.tenants = TenantPanel(context.theme)
        self.truth = TruthPanel(context.theme)
        self.truth.map_asked.connect(partial(context.go_to, "settings"))
        self.grid = LiveGrid(tuple(self.tiles.values()), self._panels(), self.truth)
        self.empty = EmptyState(context.theme, NOTHING_YET, icon="live")
        self._build_layout(self._build_header())
        self._steps: list[Callable[[], None]] = []
        self._shown: dict[str, ChartShown] = {}
        self._stepper = QTimer(self)
        self._stepper.setInterval(STEP_MS)
        self._stepper.timeout.connect(self._step)
        self.presenter.changed.connect(self._refresh)
        self.presenter.view_changed.connect(self._refresh)
        self.presenter.paused_changed.connect(self._show_pause)
        escape = QShortcut(QKeySequence("Esc"), self, partial(self.grid.expand, None))
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def page_shown(self) -> None:
        self.presenter.open()

    def page_hidden(self) -> None:
        self.presenter.rest()
        self._stepper.stop()

    # Building

    def _build_header(self) -> PageHeader:
        theme, presenter = self._context.theme, self.presenter
        header = PageHeader("Live")
        self.pill = Pill(theme, derive_pill(self._context.house.engine.state.value))
        header.add_beside_title(self.pill)
        self.window_choice = Segment([Option(key, text) for key, text in WINDOWS.items()])
        self.window_choice.set_value(f"{presenter.view.window_s:.0f}")
        self.window_choice.chosen.connect(presenter.choose_window)
        self.span_choice = ComboBox(theme, [Choice(key, text) for key, text in SPANS.items()], name="Show last")
        self.span_choice.set_key(f"{presenter.view.span_s:.0f}")
        self.span_choice.chosen.connect(presenter.choose_span)
        self.pause = Button(theme, "Pause", icon="pause")
        self.pause.clicked.connect(presenter.pause)
        for words, choice in (("Percentiles over", self.window_choice), ("Show last", self.span_choice)):
            label = Label(words, "small", "text-2")
            label.setContentsMargins(12, 0, 2, 0)
            header.add_action(label)
            header.add_action(choice)
        header.add_gap()
        header.add_action(self.pause)
        return header

    def _build_charts(self) -> dict[str, ChartSlot]:
        theme, zone = self._context.theme, self._context.zone
        plan = (
            ("batch", "Batch", BATCH_LINES, "batch"),
            ("ttft", "Time to first token", TTFT_LINES, "ttft"),
            ("tokens", "Tokens out", lines_of(()), "tenant_tokens"),
            ("kv", "KV blocks", KV_LINES, "kv"),
            ("inter_token", "Inter-token latency", INTER_TOKEN_LINES, "inter_token"),
        )
        charts = {
            key: ChartSlot(theme, title, lines, HELPS[text], self.hover, zone) for key, title, lines, text in plan
        }
        charts["ttft"].chart.set_promise(TTFT_PROMISE_S, f"SLO {TTFT_PROMISE_S:.2f} s")
        promise_ms = INTER_TOKEN_PROMISE_S * 1000
        charts["inter_token"].chart.set_promise(promise_ms, f"SLO {promise_ms:.0f} ms")
        return charts

    def _panels(self) -> tuple[ChartSlot | TenantPanel, ...]:
        return (*self.charts.values(), self.tenants)

    def _build_layout(self, header: PageHeader) -> None:
        body = QWidget()
        self._stack = QStackedLayout(body)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.grid)
        if self._context.house.poller.latest.value is not None:
            self._stack.setCurrentWidget(self.grid)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(header)
        column.addWidget(body, 1)

    # Showing

    @Slot()
    def _refresh(self) -> None:
        """Begin one round: each part of the page in a turn of its own."""
        read = self.presenter.read
        if read is None:
            return
        self.pill.set_mark(derive_pill(read.engine))
        self._stack.setCurrentWidget(self.grid if read.newest is not None else self.empty)
        if read.newest is None:
            return
        if not self._steps:
            steps = (partial(step, key) for key in self.charts for step in (self._derive, self._draw))
            self._steps = [self._show_tiles, *steps, self._show_table, self._show_truth]
        self._stepper.start()

    @Slot()
    def _step(self) -> None:
        if self._steps:
            self._steps.pop(0)()
        if not self._steps:
            self._stepper.stop()

    def _show_tiles(self) -> None:
        read, view = self.presenter.read, self.presenter.view
        if read is None:
            return
        shown = derive_tiles(read, view)
        for key, label in derive_labels(view).items():
            self.tiles[key].set_label(label)
            self.tiles[key].show_figures(shown[key])

    def _derive(self, key: str) -> None:
        """What the chart will show: in a turn of its own, since an hour of samples takes some ms."""
        read, view = self.presenter.read, self.presenter.view
        if read is None:
            return
        if key == "tokens":
            self._shown[key] = derive_tokens(read, view, self._clock)
        else:
            self._shown[key] = DERIVE[key](read, view)

    def _draw(self, key: str) -> None:
        read, view = self.presenter.read, self.presenter.view
        if read is None:
            return
        if key == "tokens":
            self._keep_tenants(read)
        shown = self._shown.pop(key)
        marks = derive_marks(read.events, self._context.zone, named=key == "ttft", label_s=view.span_s * LABEL_SHARE)
        gaps = derive_gaps(read.rows.times, read.now) if shown.scraped else ()
        self.charts[key].show_chart(shown, (read.now - view.span_s, read.now), gaps, marks)

    def _keep_tenants(self, read: LiveRead) -> None:
        """The lines of the stack are the tenants: when they change it is built again."""
        lines, old = lines_of(read.tenants), self.charts["tokens"]
        if lines != old.lines:
            theme, zone = self._context.theme, self._context.zone
            new = ChartSlot(theme, "Tokens out", lines, HELPS["tenant_tokens"], self.hover, zone)
            self.charts["tokens"] = new
            self.grid.replace_panel(old, new)

    def _show_table(self) -> None:
        if self.presenter.read is not None:
            self.tenants.show_rows(derive_rows(self.presenter.read, self.presenter.view), self.presenter.view)

    def _show_truth(self) -> None:
        if self.presenter.read is not None:
            self.truth.show_truth(derive_truth(self.presenter.read, self.presenter.view), self.presenter.view)

    @Slot()
    def _show_pause(self) -> None:
        paused = self.presenter.paused
        self.pause.setText("Resume" if paused else "Pause")
        self.pause.set_icon("play" if paused else "pause")
        words = self.presenter.paused_words(self._context.zone)
        for chart in self.charts.values():
            chart.set_rest_value(words)

    def _clock(self, moment: float) -> str:
        return f"{datetime.fromtimestamp(moment, self._context.zone):%H:%M:%S}"
