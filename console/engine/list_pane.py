"""The left pane: the engine of this home, and true facts at its foot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from console.widgets.buttons import Button, Icon
from console.widgets.label import Label
from console.widgets.list_rows import ListRows
from console.widgets.page_header import PageHeader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.engine.home_facts import FactShown
    from console.theme.style import Theme
    from console.widgets.list_rows import Heading, ListRow

WIDTH: Final = 232


class ListPane(QFrame):
    attach_asked = Signal()
    adopt_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFixedWidth(WIDTH)
        self.setProperty("edge", "right")
        self.attach = Button(theme, "Attach", icon="attach")
        self.rows = ListRows(theme, name="Engines")
        self._foot = QVBoxLayout()
        self._shown: tuple[FactShown, ...] = ()
        self._build()
        self.attach.clicked.connect(self.attach_asked)

    def show_rows(self, rows: Sequence[Heading | ListRow]) -> None:
        self.rows.set_rows(rows)
        if not self.rows.picked_key:
            self.rows.pick("engine")

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

    def _fact(self, fact: FactShown) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(Icon(self._theme, fact.icon, fact.tone, 14), 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(Label(fact.text, "small", wrap=True))
        if fact.action:
            link = Button(self._theme, fact.action, "link")
            link.clicked.connect(self.adopt_asked)
            words.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)
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
        column.addWidget(self.rows, 1)
        self._foot.setContentsMargins(12, 8, 12, 12)
        self._foot.setSpacing(4)
        column.addLayout(self._foot)
