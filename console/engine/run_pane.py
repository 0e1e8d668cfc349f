"""The right pane: an engine's name and what can be done with it, how it failed, its start, its log."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from console.engine.cards import FailureCard, StartCard
from console.engine.engine_shown import (
    derive_action,
    derive_attached,
    derive_failure,
    derive_origin,
    derive_sleep,
    derive_state_line,
    is_attached,
)  # fmt: skip
from console.engine.log_panel import LogPanel
from console.engine.more_shown import derive_more, derive_stops
from console.engine.presenter import FIRST
from console.engine.start_shown import derive_start
from console.widgets.buttons import Button, IconButton
from console.widgets.label import Label
from console.widgets.menu import Menu, MenuEntry
from console.widgets.page_header import PageHeader
from console.widgets.pill import Pill, PillMark
from engine_host.engine.state import EngineStatus

if TYPE_CHECKING:
    from datetime import tzinfo

    from PySide6.QtGui import QResizeEvent

    from console.engine.engine_shown import ActionKey, SleepShown
    from console.engine.presenter import EnginePresenter
    from console.theme.style import Theme
    from engine_host.engine.profile import EngineProfile

EMPTY: Final = "Nothing runs here yet. Start it with the profile in the form, or attach to a server by its URL."
LAST_LINES: Final = 2
NARROW_PX: Final = 480
"""Below it the head holds the name, the state and one button; what else there is lies in the menu."""
WIDE_PX: Final = 580


class RunPane(QWidget):
    """Shows the presenter's state when `show_state` is called; `acted(key)` for the buttons of the head."""

    acted = Signal(str)
    report_asked = Signal()

    def __init__(self, theme: Theme, presenter: EnginePresenter, zone: tzinfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._presenter = theme, presenter
        self._action: ActionKey | None = None
        self._more: tuple[MenuEntry, ...] = ()
        self._sleep: str | None = None
        self._profile: EngineProfile | None = None
        self._elsewhere = False
        self.setMinimumWidth(400)
        self.header = PageHeader("", pane=True)
        self.state = Pill(theme, PillMark(""))
        self.sleep = Button(theme, "Sleep")
        self.button = Button(theme, "Start", "primary", "play")
        self.more = IconButton(theme, "more", "More for this engine")
        self.failure = FailureCard(theme)
        self.start = StartCard(theme)
        self.log = LogPanel(theme, zone)
        self._empty = Label(EMPTY, "small", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._build()
        self.button.clicked.connect(self._act)
        self.more.clicked.connect(self._open_more)
        self.sleep.clicked.connect(self._sleep_or_wake)
        self.log.report_asked.connect(self.report_asked)

    def show_state(self, profile: EngineProfile, *, elsewhere: bool = False) -> None:
        """`profile` is the one that a start would use; `elsewhere`: it is for more than this machine."""
        self._profile, self._elsewhere = profile, elsewhere
        view = self._presenter.state
        engine = view.engine
        self.header.set_title(engine.name or profile.name)
        self._show_actions()
        self._show_origin()
        self._show_failure()
        self.show_progress()
        self.log.choose(view.chosen)
        attached = is_attached(engine)
        self._empty.setText(derive_attached(engine) if attached else EMPTY)
        self._empty.setVisible((attached or engine.status is EngineStatus.NONE) and not self.log.book.entries)
        self.log.setVisible(not self._empty.isVisibleTo(self))

    def show_progress(self) -> None:
        """What changes with the clock: a start, and the pause before a restart."""
        view = self._presenter.state
        self.state.set_mark(derive_state_line(view.engine, datetime.now(UTC)))
        self.state.setVisible(view.engine.status is not EngineStatus.NONE)
        if self._profile is None or is_attached(view.engine):
            self.start.setVisible(False)
            return
        shown = derive_start(view.engine, view.last(self._profile), self._presenter.seat.elapsed_s)
        self.start.setVisible(shown is not None)
        if shown is not None:
            self.start.show_start(shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._profile is not None:
            self._show_actions()
        self._show_origin()

    def _show_origin(self) -> None:
        """Only where the buttons leave room for it: half a word tells nothing."""
        crowded = self.width() < (WIDE_PX if self.sleep.isVisibleTo(self) else NARROW_PX)
        self.header.set_truth("" if crowded else derive_origin(self._presenter.state.engine))

    def _show_actions(self) -> None:
        view = self._presenter.state
        action = derive_action(
            view.engine, cancelling=view.seat.cancelling, elsewhere=self._elsewhere, removing=view.seat.removing
        )
        self._action = action.key
        self.button.setText(action.text)
        self.button.set_kind(action.kind)
        self.button.set_icon(action.icon)
        self.button.setEnabled(action.key is not None)
        limit = f"Its answers have {self._presenter.drain_s:g} s to finish (engine.drain_s)."
        self.button.setToolTip(limit if action.key == "stop" else "")
        asks = bool(self._profile and self._profile.value("sleep_mode"))
        sleep = derive_sleep(view.engine, sleep_mode=asks, on_gpu=view.on_gpu)
        narrow = self.width() < NARROW_PX
        self._show_more(sleep if narrow else None)
        self.sleep.setVisible(sleep is not None and not narrow)
        if sleep is not None:
            self._sleep = sleep.key
            self.sleep.setText(sleep.text)
            self.sleep.setEnabled(sleep.key is not None and not view.seat.waiting)
            self.sleep.setToolTip(sleep.why)
            self.sleep.setAccessibleDescription(sleep.why)

    def _show_more(self, sleep: SleepShown | None) -> None:
        """`sleep` is what has no room as a button."""
        view = self._presenter.state
        stops = derive_stops(self._presenter.drain_s) if self._action == "stop" and view.engine.can_answer else ()
        removable = view.chosen != FIRST and not view.seat.removing
        self._more = derive_more(stops, sleep, removable=removable)
        self.more.setVisible(bool(self._more))

    def _show_failure(self) -> None:
        engine = self._presenter.state.engine
        shown = derive_failure(engine, self.log.book.last_told(LAST_LINES))
        self.failure.setVisible(shown is not None)
        if shown is not None:
            self.failure.show_failure(shown, is_warning=engine.status is EngineStatus.STALLED)

    @Slot()
    def _act(self) -> None:
        if self._action is not None:
            self.acted.emit(self._action)

    @Slot()
    def _open_more(self) -> None:
        menu = Menu(self._theme, self._more, self)
        menu.chosen.connect(self.acted)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height() + 2)))

    @Slot()
    def _sleep_or_wake(self) -> None:
        if self._sleep is not None:
            self.acted.emit(self._sleep)

    def _build(self) -> None:
        self.header.add_beside_title(self.state)
        self.header.add_action(self.sleep)
        self.header.add_action(self.button)
        self.header.add_action(self.more)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        cards = QVBoxLayout()
        cards.setContentsMargins(16, 12, 16, 16)
        cards.setSpacing(16)
        cards.addWidget(self.failure)
        cards.addWidget(self.start)
        cards.addWidget(self._empty, 1)
        cards.addWidget(self.log, 1)
        column.addLayout(cards, 1)
