"""The right side of the set-up: what this machine is like, and what the step is doing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QWidget

from console.theme.fonts import mono_font
from console.widgets.buttons import Button, Icon
from console.widgets.cards import Panel
from console.widgets.label import ElidedLabel, Label, divider

if TYPE_CHECKING:
    from console.theme.style import Theme
    from console.welcome.setup_shown import MachineFact, Tone

ICONS: Final[dict[Tone, str]] = {"ok": "ok", "info": "info", "warn": "warning", "error": "error"}
KEPT_LINES: Final = 2_000


class MachineCard(Panel):
    doctor_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "This machine", padding=0, parent=parent)
        self._theme = theme
        self._shown: tuple[MachineFact, ...] = ()
        link = Button(theme, "dabba doctor", "link")
        link.clicked.connect(self.doctor_asked)
        self.add_action(link)
        self.body.setSpacing(0)
        self._waiting = Label("Looking at it…", "small")
        self._waiting.setContentsMargins(12, 4, 12, 10)
        self.body.addWidget(self._waiting)

    def show_facts(self, facts: tuple[MachineFact, ...]) -> None:
        if facts == self._shown:
            return
        self._shown = facts
        while (item := self.body.takeAt(0)) is not None:  # pyright: ignore[reportUnnecessaryComparison] None at the end
            if (widget := item.widget()) is not None:  # pyright: ignore[reportUnnecessaryComparison] a layout has none
                widget.hide()
                widget.deleteLater()
        for fact in facts:
            self.body.addWidget(divider())
            self.body.addWidget(self._line(fact))

    def _line(self, fact: MachineFact) -> QWidget:
        line = QFrame()
        line.setFixedHeight(29)
        row = QHBoxLayout(line)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(8)
        row.addWidget(Icon(self._theme, ICONS[fact.tone], fact.tone, 14))
        name = Label(fact.name, "small")
        name.setFixedWidth(92)
        row.addWidget(name)
        row.addWidget(ElidedLabel(fact.fact, "small", "text"), 1)
        return line


class DoingCard(Panel):
    """The lines of the running step, newest last."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "What is being done", padding=0, ruled=True, parent=parent)
        self._lines = QPlainTextEdit()
        self._lines.setReadOnly(True)
        self._lines.setProperty("bare", True)
        self._lines.setFont(mono_font(11))
        self._lines.setMaximumBlockCount(KEPT_LINES)
        self._lines.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self._lines.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._lines.setFixedHeight(132)
        self._lines.setAccessibleName("What the step is doing")
        self._copy = Button(theme, "Copy", icon="copy", small=True)
        self._copy.clicked.connect(self._to_clipboard)
        self.add_action(self._copy)
        self.body.setContentsMargins(8, 4, 4, 6)
        self.body.addWidget(self._lines)

    @property
    def text(self) -> str:
        return self._lines.toPlainText()

    @Slot(str)
    def add_line(self, line: str) -> None:
        self._lines.appendPlainText(line)

    @Slot()
    def _to_clipboard(self) -> None:
        QGuiApplication.clipboard().setText(self.text)
