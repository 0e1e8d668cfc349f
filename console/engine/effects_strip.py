"""What the option under the hand does to TTFT, inter-token latency and memory, at the foot of the form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from console.engine.profile_shown import derive_effects
from console.widgets.form_row import SIDE
from console.widgets.label import ElidedLabel, Label
from console.widgets.paragraph import Paragraph

if TYPE_CHECKING:
    from console.theme.style import Theme
    from engine_host.engine.options import Option

HINT: Final = "Point at an option or go to it with Tab: what it does stands here."
LINE_PX: Final = 16
LINES: Final = 4
"""What the longest of the sentences takes at the form's least width."""


class EffectsStrip(QFrame):
    """Always of the same height: the form above it must not move while a person goes through it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("edge", "top")
        self._name = Label(HINT, "small-strong")
        self._range = ElidedLabel("", "caption")
        self._heads = tuple(Label("", "caption") for _ in range(3))
        self._texts = tuple(Paragraph(theme, px=12, line=LINE_PX) for _ in range(3))
        self._build()

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(one.text() for one in self._texts)

    def show_option(self, option: Option | None) -> None:
        """None: nothing is under the hand any more."""
        self._name.setText(option.label if option else HINT)
        effects = derive_effects(option) if option else None
        self._range.setText(effects.allowed if effects else "")
        columns = effects.columns if effects else (("", ""),) * 3
        for head, text, (title, sentence) in zip(self._heads, self._texts, columns, strict=True):
            head.setText(title)
            text.set_text(sentence, "text-2")

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(SIDE, 7, SIDE, 9)
        column.setSpacing(3)
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self._name)
        top.addWidget(self._range, 1)
        column.addLayout(top)
        row = QHBoxLayout()
        row.setSpacing(SIDE)
        for head, text in zip(self._heads, self._texts, strict=True):
            text.setFixedHeight(LINES * LINE_PX)
            cell = QVBoxLayout()
            cell.setSpacing(1)
            cell.addWidget(head)
            cell.addWidget(text)
            row.addLayout(cell, 1)
        column.addLayout(row)
