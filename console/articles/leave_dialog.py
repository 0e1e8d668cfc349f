"""Asks before the editor is left with words that could not be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from console.widgets.buttons import Button
from console.widgets.paragraph import Paragraph, Run

if TYPE_CHECKING:
    from console.theme.style import Theme


class LeaveDialog(QDialog):
    """Accepted = leave and lose them. Enter and Esc both mean no."""

    def __init__(self, theme: Theme, reason: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Leave the editor")
        self.setFixedWidth(420)
        self.no = Button(theme, "Keep editing")
        self.yes = Button(theme, "Leave and lose it", "danger")
        self.yes.setAutoDefault(False)
        self.no.setDefault(True)
        self.no.clicked.connect(self.reject)
        self.yes.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(6)
        question = "Your last words are not kept as a draft. Leave without them?"
        column.addWidget(Paragraph(theme, (Run(question, weight=600),), px=14, line=20))
        column.addWidget(Paragraph(theme, (Run(reason, "text-2"),)))
        column.addSpacing(10)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addStretch(1)
        foot.addWidget(self.no)
        foot.addWidget(self.yes)
        column.addLayout(foot)
