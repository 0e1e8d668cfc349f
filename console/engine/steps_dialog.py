"""What to type where: the command of a profile, or those of several machines, to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from console.theme.fonts import mono_font
from console.widgets.buttons import Button
from console.widgets.label import Label

if TYPE_CHECKING:
    from console.theme.style import Theme


class StepsDialog(QDialog):
    def __init__(self, theme: Theme, name: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Start {name} by hand")
        self.resize(720, 440)
        self.text = QPlainTextEdit(text)
        self.text.setReadOnly(True)
        self.text.setFont(mono_font(11))
        self.text.setAccessibleName("Commands")
        self.copy = Button(theme, "Copy", "primary", "copy")
        close = Button(theme, "Close")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 16)
        column.setSpacing(10)
        words = "Type this where it says, then attach the engine by its address."
        column.addWidget(Label(words, "small", wrap=True))
        column.addWidget(self.text, 1)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(close)
        foot.addWidget(self.copy)
        column.addLayout(foot)
        self.copy.clicked.connect(self._copy)
        close.clicked.connect(self.reject)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.accept()
