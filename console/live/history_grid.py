"""The panels of the history in as many columns as fit; one can take all the room. It scrolls, panels never shrink."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from console.widgets.cards import Panel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

TWO_COLUMNS: Final = 1124
LEAST_PX: Final = 212
GAP: Final = 12
SIDE: Final = 16


class HistoryGrid(QScrollArea):
    """`set_panels` replaces them all; the old ones are deleted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.panels: tuple[Panel, ...] = ()
        self._alone: Panel | None = None
        self._columns = 3
        self.inner = QWidget()
        self.inner.setProperty("scrolled", True)
        self._grid = QGridLayout(self.inner)
        self._grid.setContentsMargins(SIDE, GAP, SIDE, SIDE)
        self._grid.setSpacing(GAP)
        self.setWidget(self.inner)

    @property
    def expanded(self) -> Panel | None:
        return self._alone

    def set_panels(self, panels: Sequence[Panel]) -> None:
        alone = self.panels.index(self._alone) if self._alone in self.panels else -1
        for old in self.panels:
            self._grid.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.panels = tuple(panels)
        self._alone = self.panels[alone] if 0 <= alone < len(self.panels) else None
        for panel in self.panels:
            panel.setMinimumSize(320, LEAST_PX)
            panel.expand_asked.connect(self._expand_sender)
        self._place()

    def expand(self, panel: Panel | None) -> None:
        """Show `panel` alone; the same one again, or None, shows all."""
        self._alone = None if panel is self._alone else panel
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        columns = 2 if self.width() < TWO_COLUMNS else 3
        if columns != self._columns:
            self._columns = columns
            self._place()

    def _expand_sender(self) -> None:
        panel = self.sender()
        if isinstance(panel, Panel):
            self.expand(panel)

    def _place(self) -> None:
        shown = self.panels if self._alone is None else (self._alone,)
        across = self._columns if self._alone is None else 1
        for panel in self.panels:
            self._grid.removeWidget(panel)
        for row in range(self._grid.rowCount()):
            self._grid.setRowStretch(row, 0)
        for column in range(self._grid.columnCount()):
            self._grid.setColumnStretch(column, 0)
        for number, panel in enumerate(shown):
            self._grid.addWidget(panel, number // across, number % across)
            self._grid.setRowStretch(number // across, 1)
            self._grid.setColumnStretch(number % across, 1)
        for panel in self.panels:
            panel.setVisible(panel in shown)
