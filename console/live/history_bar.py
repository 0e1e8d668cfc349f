"""The controls above the history: which time, how long, which engine, beside which day; and what can be taken out."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from console.live.compare_choice import compare_choices, day_words, key_of
from console.live.history_reading import ALL
from console.live.history_window import LENGTHS, oldest_day
from console.widgets.buttons import Button, IconButton
from console.widgets.fields import Choice, ComboBox
from console.widgets.label import ElidedLabel, Label
from console.widgets.menu import Menu, MenuEntry

if TYPE_CHECKING:
    from console.live.history_presenter import HistoryPresenter
    from console.theme.style import Theme

EXPORTS: Final = (
    MenuEntry("csv", "Figures as CSV…", "export"),
    MenuEntry("png", "Panels as a picture…", "monitor"),
    MenuEntry("report", "Incident report…", "flag"),
)


class HistoryBar(QFrame):
    """`export_asked(what)` with a key of EXPORTS; `closed` when a person goes back to what is now."""

    export_asked = Signal(str)
    closed = Signal()

    def __init__(self, theme: Theme, presenter: HistoryPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._presenter = theme, presenter
        self.setProperty("edge", "bottom")
        self.menu: Menu | None = None
        self.truth = ElidedLabel("", "small", "text-3")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 8)
        column.setSpacing(6)
        column.addLayout(self._build_time())
        column.addLayout(self._build_second())
        self._build_keys()

    def show_state(self) -> None:
        """What is chosen, as it is now: the lists of days go on with the clock."""
        state, zone, now = self._presenter.state, self._presenter.zone, self._presenter.now
        begins = state.span.begins(zone, now)
        self.day.set_choices(_days(oldest_day(now, zone), self._today()))
        self.day.set_key(begins.date().isoformat())
        self.hour.set_choices(_clocks(f"{begins:%H:%M}"))
        self.hour.set_key(f"{begins:%H:%M}")
        self.length.set_key(str(state.span.length_s))
        self.compare.set_choices(compare_choices(state.span, zone, now))
        self.compare.set_key(key_of(state.span.against))
        self.later.setEnabled(state.span.last is not None)
        self.now.setEnabled(state.span.last is not None)
        engines = state.read.engines if state.read else ()
        known = dict.fromkeys((*engines, state.engine) if state.engine else engines)
        together = f"All engines ({len(engines)})" if engines else "All engines"
        self.engine.set_choices([Choice(ALL, together), *(Choice(name, name) for name in known)])
        self.engine.set_key(state.engine)

    def _build_time(self) -> QHBoxLayout:
        theme, presenter = self._theme, self._presenter
        self.earlier = Button(theme, "Earlier", icon="step-back")
        self.later = Button(theme, "Later", icon="step")
        self.now = Button(theme, "Now")
        self.day = ComboBox(theme, name="Day")
        self.hour = ComboBox(theme, name="From")
        self.length = ComboBox(theme, [Choice(key, text) for key, text in LENGTHS.items()], name="Length")
        self.engine = ComboBox(theme, name="Engine")
        self.compare = ComboBox(theme, name="Beside it")
        self.earlier.clicked.connect(self._go_back)
        self.later.clicked.connect(self._go_on)
        self.now.clicked.connect(presenter.to_now)
        self.day.chosen.connect(self._begin_chosen)
        self.hour.chosen.connect(self._begin_chosen)
        self.length.chosen.connect(presenter.choose_length)
        self.engine.chosen.connect(presenter.choose_engine)
        self.compare.chosen.connect(presenter.choose_compare)
        row = QHBoxLayout()
        row.setSpacing(8)
        for widget in (self.earlier, self.later, self.now):
            row.addWidget(widget)
        for words, choice in (("Day", self.day), ("from", self.hour), ("for", self.length)):
            row.addWidget(Label(words, "small", "text-2"))
            row.addWidget(choice)
        row.addStretch(1)
        return row

    def _build_second(self) -> QHBoxLayout:
        self.export = Button(self._theme, "Export", icon="export")
        self.export.clicked.connect(self._open_menu)
        self.close_button = IconButton(self._theme, "close", "Back to now (Esc)", framed=True)
        self.close_button.clicked.connect(self.closed)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.engine)
        row.addWidget(Label("beside it", "small", "text-2"))
        row.addWidget(self.compare)
        row.addWidget(self.truth, 1)
        row.addWidget(self.export)
        row.addWidget(self.close_button)
        return row

    def _build_keys(self) -> None:
        for keys, act in (("Alt+Left", self._go_back), ("Alt+Right", self._go_on), ("Alt+Home", self._to_now)):
            shortcut = QShortcut(QKeySequence(keys), self, act)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.earlier.setToolTip("One length back (Alt+Left)")
        self.later.setToolTip("One length on (Alt+Right)")
        self.now.setToolTip("Until now (Alt+Home)")

    def _today(self) -> date:
        return datetime.fromtimestamp(self._presenter.now, self._presenter.zone).date()

    @Slot()
    def _go_back(self) -> None:
        self._presenter.move(-1)

    @Slot()
    def _go_on(self) -> None:
        self._presenter.move(+1)

    @Slot()
    def _to_now(self) -> None:
        self._presenter.to_now()

    @Slot(str)
    def _begin_chosen(self, _key: str) -> None:
        self._presenter.choose_begin(date.fromisoformat(self.day.key), time.fromisoformat(self.hour.key))

    @Slot()
    def _open_menu(self) -> None:
        self.menu = Menu(self._theme, EXPORTS, self)
        self.menu.chosen.connect(self.export_asked)
        self.menu.aboutToHide.connect(self.menu.deleteLater)
        self.menu.popup(self.export.mapToGlobal(QPoint(0, self.export.height() + 4)))


def _clocks(now: str) -> tuple[Choice, ...]:
    """The whole hours, and the minute at which the span begins."""
    return tuple(Choice(clock, clock) for clock in sorted({*(f"{hour:02}:00" for hour in range(24)), now}))


def _days(oldest: date, today: date) -> tuple[Choice, ...]:
    """The newest first."""
    days = (today - timedelta(days=number) for number in range((today - oldest).days + 1))
    named = {today: "Today, ", today - timedelta(days=1): "Yesterday, "}
    return tuple(Choice(day.isoformat(), named.get(day, "") + day_words(day)) for day in days)
