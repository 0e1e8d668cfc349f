"""Alerts on the Live page: what fires and what is about to, what cleared today, and what to do about each."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from console.live.alert_history import AlertHistoryDialog
from console.live.alert_presenter import AlertPresenter
from console.live.alert_row import AlertRowWidget
from console.live.alert_shown import ACKNOWLEDGE, MUTE, OPEN, UNMUTE, AlertRow, derive_alerts
from console.widgets.buttons import Button, Icon
from console.widgets.cards import Panel
from console.widgets.empty_state import EmptyState
from console.widgets.label import ElidedLabel
from console.widgets.pill import Pill, PillMark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import tzinfo

    from PySide6.QtGui import QShowEvent

    from console.bridge.loop_thread import LoopThread
    from console.live.alert_presenter import Alerts
    from console.theme.style import Theme
    from console.widgets.notices import Notice

HELP: Final = (
    "Each alert watches one or more figures of this page: it is pending while they are beyond their limit, fires when "
    "they were for its time, and clears when they came back by a margin. What is not known neither fires nor clears. "
    "Acknowledge: you have seen it. Mute: nobody is told, it is still watched. Limits are changed, and alerts switched "
    "off, in alerts.toml of the home folder; who else is told is in Settings."
)
MADE_AT_ONCE: Final = 3
"""A new row costs 3 ms: the others are made a moment later, those at the top first."""
REST_MS: Final = 30


class AlertPanel(Panel):
    """`go_to` opens a page by its key."""

    def __init__(
        self, theme: Theme, bridge: LoopThread, alerts: Alerts, notify: Callable[[Notice], None],
        go_to: Callable[[str], None], zone: tzinfo,
    ) -> None:  # fmt: skip
        super().__init__(theme, "Alerts", help_text=HELP, padding=0, expandable=True, ruled=True)
        self._theme, self._go_to, self._zone = theme, go_to, zone
        self.presenter = AlertPresenter(bridge, alerts, notify, self)
        self._rows: dict[str, AlertRowWidget] = {}
        self._order: list[QWidget] = []
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self.refresh)
        self.firing, self.pending = Pill(theme, PillMark("", "error")), Pill(theme, PillMark("", "warn"))
        self.history = Button(theme, "History", "link", small=True)
        self.empty = EmptyState(theme, "", small=True)
        self.fault = ElidedLabel("", "small", "warn")
        self._list, self._fault_line = QVBoxLayout(), QWidget()
        self._build()
        self.history.clicked.connect(self.presenter.read_history)
        self.presenter.history_read.connect(self._show_history)
        self.presenter.changed.connect(self._board_changed)
        self.refresh()

    def hasHeightForWidth(self) -> bool:
        # The wrapped sentence has one, and with it the page would ask its charts how high they are now.
        return False

    def rows(self) -> tuple[AlertRowWidget, ...]:
        """From the top."""
        return tuple(self._rows.values())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        shown = derive_alerts(self.presenter.board, self._zone, datetime.now(UTC))
        self.firing.set_mark(PillMark(shown.firing, "error"))
        self.firing.setVisible(bool(shown.firing))
        self.pending.set_mark(PillMark(shown.pending, "warn"))
        self.pending.setVisible(bool(shown.pending))
        self.fault.setText(shown.fault)
        self.fault.setToolTip(shown.fault)
        self._fault_line.setVisible(bool(shown.fault))
        if shown.empty:
            self.empty.say(shown.empty)
        self.empty.setVisible(bool(shown.empty))
        self._area.setVisible(not shown.empty)
        self._show_rows(shown.rows)

    def _show_rows(self, rows: Sequence[AlertRow]) -> None:
        """Rows that stay keep their widget: what a person has opened or reached with Tab stays so."""
        for key in self._rows.keys() - {row.key for row in rows}:
            gone = self._rows.pop(key)
            self._list.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        new = [row.key for row in rows if row.key not in self._rows]
        later = set(new[MADE_AT_ONCE:])
        shown = [row for row in rows if row.key not in later]
        for number, row in enumerate(shown):
            self._rows[row.key] = widget = self._rows.get(row.key) or self._make(row)
            widget.show_row(row)
            if self._list.indexOf(widget) != number:
                self._list.insertWidget(number, widget)
        self._rows = {row.key: self._rows[row.key] for row in shown}
        self._order_tab()
        if later:
            self._rest.start()

    def _make(self, row: AlertRow) -> AlertRowWidget:
        widget = AlertRowWidget(self._theme, row)
        widget.acted.connect(self._act)
        return widget

    def _order_tab(self) -> None:
        """Rows are made when they come, not from the top."""
        order = [stop for row in self._rows.values() for stop in row.stops]
        if order != self._order:
            self._order = order
            for before, after in pairwise(order):
                QWidget.setTabOrder(before, after)

    def _build(self) -> None:
        self.add_after_title(self.firing)
        self.add_after_title(self.pending)
        self.add_action(self.history)
        inner = QWidget()
        inner.setProperty("scrolled", True)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._list.setSpacing(0)
        column.addLayout(self._list)
        column.addStretch(1)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(inner)
        line = QHBoxLayout(self._fault_line)
        line.setContentsMargins(12, 5, 12, 6)
        line.setSpacing(8)
        line.addWidget(Icon(self._theme, "warning", "warn", 14))
        line.addWidget(self.fault, 1)
        self.body.setSpacing(0)
        self.body.addWidget(self._area, 1)
        self.body.addWidget(self.empty, 1)
        self.body.addWidget(self._fault_line)

    @Slot()
    def _board_changed(self) -> None:
        """Unseen it costs nothing: it is brought up to date when it is shown."""
        if self.isVisible():
            self.refresh()

    @Slot(object, str, str)
    def _act(self, row: AlertRow, action: str, choice: str) -> None:
        if action == ACKNOWLEDGE:
            self.presenter.acknowledge(row.alert_id)
        elif action == MUTE:
            self.presenter.mute(row.rule, row.subject, choice)
        elif action == UNMUTE:
            self.presenter.unmute(row.rule, row.subject)
        elif action == OPEN:
            self._go_to(row.opens)

    @Slot(object)
    def _show_history(self, episodes: object) -> None:
        AlertHistoryDialog(self._theme, episodes, self._zone, self.window()).open()  # pyright: ignore[reportArgumentType]
