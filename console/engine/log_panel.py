"""The log card: levels with counts, search with n of m, Follow and Copy report over the rows."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from console.engine.log_book import LIMIT, TRIM, Filter, LogBook
from console.engine.log_feed import LogNews
from console.engine.log_lines import clock_of
from console.engine.log_shown import LEVELS, derive_empty, derive_place, derive_unit
from console.engine.log_view import LogView
from console.widgets.buttons import Button, IconButton
from console.widgets.cards import Panel
from console.widgets.fields import SearchField
from console.widgets.label import Label, divider
from console.widgets.segment import Segment

if TYPE_CHECKING:
    from datetime import tzinfo

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from console.theme.style import Theme

PIECE: Final = 1_000
NARROW_PX: Final = 440


@dataclass(slots=True)
class _Kept:
    """One engine's log; `path` names the file of its run."""

    book: LogBook
    path: str = ""


class LogPanel(Panel):
    """`report_asked()` when a person wants the report in the clipboard; the page adds what it knows of the engine."""

    report_asked = Signal()

    def __init__(self, theme: Theme, zone: tzinfo, parent: QWidget | None = None) -> None:
        """Times are shown in `zone`."""
        super().__init__(theme, "Log", padding=0, parent=parent)
        self._theme = theme
        self._clock = clock_of(zone)
        self._kept: dict[int, _Kept] = {}
        self._engine = 1
        self._hit: int | None = None
        self._waiting: deque[tuple[int, LogNews]] = deque()
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._take_piece)
        self.view = LogView(theme, self._of(1).book)
        self.levels = Segment(LEVELS, small=True)
        self.search = SearchField(theme, "Search the log", "Ctrl+F", small=True)
        self.follow = QCheckBox("Follow")
        self.copy = Button(theme, "Copy report", icon="copy", small=True)
        self._place = Label("", "caption")
        self._build()
        self._connect()

    @property
    def book(self) -> LogBook:
        """The log of the engine that is shown."""
        return self._of(self._engine).book

    def choose(self, engine: int) -> None:
        """Show the log of another engine, with the level and the search that are set."""
        if engine == self._engine:
            return
        self._engine = engine
        self.book.set_filter(cast("Filter", self.levels.value))
        self.book.set_search(self.search.text())
        self.view.show_book(self.book)
        self._hit = 0 if self.book.hits else None
        self.follow.setChecked(self._hit is None)
        self._go()
        self._stay_at_end()

    def forget(self, engine: int) -> None:
        """Its engine is gone; another one may come under its number."""
        self._kept.pop(engine, None)

    def take(self, engine: int, news: tuple[LogNews, ...]) -> None:
        """New lines of an engine; a log of another path begins anew."""
        for one in news:
            starts = range(0, len(one.lines), PIECE)
            self._waiting += [(engine, LogNews(one.path, one.lines[at : at + PIECE])) for at in starts]
        self._take_piece()

    def _of(self, engine: int) -> _Kept:
        return self._kept.setdefault(engine, _Kept(LogBook(clock=self._clock)))

    def _take_piece(self) -> None:
        """A thousand lines in one turn of the GUI loop, the rest in the next ones."""
        if not self._waiting:
            return
        engine, one = self._waiting.popleft()
        kept, shown = self._of(engine), engine == self._engine
        if one.path != kept.path:
            kept.path = one.path
            kept.book.clear()
            if shown:
                self.view.start_again()
        change = kept.book.add(one.lines)
        if shown:
            self.view.follow(change)
            self._tell()
            self._stay_at_end()
        if self._waiting:
            self._rest.start()

    @Slot()
    def show_errors(self) -> None:
        self.levels.set_value("error")
        self._filter("error")

    # What a person does

    @Slot(str)
    def _filter(self, level: str) -> None:
        self.book.set_filter(cast("Filter", level))
        self.view.start_again()
        self._hit = 0 if self.book.hits else None
        self._go()
        self._stay_at_end()

    @Slot(str)
    def _search(self, words: str) -> None:
        self.book.set_search(words)
        self._hit = 0 if self.book.hits else None
        if self._hit is not None:
            self.follow.setChecked(False)
        self._go()

    @Slot()
    def next_hit(self) -> None:
        self._step(1)

    @Slot()
    def previous_hit(self) -> None:
        self._step(-1)

    def _step(self, by: int) -> None:
        if self.book.hits:
            at = self._hit if self._hit is not None else -by
            self._hit = (min(at, len(self.book.hits) - 1) + by) % len(self.book.hits)
            self._go()

    def _go(self) -> None:
        self.view.show_hit(self.book.hits[self._hit] if self._hit is not None else None)
        self._tell()

    @Slot()
    def _scrolled(self) -> None:
        """A person who scrolls back wants to read; Follow comes back at the end."""
        bar = self.view.verticalScrollBar()
        self.follow.setChecked(bar.sliderPosition() >= bar.maximum())

    @Slot(bool)
    def _follow_changed(self, on: bool) -> None:
        if on:
            self.view.to_end()

    def _stay_at_end(self) -> None:
        if self.follow.isChecked():
            self.view.to_end()

    def _tell(self) -> None:
        counts = self.book.counts
        self.view.set_empty(derive_empty(self.book.filter))
        self._tell_count()
        self.levels.set_counts({"warn": counts["warn"], "error": counts["error"]})
        hits = len(self.book.hits)
        if self._hit is not None and self._hit >= hits:
            self._hit = hits - 1 if hits else None
        searching = bool(self.search.text())
        for widget in (self._place, self._up, self._down, self._clear):
            widget.setVisible(searching)
        self._place.setText(derive_place(hits, self._hit))
        self.search.setTextMargins(22, 0, 150 if searching else 0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.copy.setText("Copy" if self.width() < NARROW_PX else "Copy report")
        self._tell_count()

    def _tell_count(self) -> None:
        words = derive_unit(self.book.counts["all"], LIMIT - TRIM)
        self.set_unit("" if self.width() < NARROW_PX else words)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.search and event.type() == QEvent.Type.KeyPress:
            key = cast("QKeyEvent", event)
            if key.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down, Qt.Key.Key_Up):
                back = key.key() == Qt.Key.Key_Up or key.modifiers() & Qt.KeyboardModifier.ShiftModifier
                self._step(-1 if back else 1)
                return True
        return super().eventFilter(watched, event)

    def _build(self) -> None:
        for action in (self.levels, self.copy):
            self.add_action(action)
        self.follow.setChecked(True)
        tools = QHBoxLayout()
        tools.setContentsMargins(12, 0, 12, 8)
        tools.setSpacing(8)
        tools.addWidget(self.search, 1)
        tools.addWidget(self.follow)
        self._build_steps()
        self.body.setSpacing(0)
        self.body.setContentsMargins(0, 0, 0, 8)
        self.body.addLayout(tools)
        self.body.addWidget(divider())
        self.body.addSpacing(6)
        self.body.addWidget(self.view, 1)
        self.view.setProperty("fill", "none")
        self._tell()

    def _build_steps(self) -> None:
        """The count and the two arrows lie inside the search field, at its right."""
        self._up = IconButton(self._theme, "chevron-up", "Previous match", px=12, box=18)
        self._down = IconButton(self._theme, "chevron", "Next match", px=12, box=18)
        self._clear = IconButton(self._theme, "close", "Clear the search", px=12, box=18)
        row = QHBoxLayout(self.search)
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(2)
        row.addStretch(1)
        row.addWidget(self._place)
        row.addSpacing(4)
        for widget in (self._up, self._down, self._clear):
            row.addWidget(widget)

    def _connect(self) -> None:
        self.levels.chosen.connect(self._filter)
        self.search.textChanged.connect(self._search)
        self.search.installEventFilter(self)
        self._up.clicked.connect(self.previous_hit)
        self._down.clicked.connect(self.next_hit)
        self._clear.clicked.connect(self.search.clear)
        self.follow.toggled.connect(self._follow_changed)
        self.copy.clicked.connect(self.report_asked)
        self.view.scrolled_by_hand.connect(self._scrolled)
