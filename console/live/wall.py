"""The Live page for a screen on the kitchen's wall: four figures and two charts that can be read from 4 m."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView, QHBoxLayout, QVBoxLayout, QWidget

from console.live.chart_slot import ChartSlot
from console.live.charts_shown import BATCH_LINES, derive_batch, derive_gaps
from console.live.latency_shown import LATENCIES, PERCENTILES, derive_latency, lines_of_latency
from console.live.pool_shown import derive_choices
from console.live.tiles_shown import derive_labels, derive_tiles
from console.widgets.chart import HoverGroup
from console.widgets.label import Label
from console.widgets.pill import Pill, PillMark
from console.widgets.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from PySide6.QtGui import QCloseEvent, QResizeEvent

    from console.live.reading import LiveRead
    from console.live.view import View
    from console.theme.style import Theme
    from engine_host.metrics.alert_board import ActiveAlert

BOARD_PX: Final = 430
"""The board is laid out in so little height and shown as large as the screen is: at 1,080 px a caption has 28 px and a
number 70, which on a screen of 80 cm are 10 and 26 mm."""
LINE_PX: Final = 4.0
TILES: Final = ("batch", "ttft", "kv", "tokens")


class WallScreen(QGraphicsView):
    """Covers the whole screen over `owner`; Esc or F11 ends it, and `left` tells. `show_read` as often as there is
    something new."""

    left = Signal()

    def __init__(self, theme: Theme, zone: tzinfo, view: View, owner: QWidget) -> None:
        super().__init__(owner)
        self._theme, self._zone = theme, zone
        self.setWindowFlag(Qt.WindowType.Window)
        self.setWindowTitle("Dabba Console: Live")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._latency = LATENCIES[view.latency]
        self.board = QWidget()
        self.tiles = {key: Tile(theme, label) for key, label in derive_labels(view).items() if key in TILES}
        self.charts = self._build_charts()
        self.pill, self.alert = Pill(theme, PillMark("")), Pill(theme, PillMark("", "error"))
        self.clock = Label("", "pane-title")
        self._build_board()
        self._scene = QGraphicsScene(self)
        self._scene.addWidget(self.board)
        self.setScene(self._scene)
        for key in ("Esc", "F11"):
            QShortcut(QKeySequence(key), self, self.close)

    def show_read(self, read: LiveRead, view: View) -> None:
        shown, labels = derive_tiles(read, view), derive_labels(view)
        for key, tile in self.tiles.items():
            tile.set_label(labels[key])
            tile.show_figures(shown[key])
        every = derive_choices(read.engines)
        chosen = next((one for one in every if one.key == view.engine), every[0])
        self.pill.set_mark(PillMark(chosen.text, chosen.kind, dot=True))
        self.clock.setText(f"{datetime.fromtimestamp(read.now, self._zone):%H:%M:%S}")
        window, gaps = (read.now - view.span_s, read.now), derive_gaps(read.rows.times, read.now)
        derive = {"batch": derive_batch, "latency": partial(derive_latency, key=self._latency.key)}
        for key, chart in self.charts.items():
            told = derive[key](read, view)
            chart.show_chart(replace(told, note=""), window, gaps if told.scraped else (), ())

    def show_alerts(self, firing: Sequence[ActiveAlert]) -> None:
        """The first one, and how many more there are."""
        more = f" and {len(firing) - 1} more" if len(firing) > 1 else ""
        self.alert.set_mark(PillMark(f"{firing[0].title}{more}" if firing else "", "error"))
        self.alert.setVisible(bool(firing))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        scale = max(self.height() / BOARD_PX, 0.1)
        self.board.setFixedSize(round(self.width() / scale), BOARD_PX)
        self.setSceneRect(QRectF(0, 0, self.width() / scale, BOARD_PX))
        self.resetTransform()
        self.scale(scale, scale)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.left.emit()

    def _build_charts(self) -> dict[str, ChartSlot]:
        hover, latency = HoverGroup(self), self._latency
        batch = [replace(line, width=LINE_PX) for line in BATCH_LINES]
        lines = [replace(line, width=LINE_PX) for line in lines_of_latency(latency) if line.key in PERCENTILES]
        return {
            "batch": ChartSlot(self._theme, "Batch", batch, "", hover, self._zone, expandable=False),
            "latency": ChartSlot(
                self._theme, latency.name, lines, "", hover, self._zone, latency.promise, expandable=False
            ),
        }

    def _build_board(self) -> None:
        head, tiles, charts = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        head.addWidget(Label("Live", "title"))
        head.addWidget(self.pill)
        head.addWidget(self.alert)
        head.addStretch(1)
        head.addWidget(Label("Esc leaves", "small", "text-3"))
        head.addSpacing(8)
        head.addWidget(self.clock)
        for tile in self.tiles.values():
            tiles.addWidget(tile, 1)
        for chart in self.charts.values():
            charts.addWidget(chart, 1)
        column = QVBoxLayout(self.board)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(8)
        for row in (head, tiles):
            row.setSpacing(8)
            column.addLayout(row)
        charts.setSpacing(8)
        column.addLayout(charts, 1)
