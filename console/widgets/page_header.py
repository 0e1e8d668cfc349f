"""The header of a page: its title, one line of truth, and its actions, the primary one last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from console.widgets.label import ElidedLabel, Label, divider

if TYPE_CHECKING:
    from console.widgets.label import LabelRole, Tone


class PageHeader(QFrame):
    """48 px high with a line below. `pane` gives the smaller title of a side pane."""

    def __init__(self, title: str, *, pane: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(48)
        self.setProperty("edge", "bottom")
        role: LabelRole = "pane-title" if pane else "title"
        self._title = Label(title, role)
        self._truth = ElidedLabel("", "small", "text-3")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 0, 16, 0)
        self._row.setSpacing(8)
        self._row.addWidget(self._title)
        self._row.addSpacing(2)
        self._row.addWidget(self._truth, 1)

    def set_title(self, title: str) -> None:
        self._title.setText(title)

    def set_truth(self, text: str, tone: Tone = "text-3") -> None:
        """The line beside the title: what is true now, such as "46 articles, 214 chunks"."""
        self._truth.setText(text)
        self._truth.set_tone(tone)

    def add_beside_title(self, widget: QWidget) -> None:
        self._row.insertWidget(self._row.indexOf(self._truth), widget)

    def add_action(self, widget: QWidget) -> None:
        self._row.addWidget(widget)

    def add_gap(self) -> None:
        """A short upright line between two groups of actions."""
        self._row.addSpacing(4)
        self._row.addWidget(divider("cell"))
        self._row.addSpacing(4)
