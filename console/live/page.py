"""The Live page: what the engines do this second, and what they did in the last hour."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from console.live.alert_panel import AlertPanel
from console.live.alert_shown import firing_words
from console.live.grid import LiveGrid
from console.live.header import LiveHeader
from console.live.helps import HELPS
from console.live.history_view import HistoryView
from console.live.panels import LivePanels
from console.live.pool_shown import derive_choices, derive_truth_line
from console.live.presenter import LivePresenter
from console.live.tiles_shown import derive_gauge_tiles, derive_labels, derive_tiles
from console.live.view import View
from console.live.wall import WallScreen
from console.widgets.chart import HoverGroup
from console.widgets.empty_state import EmptyState
from console.widgets.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.live.reading import LiveRead
    from console.page_context import PageContext

NOTHING_YET: Final = "Nothing to show yet. The first sample comes a second after an engine is ready."
STEP_MS: Final = 30
"""Between two parts of one refresh: a chart costs up to 6 ms, and no two may come together."""


class LivePage(QWidget):
    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.presenter = LivePresenter(context.bridge, context.house, context.notify, self)
        self.hover = HoverGroup(self)
        self.tiles = {
            key: Tile(context.theme, label, help_text=HELPS[key]) for key, label in derive_labels(View()).items()
        }
        self.panels = LivePanels(context.theme, self.hover, context.zone, self.presenter.view, self)
        self.alerts = AlertPanel(
            context.theme, context.bridge, context.house.alerts, context.notify, context.go_to, context.zone
        )
        places = self.panels.places(self.alerts)
        self.grid = LiveGrid(tuple(self.tiles.values()), places, self.panels.truth)
        self.empty = EmptyState(context.theme, NOTHING_YET, icon="live")
        self.header = LiveHeader(context.theme, self.presenter.view)
        self._build_layout()
        self._steps: list[Callable[[LiveRead, View], None]] = []
        self._stepper = QTimer(self)
        self._stepper.setInterval(STEP_MS)
        self._stepper.timeout.connect(self._step)
        self.wall: WallScreen | None = None
        self.history: HistoryView | None = None
        self._connect()

    def page_shown(self) -> None:
        if self.history is not None and self._root.currentWidget() is self.history:
            self.history.open()
        else:
            self.presenter.open()

    def page_hidden(self) -> None:
        self.presenter.rest()
        self._stepper.stop()
        if self.history is not None:
            self.history.rest()
        if self.wall is not None:
            self.wall.close()

    # Building

    def _build_layout(self) -> None:
        body = QWidget()
        self._stack = QStackedLayout(body)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.grid)
        if any(seat.poller.latest.value is not None for seat in self._context.house.engines.seats):
            self._stack.setCurrentWidget(self.grid)
        self._now = QWidget()
        column = QVBoxLayout(self._now)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(body, 1)
        self._root = QStackedLayout(self)
        self._root.addWidget(self._now)

    def _connect(self) -> None:
        presenter, header = self.presenter, self.header
        header.engine_choice.chosen.connect(presenter.choose_engine)
        header.window_choice.chosen.connect(presenter.choose_window)
        header.span_choice.chosen.connect(presenter.choose_span)
        header.pause.clicked.connect(presenter.pause)
        self.panels.latency_chosen.connect(presenter.choose_latency)
        self.panels.replaced.connect(self.grid.replace_panel)
        self.panels.truth.map_asked.connect(partial(self._context.go_to, "settings"))
        self.grid.moved.connect(self._refresh)
        presenter.changed.connect(self._refresh)
        presenter.glanced.connect(self._show_gauges)
        presenter.view_changed.connect(self._refresh)
        presenter.paused_changed.connect(self._show_pause)
        header.wall_asked.connect(self.show_wall)
        header.history_asked.connect(self.show_history)
        wall = QShortcut(QKeySequence("F11"), self._now, self.show_wall)
        wall.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape = QShortcut(QKeySequence("Esc"), self._now, partial(self.grid.expand, None))
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    @Slot()
    def show_history(self) -> None:
        """What was, in place of what is now, of the same engine; nothing is read of what nobody sees."""
        if self.history is None:
            self.history = HistoryView(self._context, parent=self)
            self.history.closed.connect(self._show_now)
            self._root.addWidget(self.history)
        self.presenter.rest()
        self._stepper.stop()
        self._root.setCurrentWidget(self.history)
        self.history.open(self._chosen_name)

    @property
    def _chosen_name(self) -> str:
        """ "" = all engines."""
        engines = self.presenter.read.engines if self.presenter.read is not None else ()
        return next((one.state.name for one in engines if one.key == self.presenter.view.engine), "")

    @Slot()
    def _show_now(self) -> None:
        if self.history is not None:
            self.history.rest()
        self._root.setCurrentWidget(self._now)
        self.presenter.open()
        self.header.history.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def show_wall(self) -> None:
        """Cover the screen with what matters most; nothing happens while there is nothing to show."""
        read, view = self.presenter.read, self.presenter.view
        if self.wall is not None or read is None or read.newest is None:
            return
        self.wall = WallScreen(self._context.theme, self._context.zone, view, self)
        self.wall.left.connect(self._wall_gone)
        self._show_wall(read, view)
        self.wall.showFullScreen()

    @Slot()
    def _wall_gone(self) -> None:
        self.wall = None

    # Showing

    @Slot()
    def _refresh(self) -> None:
        """Begin one round: each part of the page in a turn of its own."""
        read, view = self.presenter.read, self.presenter.view
        if read is None:
            return
        self.header.show_engines(derive_choices(read.engines), view.engine)
        self.header.set_truth(derive_truth_line(read.engines, view.engine), "warn")
        self._stack.setCurrentWidget(self.grid if read.newest is not None else self.empty)
        self.empty.say(f"{NOTHING_YET} {firing_words(self.alerts.presenter.board)}".strip())
        if read.newest is None:
            return
        if not self._steps:
            self._steps = [self._show_tiles, *self.panels.steps, self._show_wall]
        self._stepper.start()

    @Slot()
    def _step(self) -> None:
        read = self.presenter.read
        if self._steps and read is not None:
            self._steps.pop(0)(read, self.presenter.view)
        if not self._steps:
            self._stepper.stop()

    def _show_tiles(self, read: LiveRead, view: View) -> None:
        shown = derive_tiles(read, view)
        for key, label in derive_labels(view).items():
            self.tiles[key].set_label(label)
            self.tiles[key].show_figures(shown[key])

    @Slot()
    def _show_gauges(self) -> None:
        if self.presenter.read is not None:
            for key, figures in derive_gauge_tiles(self.presenter.read).items():
                self.tiles[key].show_figures(figures)

    def _show_wall(self, read: LiveRead, view: View) -> None:
        if self.wall is not None:
            self.wall.show_read(read, view)
            self.wall.show_alerts(self.alerts.presenter.board.calling)

    @Slot()
    def _show_pause(self) -> None:
        self.header.show_pause(paused=self.presenter.paused)
        self.panels.rest(self.presenter.paused_words(self._context.zone))
