"""The facts of an article: two columns, the left one with the longer values, and the file below them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from console.widgets.key_value import KeyValueGrid

if TYPE_CHECKING:
    from console.articles.article_shown import Facts
    from console.theme.style import Theme

KEY_PX: Final = 58


class FactsGrid(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.left, self.right, self.below = (KeyValueGrid(theme) for _ in range(3))
        columns = QHBoxLayout()
        columns.setSpacing(16)
        for grid in (self.left, self.right):
            # What a value would like must not make its column wider than the other.
            grid.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            columns.addWidget(grid, 3 if grid is self.left else 2)
        for grid in (self.left, self.right, self.below):
            layout = grid.layout()
            if isinstance(layout, QGridLayout):
                layout.setColumnMinimumWidth(0, KEY_PX)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 10, 16, 10)
        column.setSpacing(0)
        column.addLayout(columns)
        column.addWidget(self.below)

    def show_facts(self, facts: Facts) -> None:
        self.left.set_pairs(facts.left)
        self.right.set_pairs(facts.right)
        self.below.set_pairs(facts.below)
