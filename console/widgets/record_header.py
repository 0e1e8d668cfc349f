"""The header of a table: 11/500 in grey on `sunken`, with a small chevron at the column it is sorted by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import QHeaderView, QWidget

from console.theme.fonts import ui_font
from console.widgets.painting import LEFT, RIGHT, draw_text

if TYPE_CHECKING:
    from console.theme.style import Theme


class RecordHeader(QHeaderView):
    def __init__(self, theme: Theme, parent: QWidget | None = None, *, rounded: bool = False) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self._rounded = rounded

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N803 Qt's name
        area = QRectF(rect)
        painter.save()
        self._paint_ground(painter, area, logicalIndex)
        sorted_here = self.isSortIndicatorShown() and self.sortIndicatorSection() == logicalIndex
        side = self.model().headerData(logicalIndex, self.orientation(), Qt.ItemDataRole.TextAlignmentRole)
        right = bool(int(side) & int(Qt.AlignmentFlag.AlignRight.value))
        last = logicalIndex == self.count() - 1
        words = area.adjusted(12, 0, -12 if last else -10, -1)
        title = str(self.model().headerData(logicalIndex, self.orientation()))
        font = ui_font(11, 500)
        color = self._theme.color("text-2" if sorted_here else "text-3")
        used = draw_text(painter, words, title, font, color, RIGHT if right else LEFT)
        if sorted_here:
            self._paint_chevron(
                painter, words.right() - used - 15 if right else words.x() + used + 3, words.center().y()
            )
        painter.restore()

    def _paint_ground(self, painter: QPainter, area: QRectF, section: int) -> None:
        first, last = section == 0, section == self.count() - 1
        path = QPainterPath()
        if self._rounded and (first or last):
            path.addRoundedRect(area.adjusted(0 if first else -20, 0, 0 if last else 20, 20), 7, 7)
        else:
            path.addRect(area)
        painter.setClipRect(area)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, self._rounded)
        painter.fillPath(path, self._theme.color("sunken"))
        painter.fillRect(QRectF(area.x(), area.bottom() - 1, area.width(), 1), self._theme.color("line"))

    def _paint_chevron(self, painter: QPainter, x: float, middle: float) -> None:
        up = self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        pixmap = self._theme.pixmap("chevron", "text-3", 12, self)
        painter.translate(x + 6, middle)
        painter.rotate(0 if up else 180)
        painter.drawPixmap(QPointF(-6, -6), pixmap)
