"""Tiles above, panels below in as many columns as fit, a wide one at the foot; one can take all the room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from console.widgets.cards import Panel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from console.widgets.tile import Tile

TWO_COLUMNS: Final = 1180
LEAST_PX: Final = 212
"""A panel is never lower; the page scrolls instead."""
GAP: Final = 12
SIDE: Final = 16


class LiveGrid(QScrollArea):
    """`panels` may be replaced one by one; `expand(panel)` shows one alone and then all again. `foot` lies under them
    over the whole width, in a height of its own."""

    def __init__(
        self, tiles: Sequence[Tile], panels: Sequence[Panel], foot: Panel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._tiles, self._panels, self._foot = list(tiles), list(panels), foot
        self._alone: Panel | None = None
        self._columns = 0
        inner = QWidget()
        inner.setProperty("scrolled", True)
        column = QVBoxLayout(inner)
        column.setContentsMargins(SIDE, GAP, SIDE, SIDE)
        column.setSpacing(GAP)
        self._tile_grid, self._panel_grid = QGridLayout(), QGridLayout()
        for grid in (self._tile_grid, self._panel_grid):
            grid.setSpacing(GAP)
        column.addLayout(self._tile_grid)
        column.addLayout(self._panel_grid, 1)
        column.addWidget(foot)
        self.setWidget(inner)
        for panel in self._panels:
            self._adopt(panel)
        self._place(3)

    @property
    def expanded(self) -> Panel | None:
        return self._alone

    def replace_panel(self, old: Panel, new: Panel) -> None:
        """`old` is deleted."""
        self._panels[self._panels.index(old)] = new
        self._adopt(new)
        if self._alone is old:
            self._alone = new
        self._panel_grid.removeWidget(old)
        old.hide()
        old.deleteLater()
        self._place(self._columns)

    def expand(self, panel: Panel | None) -> None:
        """Show `panel` alone; the same one again, or None, shows all."""
        self._alone = None if panel is self._alone else panel
        self._place(self._columns)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        columns = 2 if self.width() + 56 < TWO_COLUMNS else 3
        if columns != self._columns:
            self._place(columns)

    def _adopt(self, panel: Panel) -> None:
        panel.setMinimumSize(320, LEAST_PX)
        panel.expand_asked.connect(self._expand_sender)

    def _expand_sender(self) -> None:
        panel = self.sender()
        if isinstance(panel, Panel):
            self.expand(panel)

    def _place(self, columns: int) -> None:
        self._columns = columns
        for number, tile in enumerate(self._tiles):
            self._tile_grid.addWidget(tile, number // (2 * columns), number % (2 * columns))
        for column in range(6):
            self._tile_grid.setColumnStretch(column, 1 if column < 2 * columns else 0)
        for row in range(self._panel_grid.rowCount()):
            self._panel_grid.setRowStretch(row, 0)
        for column in range(max(self._panel_grid.columnCount(), columns)):
            self._panel_grid.setColumnStretch(column, 0)
        self._place_panels(columns)

    def _place_panels(self, columns: int) -> None:
        shown = self._panels if self._alone is None else [self._alone]
        across = columns if self._alone is None else 1
        for panel in self._panels:
            self._panel_grid.removeWidget(panel)
        for number, panel in enumerate(shown):
            self._panel_grid.addWidget(panel, number // across, number % across)
            self._panel_grid.setRowStretch(number // across, 1)
            self._panel_grid.setColumnStretch(number % across, 1)
        for panel in self._panels:
            panel.setVisible(panel in shown)
        self._foot.setVisible(self._alone is None)
