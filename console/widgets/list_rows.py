"""A list of two-line rows, 52 px each, under headings such as "Today"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QCursor, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QWidget

from console.theme.fonts import ui_font
from console.widgets.columns import Column
from console.widgets.painting import RIGHT, draw_text, fill_round, swatch
from console.widgets.record_model import RECORD, RecordModel

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QPaintEvent

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken
    from console.widgets.record_model import AnyIndex

ROW, HEADING = 52, 26


@dataclass(frozen=True, slots=True)
class ListRow:
    """A row. `series` shows a tenant's square, `dot` a state's dot; `icon` stands at the end of the second line."""

    key: str
    title: str
    time: str = ""
    second: str = ""
    series: int = 0
    dot: ColorToken | None = None
    icon: tuple[str, ColorToken] | None = None
    time_color: ColorToken = "text-3"


@dataclass(frozen=True, slots=True)
class Heading:
    """A line between rows that can't be picked."""

    title: str

    @property
    def key(self) -> str:
        return f"heading {self.title}"


class _Model(RecordModel[ListRow | Heading]):
    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        record = self.record(index.row()) if index.isValid() else None
        return Qt.ItemFlag.NoItemFlags if isinstance(record, Heading) else super().flags(index)


class ListRows(QListView):
    """`picked(key)` when a person or `pick` selects another row; "" when nothing is selected."""

    picked = Signal(str)
    opened = Signal(str)

    def __init__(self, theme: Theme, *, empty: str = "", name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._empty = empty
        column = Column[ListRow | Heading]("row", "", text=lambda row: row.title)
        self._rows = _Model((column,), lambda row: row.key, self)
        self._delegate = _RowDelegate(theme, self)
        self.setModel(self._rows)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setProperty("fill", "canvas")
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.selectionModel().selectionChanged.connect(self._announce)
        self.activated.connect(self._open)

    def set_rows(self, rows: Sequence[ListRow | Heading], empty: str | None = None) -> None:
        """Shows these rows; the picked one stays picked while it is there."""
        self._empty = self._empty if empty is None else empty
        self._rows.set_records(rows)
        self.viewport().update()

    @property
    def picked_key(self) -> str:
        indexes = self.selectedIndexes()
        return str(self._rows.key_of(indexes[0].row())) if indexes else ""

    def pick(self, key: str) -> None:
        row = self._rows.row_of(key)
        if row < 0:
            self.clearSelection()
            return
        index = self._rows.index(row, 0)
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.scrollTo(index)

    def paintEvent(self, e: QPaintEvent) -> None:
        super().paintEvent(e)
        if self._rows.rowCount() == 0 and self._empty:
            painter = QPainter(self.viewport())
            painter.setFont(ui_font(12))
            painter.setPen(self._theme.color("text-2"))
            area = self.viewport().rect().adjusted(12, 12, -12, -12)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap), self._empty)

    def viewportEvent(self, event: QEvent) -> bool:
        inside = self.viewport().underMouse()
        hovered = self.indexAt(self.viewport().mapFromGlobal(QCursor.pos())).row() if inside else -1
        if hovered != self._delegate.hovered:
            self._delegate.hovered = hovered
            self.viewport().update()
        return super().viewportEvent(event)

    @Slot()
    def _announce(self) -> None:
        self.picked.emit(self.picked_key)

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(str(self._rows.key_of(index.row())))


class _RowDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, view: ListRows) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view
        self.hovered = -1

    def sizeHint(self, _option: Any, index: AnyIndex) -> QSize:
        return QSize(0, HEADING if isinstance(index.data(RECORD), Heading) else ROW)

    def paint(self, painter: QPainter, option: Any, index: AnyIndex) -> None:
        rect = QRectF(option.rect)
        record: ListRow | Heading = index.data(RECORD)
        painter.save()
        if isinstance(record, Heading):
            self._paint_heading(painter, rect, record)
        else:
            selected = bool(option.state & QStyle.StateFlag.State_Selected)
            self._paint_ground(painter, rect, hovered=index.row() == self.hovered, selected=selected)
            self._paint_row(painter, rect.adjusted(12, 8, -12, -9), record, selected=selected)
        painter.restore()

    def _paint_heading(self, painter: QPainter, rect: QRectF, heading: Heading) -> None:
        self._paint_line(painter, rect)
        draw_text(painter, rect.adjusted(12, 0, -12, 0), heading.title, ui_font(11, 600), self._theme.color("text-2"))

    def _paint_line(self, painter: QPainter, rect: QRectF) -> None:
        painter.fillRect(QRectF(rect.x(), rect.bottom() - 1, rect.width(), 1), self._theme.color("line"))

    def _paint_ground(self, painter: QPainter, rect: QRectF, *, hovered: bool, selected: bool) -> None:
        if selected or hovered:
            painter.fillRect(rect, self._theme.color("accent-tint" if selected else "hover"))
        if selected:
            width = 4 if self._view.hasFocus() else 2
            painter.fillRect(QRectF(rect.x(), rect.y(), width, rect.height()), self._theme.color("accent"))
        self._paint_line(painter, rect)

    def _paint_row(self, painter: QPainter, rect: QRectF, row: ListRow, *, selected: bool) -> None:
        top = QRectF(rect.x(), rect.y(), rect.width(), 18)
        used = draw_text(painter, top, row.time, ui_font(11), self._theme.color(row.time_color), RIGHT) + 8
        left = top.x()
        if row.series:
            swatch(painter, left, top.center().y(), self._theme.series_fill(row.series))
        elif row.dot is not None:
            fill_round(painter, QRectF(left, top.center().y() - 4, 8, 8), self._theme.color(row.dot), 4)
        left += 14 if row.series or row.dot is not None else 0
        words = QRectF(left, top.y(), top.right() - used - left, 18)
        draw_text(painter, words, row.title, ui_font(13, 600 if selected else 500), self._theme.color("text"))
        self._paint_second(painter, QRectF(rect.x(), rect.y() + 18, rect.width(), 17), row)

    def _paint_second(self, painter: QPainter, rect: QRectF, row: ListRow) -> None:
        room = rect
        if row.icon is not None:
            pixmap = self._theme.pixmap(row.icon[0], row.icon[1], 14, self._view)
            painter.drawPixmap(QPointF(rect.right() - 14, rect.center().y() - 7), pixmap)
            room = rect.adjusted(0, 0, -22, 0)
        draw_text(painter, room, row.second, ui_font(12), self._theme.color("text-2"))
