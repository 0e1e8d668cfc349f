"""The cards over the log: the start as phases on one axis, and why an engine failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.widgets.buttons import Button, Icon
from console.widgets.cards import Card, Panel
from console.widgets.label import Label
from console.widgets.paragraph import Paragraph
from console.widgets.pill import Pill, PillMark
from console.widgets.time_bars import TimeBars

if TYPE_CHECKING:
    from console.engine.engine_shown import FailureShown, FixKey
    from console.engine.start_shown import StartShown
    from console.theme.style import Theme


class StartCard(Panel):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Start", parent=parent)
        self._pill = Pill(theme, PillMark("", "accent"))
        self._bars = TimeBars(
            theme, heads=("this", "last"), label_px=86, figure_px=70, second_px=50, row_px=24, bar_px=10
        )
        self._note = Label("", "small", wrap=True)
        self.add_after_title(self._pill)
        self.body.setContentsMargins(12, 2, 12, 9)
        self.body.setSpacing(4)
        self.body.addWidget(self._bars)
        self.body.addWidget(self._note)

    def show_start(self, shown: StartShown) -> None:
        self.set_title(shown.title)
        self.set_value(shown.group)
        self._pill.set_mark(PillMark(shown.progress, "accent" if shown.now is not None else "neutral"))
        self._pill.setVisible(bool(shown.progress))
        self._bars.set_bars(shown.bars, shown.whole, ticks=shown.ticks, now=shown.now)
        self._note.setText(shown.note)
        self._note.setVisible(bool(shown.note))


class FailureCard(Card):
    """`fix_asked(key)` when a person presses the button that does the next step."""

    fix_asked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(padding=0, look="error", parent=parent)
        self._icon = Icon(theme, "error", "error", 16)
        self._fact = Paragraph(theme, px=13, line=18)
        self._next = Paragraph(theme, px=12, line=17)
        self._lines = Label("", "mono", "text-2", wrap=True)
        self.button = Button(theme, "", small=True)
        self._fix: FixKey | None = None
        self._build()
        self.button.clicked.connect(self._ask)

    def show_failure(self, shown: FailureShown, *, is_warning: bool) -> None:
        self.set_look("warn" if is_warning else "error")
        self._icon.set_icon("warning" if is_warning else "error", "warn" if is_warning else "error")
        self._fact.set_text(shown.fact, weight=500)
        self._next.set_text(shown.next_step, "text-2")
        self._next.setVisible(bool(shown.next_step))
        self._lines.setText("\n".join(shown.lines))
        self._lines.setVisible(bool(shown.lines))
        self._fix = shown.fix
        self.button.setText(shown.fix_text)
        self.button.setVisible(shown.fix is not None)

    @Slot()
    def _ask(self) -> None:
        if self._fix is not None:
            self.fix_asked.emit(self._fix)

    def _build(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._fact)
        words.addWidget(self._next)
        words.addWidget(self._lines)
        line = QHBoxLayout()
        line.addWidget(self.button)
        line.addStretch(1)
        words.addSpacing(4)
        words.addLayout(line)
        lead = QVBoxLayout()
        lead.addWidget(self._icon)
        lead.addStretch(1)
        row = QHBoxLayout()
        row.setContentsMargins(12, 10, 12, 10)
        row.setSpacing(8)
        row.addLayout(lead)
        row.addLayout(words, 1)
        self.body.addLayout(row)
