"""What a page or panel says when there is nothing to show: a sentence and at most one action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.widgets.buttons import Button, Icon
from console.widgets.label import Label

if TYPE_CHECKING:
    from console.theme.style import Theme


class EmptyState(QWidget):
    acted = Signal()

    def __init__(
        self, theme: Theme, sentence: str, action: str = "", *, icon: str = "", small: bool = False,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._sentence = Label(sentence, "small" if small else "body", "text-2", wrap=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._sentence.setMaximumWidth(420)
        self._button = Button(theme, action, small=small)
        # setVisible(True) before there is a parent would open a window of its own.
        if not action:
            self._button.hide()
        self._button.clicked.connect(self.acted)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addStretch(1)
        if icon:
            column.addWidget(Icon(theme, icon, "text-3", 20), 0, Qt.AlignmentFlag.AlignHCenter)
        # An alignment of the label itself would cut its wrapped lines.
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self._sentence, 100)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)

    def say(self, sentence: str, action: str = "") -> None:
        self._sentence.setText(sentence)
        self._button.setText(action)
        self._button.setVisible(bool(action))
