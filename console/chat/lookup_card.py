"""One request to the order system, or one call of the model, as a card of the inspector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from console.widgets.buttons import Icon
from console.widgets.cards import Card
from console.widgets.flow import FlowLayout
from console.widgets.key_value import KeyValueGrid
from console.widgets.label import ElidedLabel, Label, divider
from console.widgets.paragraph import Paragraph, Run

if TYPE_CHECKING:
    from console.chat.lookups_shown import LookUpShown, Went
    from console.theme.style import Theme
    from console.widgets.key_value import Pair
    from console.widgets.label import Tone

TONES: Final[dict[Went, Tone]] = {"ok": "ok", "warning": "warn", "error": "error"}


class LookUpCard(Card):
    def __init__(self, theme: Theme, shown: LookUpShown, parent: QWidget | None = None) -> None:
        super().__init__(padding=0, parent=parent)
        self._theme = theme
        self.body.setContentsMargins(11, 8, 11, 8)
        self.body.setSpacing(7)
        tone = TONES[shown.went]
        head = QHBoxLayout()
        head.setSpacing(7)
        head.addWidget(Icon(theme, shown.went, tone or "text", 14))
        head.addWidget(ElidedLabel(shown.request, "mono"), 1)
        head.addWidget(Label(shown.status, "mono", tone))
        self.body.addLayout(head)
        if shown.words:
            self.body.addWidget(Paragraph(theme, (Run(shown.words, "text-2", mono=True),), px=12, line=16))
        for row in shown.rows:
            self.body.addWidget(divider())
            self.body.addWidget(self._row(row))
        if shown.note:
            color = "text-2" if shown.went == "ok" else "warn" if shown.went == "warning" else "error"
            self.body.addWidget(Paragraph(theme, (Run(shown.note, color),), px=12, line=16))

    def _row(self, columns: tuple[tuple[Pair, ...], ...]) -> QWidget:
        """Beside each other, or in a narrow pane under each other."""
        holder = QWidget()
        flow = FlowLayout(holder, gap=12, line_gap=0)
        for pairs in columns:
            grid = KeyValueGrid(self._theme, line=19)
            grid.set_pairs(pairs)
            layout = grid.layout()
            if isinstance(layout, QGridLayout):
                layout.setHorizontalSpacing(8)
                layout.setColumnMinimumWidth(0, 64)
            flow.addWidget(grid)
        return holder
