"""A long job: what it is, how far, how fast, how long still, and Cancel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from console.widgets.bars import ProgressBar
from console.widgets.buttons import Button, Icon
from console.widgets.cards import Card
from console.widgets.label import ElidedLabel, Label

if TYPE_CHECKING:
    from console.theme.style import Theme


@dataclass(frozen=True, slots=True)
class JobShown:
    """`fraction` is 0 to 1, or None when nobody knows; `figures` such as ("128 of 220 files", "21 s left")."""

    title: str
    icon: str = "import"
    fraction: float | None = None
    figures: tuple[str, ...] = ()
    remark: str = ""
    cancellable: bool = True


class JobRow(Card):
    cancel_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(padding=0, parent=parent)
        self.body.setContentsMargins(12, 7, 12, 11)
        self.body.setSpacing(5)
        self._icon = Icon(theme, "import", "text-2", 15)
        self._title = ElidedLabel("", "name")
        self._cancel = Button(theme, "Cancel", small=True)
        self._bar = ProgressBar(theme)
        self._figures = Label("", "small")
        self._remark = Label("", "small", "text-3")
        self._build()
        self._cancel.clicked.connect(self._stop)

    def show_job(self, job: JobShown) -> None:
        self._icon.set_icon(job.icon, "text-2")
        self._title.setText(job.title)
        self._bar.set_fraction(job.fraction)
        self._figures.setText("\u2003".join(job.figures))
        self._remark.setText(job.remark)
        self._cancel.setVisible(job.cancellable)

    def reset(self) -> None:
        """Makes the row ready for another job after one was cancelled."""
        self._cancel.setText("Cancel")
        self._cancel.setEnabled(True)

    @Slot()
    def _stop(self) -> None:
        self._cancel.setText("Stopping…")
        self._cancel.setEnabled(False)
        self.cancel_asked.emit()

    def _build(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._icon)
        head.addWidget(self._title, 1)
        head.addWidget(self._cancel)
        foot = QHBoxLayout()
        foot.addWidget(self._figures, 1)
        foot.addWidget(self._remark)
        self.body.addLayout(head)
        self.body.addWidget(self._bar)
        self.body.addSpacing(2)
        self.body.addLayout(foot)
