"""The small window behind "What is this?"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from console.widgets.label import Label
from console.widgets.paragraph import Paragraph, Run

if TYPE_CHECKING:
    from console.theme.style import Theme

WIDTH = 280


class HelpPopup(QFrame):
    """Opens below the widget it belongs to; a click outside or Esc closes it."""

    def __init__(self, theme: Theme, text: str, owner: QWidget) -> None:
        super().__init__(owner, Qt.WindowType.Popup)
        self._owner = owner
        self.setProperty("card", "strong")
        self.setFixedWidth(WIDTH)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(10, 8, 10, 8)
        column.setSpacing(2)
        column.addWidget(Label("What is this?", "small-strong", "text"))
        self._text = Paragraph(theme, (Run(text, "text-2"),), px=12, line=17)
        column.addWidget(self._text)

    @Slot()
    def open_below(self) -> None:
        self.setFixedHeight(self._column.heightForWidth(WIDTH))
        corner = self._owner.mapToGlobal(QPoint(self._owner.width() - WIDTH, self._owner.height() + 4))
        screen = self._owner.screen().availableGeometry()
        left = min(max(corner.x(), screen.left()), screen.right() - WIDTH)
        self.move(left, min(corner.y(), screen.bottom() - self.height()))
        self.show()
