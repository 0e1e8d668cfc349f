"""Asks before something that cannot be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from console.widgets.buttons import Button
from console.widgets.label import Label

if TYPE_CHECKING:
    from console.theme.style import Theme


class AskDialog(QDialog):
    """`accepted` when a person presses the button that names what is done."""

    def __init__(self, theme: Theme, title: str, words: str, action: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setFixedWidth(420)
        self.confirm = Button(theme, action, "danger")
        self._cancel = Button(theme, "Cancel")
        self._cancel.setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 16)
        column.setSpacing(12)
        column.addWidget(Label(words, wrap=True))
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self._cancel)
        foot.addWidget(self.confirm)
        column.addLayout(foot)
        self.confirm.clicked.connect(self.accept)
        self._cancel.clicked.connect(self.reject)
