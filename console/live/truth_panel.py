"""The Truth panel of the Live page: what was withheld, how long orders took, and why the bot did not know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from console.live.helps import HELPS
from console.widgets.buttons import Button, Icon
from console.widgets.cards import Panel
from console.widgets.empty_state import EmptyState
from console.widgets.label import ElidedLabel, Label, divider
from console.widgets.tile import FigureLine
from console.widgets.time_bars import TimeBar, TimeBars

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from console.live.truth_shown import ReasonRow, TruthShown
    from console.live.view import View
    from console.theme.style import Theme
    from console.widgets.tile import TileFigures

ONE_ROW_PX: Final = 1060
"""Narrower than this the reasons stand under the figures."""
LOW_PX, HIGH_PX = 130, 212
ROW_PX: Final = 20


class TruthPanel(Panel):
    """`map_asked()` on the link to where status words are mapped."""

    map_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "Truth", help_text=HELPS["truth"], padding=0)
        self._theme = theme
        self.withheld = FigureBlock(theme, "Withheld sentences", 176)
        self.lookup = FigureBlock(theme, "Order look-up, ms", 186)
        self.unknown = FigureBlock(theme, "“I do not know”", 116)
        self.reasons = (self._bars(), self._bars())
        self.empty = EmptyState(theme, "", small=True)
        self.warning = self._build_warning()
        self._content = QWidget()
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._content)
        self._build_content()
        self.body.addWidget(self._content, 1)
        self.body.addWidget(self.empty, 1)
        self._wide: bool | None = None
        self._lay_out(wide=True)

    def hasHeightForWidth(self) -> bool:
        # The wrapped sentence has one, and with it the scroll area would ask the charts how high they are now.
        return False

    def show_truth(self, shown: TruthShown, view: View) -> None:
        self.set_unit(f"turns that ended, over {view.window_words}")
        if shown.empty:
            self.empty.say(shown.empty)
        self.empty.setVisible(bool(shown.empty))
        self._content.setVisible(not shown.empty)
        self._words.setText(shown.warning)
        self.warning.setVisible(bool(shown.warning))
        self.withheld.show_figures(shown.withheld)
        self.lookup.show_figures(shown.lookup)
        self.unknown.show_figures(shown.unknown)
        half = (len(shown.reasons) + 1) // 2
        most = max((row.turns for row in shown.reasons), default=0)
        for bars, rows in zip(self.reasons, (shown.reasons[:half], shown.reasons[half:]), strict=True):
            bars.set_bars([_bar(row) for row in rows], most)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out(wide=self.width() >= ONE_ROW_PX)

    def _lay_out(self, *, wide: bool) -> None:
        if wide != self._wide:
            self._wide = wide
            self._row.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
            self.setFixedHeight(LOW_PX if wide else HIGH_PX)

    def _bars(self) -> TimeBars:
        return TimeBars(self._theme, label_px=152, figure_px=28, second_px=0, row_px=ROW_PX)

    def _build_content(self) -> None:
        figures = QHBoxLayout()
        figures.setSpacing(12)
        for block in (self.withheld, self.lookup, self.unknown):
            if block is not self.withheld:
                figures.addWidget(divider("down"))
            figures.addWidget(block, block.minimumWidth())
        reasons = QHBoxLayout()
        reasons.setSpacing(28)
        for bars in self.reasons:
            reasons.addWidget(bars, 1)
        self._row.setContentsMargins(12, 4, 12, 12)
        self._row.setSpacing(16)
        self._row.addLayout(figures, 4)
        self._row.addLayout(reasons, 5)

    def _build_warning(self) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 6, 0)
        row.setSpacing(6)
        self._words = ElidedLabel("", "small", "warn")
        self.map_link = Button(self._theme, "Map it in Settings", "link", small=True)
        self.map_link.clicked.connect(self.map_asked)
        row.addWidget(Icon(self._theme, "warning", "warn", 14))
        row.addWidget(self._words)
        row.addWidget(self.map_link)
        holder.hide()
        self.add_action(holder)
        return holder


class FigureBlock(QWidget):
    """A name, its numbers, and one line that explains them: a tile without a frame."""

    def __init__(self, theme: Theme, name: str, least_px: int) -> None:
        super().__init__()
        self.setMinimumWidth(least_px)
        self._numbers = FigureLine(theme)
        self._caption = ElidedLabel("", "caption")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(Label(name, "small", "text-2"))
        column.addWidget(self._numbers)
        column.addWidget(self._caption)
        column.addStretch(1)

    def show_figures(self, shown: TileFigures) -> None:
        self._numbers.set_figures(shown.figures)
        self._caption.setText(shown.caption)


def _bar(row: ReasonRow) -> TimeBar:
    length = float(row.turns) if row.turns else None
    return TimeBar(row.words, 0.0, length, "hot" if row.leads else "neutral", f"{row.turns:,}")
