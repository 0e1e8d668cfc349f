"""Paints a whole table row: its state, its line, pills, swatches and text in two strengths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from console.theme.fonts import mono_font, ui_font
from console.widgets.painting import LEFT, RIGHT, draw_text, swatch, text_width
from console.widgets.pill import paint_pill, pill_width
from console.widgets.record_model import RECORD

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QColor, QFont
    from PySide6.QtWidgets import QTableView

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken
    from console.widgets.columns import Column
    from console.widgets.record_model import AnyIndex

R = TypeVar("R")
RADIUS = 7
WEIGHTS = {"name": 500, "strong": 500}


class RowDelegate(QStyledItemDelegate, Generic[R]):
    """`px` is the size of the type: 13 in a table, 12 inside a panel."""

    def __init__(
        self, theme: Theme, view: QTableView, columns: tuple[Column[R], ...], retired: Callable[[R], bool], px: int
    ) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view
        self._columns = columns
        self._retired = retired
        self._px = px
        self.hovered = -1
        self.rounded = False

    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(0, self._view.verticalHeader().defaultSectionSize())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        shown: Any = option
        rect, selected = QRectF(shown.rect), bool(shown.state & QStyle.StateFlag.State_Selected)
        record: R = index.data(RECORD)
        column = self._columns[index.column()]
        self._paint_ground(painter, rect, index, selected=selected)
        inner = rect.adjusted(12, 0, -12 if index.column() == len(self._columns) - 1 else -10, -1)
        painter.save()
        painter.setClipRect(rect)
        if column.paint is not None:
            column.paint(painter, inner, record)
        else:
            self._paint_cell(painter, inner, column, record, selected=selected)
        painter.restore()

    def _paint_ground(self, painter: QPainter, rect: QRectF, index: AnyIndex, *, selected: bool) -> None:
        ground: ColorToken = "accent-tint" if selected else "hover" if index.row() == self.hovered else "surface"
        view = QRectF(self._view.viewport().rect())
        if self.rounded and rect.bottom() > view.bottom() - RADIUS:
            self._paint_round(painter, rect, view, self._theme.color(ground))
        else:
            painter.fillRect(rect, self._theme.color(ground))
        if rect.bottom() < view.bottom() - 1 or not self.rounded:
            painter.fillRect(QRectF(rect.x(), rect.bottom() - 1, rect.width(), 1), self._theme.color("line"))
        if self._view.hasFocus() and self._view.currentIndex().row() == index.row():
            self._paint_ring(painter, rect, index.column())

    def _paint_round(self, painter: QPainter, rect: QRectF, view: QRectF, color: QColor) -> None:
        """A cell at the lower edge keeps inside the round corners of the card."""
        card, cell = QPainterPath(), QPainterPath()
        card.addRoundedRect(view.adjusted(0, -20, 0, 0), RADIUS, RADIUS)
        cell.addRect(rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillPath(card.intersected(cell), color)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _paint_ring(self, painter: QPainter, rect: QRectF, column: int) -> None:
        color = self._theme.color("focus")
        painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), 2), color)
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 2, rect.width(), 2), color)
        if column == 0:
            painter.fillRect(QRectF(rect.left(), rect.top(), 2, rect.height()), color)
        if column == len(self._columns) - 1:
            painter.fillRect(QRectF(rect.right() - 2, rect.top(), 2, rect.height()), color)

    def _paint_cell(self, painter: QPainter, rect: QRectF, column: Column[R], record: R, *, selected: bool) -> None:
        left = rect.x() + self._paint_marks(painter, rect, column, record)
        if column.text is None:
            return
        words = QRectF(left, rect.y(), max(rect.right() - left, 0), rect.height())
        font = self._font(column, selected=selected)
        align = RIGHT if column.align == "right" else LEFT
        used = draw_text(painter, words, column.text(record), font, self._theme.color(self._ink(column, record)), align)
        second = column.second(record) if column.second is not None else ""
        if second:
            rest = words.adjusted(used + 8, 0, 0, 0)
            draw_text(painter, rest, second, ui_font(12), self._theme.color("text-3"))

    def _paint_marks(self, painter: QPainter, rect: QRectF, column: Column[R], record: R) -> float:
        """Draws what stands before the words and returns the px it took."""
        middle, used = rect.center().y(), 0.0
        series = column.series(record) if column.series is not None else 0
        if series:
            swatch(painter, rect.x(), middle, self._theme.series_fill(series))
            used += 16
        icon = column.icon(record) if column.icon is not None else None
        if icon is not None:
            pixmap = self._theme.pixmap(icon[0], icon[1], 15, self._view)
            painter.drawPixmap(QPointF(rect.x() + used, middle - 7.5), pixmap)
            used += 21
        mark = column.pill(record) if column.pill is not None else None
        if mark is not None:
            used = self._paint_pill(painter, rect, column, record, mark, used)
        return used

    def _paint_pill(
        self, painter: QPainter, rect: QRectF, column: Column[R], record: R, mark: Any, used: float
    ) -> float:
        """A pill alone stands at the left; a pill beside words stands after them."""
        x = rect.x() + used
        if column.text is not None:
            x += text_width(column.text(record), self._font(column, selected=False)) + 6
            x = min(x, rect.right() - pill_width(mark))
        paint_pill(painter, self._theme, QPointF(round(x), round(rect.center().y() - 9)), mark)
        return used

    def _font(self, column: Column[R], *, selected: bool) -> QFont:
        if column.mono:
            return mono_font(11)
        weight = 600 if selected and column.strength == "name" else WEIGHTS.get(column.strength, 400)
        return ui_font(self._px, weight)

    def _ink(self, column: Column[R], record: R) -> ColorToken:
        own = column.ink(record) if column.ink is not None else None
        if own is not None:
            return own
        if self._retired(record):
            return "text-3"
        return "text" if column.strength in ("name", "strong", "text") else column.strength
