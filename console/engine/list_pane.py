"""The left pane: the engines of the pool, the profiles, and true facts at its foot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from console.widgets.buttons import Button, Icon, IconButton
from console.widgets.label import Label
from console.widgets.list_rows import ROW, ListRow, ListRows
from console.widgets.page_header import PageHeader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent

    from console.engine.home_facts import FactShown
    from console.theme.style import Theme

WIDTH: Final = 232
MOST_ENGINES: Final = 4
"""More of them scroll."""


class ListPane(QFrame):
    """`engine_picked(number)` and `profile_picked(key)` for a person's choice, `remove_asked` for Delete in the list of
    engines, `fact_asked(key)` for a link below."""

    attach_asked = Signal()
    another_asked = Signal()
    new_profile_asked = Signal()
    remove_asked = Signal()
    engine_picked = Signal(int)
    profile_picked = Signal(str)
    fact_asked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._showing = False
        self.setFixedWidth(WIDTH)
        self.setProperty("edge", "right")
        self.attach = Button(theme, "Attach", icon="attach")
        self.another = IconButton(theme, "plus", "Start another engine", px=14, box=22)
        self.new_profile = IconButton(theme, "plus", "New profile from the one in the form", px=14, box=22)
        self.engines = ListRows(theme, name="Engines")
        self.profiles = ListRows(theme, name="Profiles", empty="Reading the profiles…")
        self._foot = QVBoxLayout()
        self._shown: tuple[FactShown, ...] = ()
        self._build()
        self._connect()

    def show_engines(self, rows: Sequence[ListRow], chosen: int) -> None:
        self._showing = True
        self.engines.set_rows(rows)
        self.engines.setFixedHeight(min(len(rows), MOST_ENGINES) * ROW + 1)
        self.engines.pick(str(chosen))
        self._showing = False

    def show_profiles(self, rows: Sequence[ListRow], key: str) -> None:
        self._showing = True
        self.profiles.set_rows(rows)
        self.profiles.pick(key)
        self._showing = False

    def show_foot(self, facts: tuple[FactShown, ...]) -> None:
        if facts == self._shown:
            return
        self._shown = facts
        while (item := self._foot.takeAt(0)) is not None:  # pyright: ignore[reportUnnecessaryComparison] None at the end
            if (widget := item.widget()) is not None:  # pyright: ignore[reportUnnecessaryComparison] a layout has none
                widget.hide()
                widget.deleteLater()
        for fact in facts:
            self._foot.addWidget(self._fact(fact))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        pressed = watched is self.engines and event.type() == QEvent.Type.KeyPress
        if pressed and cast("QKeyEvent", event).matches(QKeySequence.StandardKey.Delete):
            self.remove_asked.emit()
            return True
        return super().eventFilter(watched, event)

    @Slot(str)
    def _engine(self, key: str) -> None:
        if key and not self._showing:
            self.engine_picked.emit(int(key))

    @Slot(str)
    def _profile(self, key: str) -> None:
        if key and not self._showing:
            self.profile_picked.emit(key)

    @Slot()
    def _ask(self) -> None:
        self.fact_asked.emit(str(self.sender().property("fact")))

    def _fact(self, fact: FactShown) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(Icon(self._theme, fact.icon, fact.tone, 14), 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(Label(fact.text, "small", wrap=True))
        links = QHBoxLayout()
        links.setSpacing(10)
        for key, text in fact.actions:
            link = Button(self._theme, text, "link")
            link.setProperty("fact", key)
            link.clicked.connect(self._ask)
            links.addWidget(link)
        links.addStretch(1)
        words.addLayout(links)
        row.addLayout(words, 1)
        return line

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 1, 0)
        column.setSpacing(0)
        header = PageHeader("Engine")
        header.layout().setContentsMargins(16, 0, 12, 0)  # pyright: ignore[reportOptionalMemberAccess]
        header.add_action(self.attach)
        column.addWidget(header)
        column.addWidget(_heading("Engines", self.another))
        column.addWidget(self.engines)
        column.addSpacing(6)
        column.addWidget(_heading("Profiles", self.new_profile))
        column.addWidget(self.profiles, 1)
        self._foot.setContentsMargins(12, 8, 12, 12)
        self._foot.setSpacing(4)
        column.addLayout(self._foot)

    def _connect(self) -> None:
        self.attach.clicked.connect(self.attach_asked)
        self.another.clicked.connect(self.another_asked)
        self.new_profile.clicked.connect(self.new_profile_asked)
        self.engines.picked.connect(self._engine)
        self.engines.installEventFilter(self)
        self.profiles.picked.connect(self._profile)


def _heading(title: str, button: QWidget) -> QFrame:
    frame = QFrame()
    frame.setProperty("edge", "bottom")
    frame.setFixedHeight(30)
    row = QHBoxLayout(frame)
    row.setContentsMargins(12, 0, 8, 0)
    row.addWidget(Label(title, "section"), 1)
    row.addWidget(button)
    return frame
