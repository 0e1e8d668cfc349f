"""A question before something is lost: the heavy answer is never the one that a key gives by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from console.widgets.paragraph import Paragraph, Run

if TYPE_CHECKING:
    from console.theme.style import Theme
    from console.widgets.buttons import Button


class DangerDialog(QDialog):
    """Accepted = `yes`. Enter and Esc both mean `no`."""

    def __init__(
        self, theme: Theme, words: tuple[str, str, str], no: Button, yes: Button, parent: QWidget | None = None
    ) -> None:
        """`words`: the window's title, the question, and what follows from a yes."""
        super().__init__(parent)
        title, question, loss = words
        self.no, self.yes = no, yes
        self.setWindowTitle(title)
        self.setFixedWidth(420)
        self.yes.setAutoDefault(False)
        self.no.setDefault(True)
        self.no.clicked.connect(self.reject)
        self.yes.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(6)
        column.addWidget(Paragraph(theme, (Run(question, weight=600),), px=14, line=20))
        column.addWidget(Paragraph(theme, (Run(loss, "text-2"),)))
        column.addSpacing(10)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addStretch(1)
        foot.addWidget(self.no)
        foot.addWidget(self.yes)
        column.addLayout(foot)
