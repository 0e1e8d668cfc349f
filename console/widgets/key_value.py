"""Pairs of a name and a value under each other, in one or two columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from console.widgets.label import ElidedLabel, Label
from console.widgets.pill import Pill

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.theme.style import Theme
    from console.widgets.label import Tone
    from console.widgets.pill import PillMark


@dataclass(frozen=True, slots=True)
class Pair:
    key: str
    value: str = ""
    tone: Tone = "text"
    mono: bool = False
    pill: PillMark | None = None


class KeyValueGrid(QWidget):
    """Pairs fill the first column from the top, then the second. Names are as wide as the widest one."""

    def __init__(self, theme: Theme, columns: int = 1, *, line: int = 20, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._columns = columns
        self._line = line
        self._pairs: tuple[Pair, ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(0)

    def set_pairs(self, pairs: Sequence[Pair]) -> None:
        if tuple(pairs) == self._pairs:
            return
        self._pairs = tuple(pairs)
        self._clear()
        height = -(-len(pairs) // self._columns)
        for number, pair in enumerate(pairs):
            column, row = divmod(number, max(height, 1))
            self._grid.addWidget(Label(pair.key, "small", "text-3"), row, 2 * column)
            # Without a side of its own a pill's fixed width would be the most that its column may take.
            side = Qt.AlignmentFlag.AlignLeft if pair.pill is not None else Qt.AlignmentFlag(0)
            self._grid.addWidget(self._value(pair), row, 2 * column + 1, side | Qt.AlignmentFlag.AlignVCenter)
            self._grid.setRowMinimumHeight(row, self._line)
            self._grid.setColumnStretch(2 * column + 1, 1)

    def _value(self, pair: Pair) -> QWidget:
        if pair.pill is not None:
            return Pill(self._theme, pair.pill)
        label = ElidedLabel(pair.value, "mono" if pair.mono else "small", pair.tone)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _clear(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:  # pyright: ignore[reportUnnecessaryComparison] None at the end
            widget = item.widget()
            if isinstance(widget, QWidget):  # pyright: ignore[reportUnnecessaryIsInstance] a spacer has none
                widget.hide()
                widget.deleteLater()
