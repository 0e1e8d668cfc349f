"""A table of records: sorting, filtering, keyboard, an empty text; columns are data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QCursor, QPainter
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from console.theme.fonts import ui_font
from console.widgets.record_header import RecordHeader
from console.widgets.record_model import RecordModel
from console.widgets.row_delegate import RowDelegate

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from PySide6.QtGui import QPaintEvent

    from console.theme.style import Theme
    from console.widgets.columns import Column

R = TypeVar("R")


def _never(_record: Any) -> bool:
    return False


class RecordTable(QTableView, Generic[R]):
    """`picked(key)` when the selected row changes (None when nothing is), `opened(key)` on Enter or a double click.

    `small` is for tables inside a panel: rows of 26 px, header of 24. `at_top` rounds the header for a table that
    begins at the top of a Card(padding=0), `at_bottom` the last row that is seen of one that ends with its card.
    """

    picked = Signal(object)
    opened = Signal(object)

    def __init__(
        self, theme: Theme, columns: Sequence[Column[R]], key: Callable[[R], Hashable], *, empty: str = "",
        retired: Callable[[R], bool] = _never, small: bool = False, sortable: bool = True, at_top: bool = False,
        at_bottom: bool = False, name: str = "",
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._theme = theme
        self._empty = empty
        self.records_model = RecordModel(columns, key, self)
        self._held: tuple[Any, int] = (None, 0)
        self._delegate = RowDelegate(theme, self, tuple(columns), retired, 12 if small else 13)
        self._delegate.rounded = at_bottom
        self.setModel(self.records_model)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(name)
        self._build_view(small=small)
        header = RecordHeader(theme, self, rounded=at_top)
        self._build_header(header, columns, small=small, sortable=sortable)
        self.selectionModel().selectionChanged.connect(self._announce)
        self.records_model.modelAboutToBeReset.connect(self._hold)
        self.records_model.modelReset.connect(self._give_back)
        self.activated.connect(self._open)
        self.verticalScrollBar().valueChanged.connect(self._find_hover)

    # What is shown

    def set_records(self, records: Sequence[R]) -> None:
        """Shows these records in this order (or in the order a person sorted by); selection and scroll stay."""
        self.records_model.set_records(records)
        self.viewport().update()

    def follow(self, records: Sequence[R]) -> None:
        """As `set_records` for a table that is told anew each second: what has not changed is not drawn again. Its
        columns speak of the records alone."""
        if tuple(records) != self.records_model.given:
            self.set_records(records)

    def set_filter(
        self, accepts: Callable[[R], bool] | None, empty: str | None = None, *, narrower: bool = False
    ) -> None:
        """Hides what `accepts` refuses; `empty` is said when nothing is left. `narrower` as in RecordModel."""
        self._empty = self._empty if empty is None else empty
        self.records_model.set_filter(accepts, narrower=narrower)

    def set_empty(self, sentence: str) -> None:
        if sentence != self._empty:
            self._empty = sentence
            self.viewport().update()

    def sort_by(self, key: str, *, descending: bool = False) -> None:
        number = next(n for n, column in enumerate(self.records_model.columns) if column.key == key)
        self.sortByColumn(number, Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder)

    def shown(self) -> tuple[R, ...]:
        """The records that pass the filter, in the order on the screen."""
        return self.records_model.records

    # What is picked

    @property
    def picked_key(self) -> Any:
        rows = self.selectionModel().selectedRows()
        return self.records_model.key_of(rows[0].row()) if rows else None

    @property
    def picked_record(self) -> R | None:
        rows = self.selectionModel().selectedRows()
        return self.records_model.record(rows[0].row()) if rows else None

    def pick(self, key: Hashable | None) -> None:
        """Selects the row of a key and scrolls to it; None or an unknown key clears the selection."""
        row = -1 if key is None else self.records_model.row_of(key)
        index = self.records_model.index(row, 0) if row >= 0 else QModelIndex()
        if not index.isValid():
            self.clearSelection()
            return
        rows = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(index, rows)
        self.scrollTo(index)

    # Qt

    def paintEvent(self, e: QPaintEvent) -> None:
        super().paintEvent(e)
        if self.records_model.rowCount() == 0 and self._empty:
            painter = QPainter(self.viewport())
            painter.setFont(ui_font(13))
            painter.setPen(self._theme.color("text-2"))
            area = self.viewport().rect().adjusted(24, 16, -24, -16)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self._empty)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.HoverMove, QEvent.Type.MouseMove, QEvent.Type.Leave, QEvent.Type.HoverLeave):
            self._find_hover()
        return super().viewportEvent(event)

    @Slot()
    def _find_hover(self) -> None:
        point = self.viewport().mapFromGlobal(QCursor.pos())
        self.set_hovered(self.indexAt(point).row() if self.viewport().underMouse() else -1)

    def set_hovered(self, row: int) -> None:
        """Tints a row as the mouse does; -1 for none."""
        if row != self._delegate.hovered:
            self._delegate.hovered = row
            self.viewport().update()

    @Slot(QItemSelection, QItemSelection)
    def _announce(self, _now: QItemSelection, _before: QItemSelection) -> None:
        self.viewport().update()
        self.picked.emit(self.picked_key)

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(self.records_model.key_of(index.row()))

    @Slot()
    def _hold(self) -> None:
        self._held = (self.picked_key, self.verticalScrollBar().value())

    @Slot()
    def _give_back(self) -> None:
        """A reset takes selection and scroll: both come back, and it is told when the picked record is gone."""
        key, place = self._held
        row = -1 if key is None else self.records_model.row_of(key)
        if row >= 0:
            self.blockSignals(True)
            self.selectRow(row)
            self.blockSignals(False)
            self.verticalScrollBar().setValue(place)
        elif key is not None:
            self.picked.emit(None)

    def _build_view(self, *, small: bool) -> None:
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(20)
        self.verticalHeader().setDefaultSectionSize(26 if small else 30)

    def _build_header(self, header: RecordHeader, columns: Sequence[Column[R]], *, small: bool, sortable: bool) -> None:
        self.setHorizontalHeader(header)
        header.setFixedHeight(24 if small else 28)
        header.setHighlightSections(False)
        header.setSectionsClickable(sortable)
        header.setMinimumSectionSize(24)
        for number, column in enumerate(columns):
            mode = QHeaderView.ResizeMode.Fixed if column.width else QHeaderView.ResizeMode.Stretch
            header.setSectionResizeMode(number, mode)
            if column.width:
                self.setColumnWidth(number, column.width)
        # No sort indicator until a person or the page asks for an order.
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(sortable)
        header.setSortIndicatorClearable(True)
