"""Tiles above, panels below in as many columns as fit; one of them can take all the room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from console.widgets.cards import Panel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from console.widgets.tile import Tile

TWO_COLUMNS: Final = 1180
LEAST_PX: Final = 212
"""A panel is never lower; the page scrolls instead."""
AT_ONCE: Final = 3
"""So many rows are seen without scrolling where the window is high enough for them."""
TILE_PX: Final = 84
MOVED_MS: Final = 40
GAP: Final = 12
SIDE: Final = 16


@dataclass(frozen=True, slots=True)
class Place:
    """`across`: how many columns it likes to have."""

    panel: Panel
    across: int = 1


@dataclass(frozen=True, slots=True)
class Cell:
    row: int
    column: int
    across: int


def derive_cells(across: Sequence[int], columns: int) -> tuple[Cell, ...]:
    """Row by row; the last of a row takes what room is left in it."""
    cells: list[Cell] = []
    row = column = 0
    for number, wanted in enumerate(across):
        width = min(wanted, columns)
        follows = across[number + 1] if number + 1 < len(across) else columns
        left = columns - column - width
        taken = width + (left if min(follows, columns) > left else 0)
        cells.append(Cell(row, column, taken))
        column += taken
        if column >= columns:
            row, column = row + 1, 0
    return tuple(cells)


class LiveGrid(QScrollArea):
    """Panels may be replaced one by one; `expand(panel)` shows one alone and then all again. `foot` lies under them
    over the whole width, in a height of its own. `moved` a moment after other panels came in sight."""

    moved = Signal()

    def __init__(
        self, tiles: Sequence[Tile], places: Sequence[Place], foot: Panel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._tiles, self._places, self._foot = list(tiles), list(places), foot
        self._alone: Panel | None = None
        self._columns = 0
        self._moving = QTimer(self, singleShot=True, interval=MOVED_MS)
        self._moving.timeout.connect(self.moved)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
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
        for place in self._places:
            self._adopt(place.panel)
        self._place(3)

    @property
    def expanded(self) -> Panel | None:
        return self._alone

    @property
    def panels(self) -> tuple[Panel, ...]:
        return tuple(place.panel for place in self._places)

    def replace_panel(self, old: Panel, new: Panel) -> None:
        """`old` is deleted."""
        number = self.panels.index(old)
        self._places[number] = Place(new, self._places[number].across)
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
        self._moving.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        columns = 2 if self.width() + 56 < TWO_COLUMNS else 3
        if columns != self._columns:
            self._place(columns)
        self._set_heights()
        self._moving.start()

    @Slot()
    def _scrolled(self) -> None:
        self._moving.start()

    @property
    def _tiles_across(self) -> int:
        """In one row, or in two of the same length."""
        return len(self._tiles) if self._columns > 2 else -(-len(self._tiles) // 2)

    def _adopt(self, panel: Panel) -> None:
        panel.setMinimumSize(320, LEAST_PX)
        panel.expand_asked.connect(self._expand_sender)

    def _expand_sender(self) -> None:
        panel = self.sender()
        if isinstance(panel, Panel):
            self.expand(panel)

    def _place(self, columns: int) -> None:
        self._columns = columns
        across = self._tiles_across
        for number, tile in enumerate(self._tiles):
            self._tile_grid.addWidget(tile, number // across, number % across)
        for column in range(len(self._tiles)):
            self._tile_grid.setColumnStretch(column, 1 if column < across else 0)
        for column in range(max(self._panel_grid.columnCount(), columns)):
            self._panel_grid.setColumnStretch(column, 0)
        self._place_panels(columns)
        self._set_heights()

    def _place_panels(self, columns: int) -> None:
        shown = [place for place in self._places if self._alone in (None, place.panel)]
        across = columns if self._alone is None else 1
        for place in self._places:
            self._panel_grid.removeWidget(place.panel)
        for place, cell in zip(shown, derive_cells([one.across for one in shown], across), strict=True):
            self._panel_grid.addWidget(place.panel, cell.row, cell.column, 1, cell.across)
        for column in range(across):
            self._panel_grid.setColumnStretch(column, 1)
        for panel in self.panels:
            panel.setVisible(self._alone in (None, panel))
        self._foot.setVisible(self._alone is None)

    def _set_heights(self) -> None:
        """The first rows fill what is seen at once, and all the others are as high."""
        cells = derive_cells([place.across for place in self._places], self._columns)
        rows = 1 if self._alone is not None else cells[-1].row + 1
        tile_rows = -(-len(self._tiles) // self._tiles_across)
        room = self.viewport().height() - GAP - SIDE - tile_rows * (TILE_PX + GAP)
        seen = min(rows, AT_ONCE)
        height = max(LEAST_PX, (room - (seen - 1) * GAP) // seen)
        for row in range(self._panel_grid.rowCount()):
            self._panel_grid.setRowMinimumHeight(row, height if row < rows else 0)
            self._panel_grid.setRowStretch(row, 1 if row < rows else 0)
