"""One model for every table: records in, sorted and filtered, keyed changes out, so that selection and scroll stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from PySide6.QtCore import QObject

    from console.widgets.columns import Column

R = TypeVar("R")
AnyIndex = QModelIndex | QPersistentModelIndex
RECORD = Qt.ItemDataRole.UserRole
NOWHERE = QModelIndex()
MANY: Final = 16
"""Rows that come or go one by one; more of them at once are a new table."""


class RecordModel(QAbstractTableModel, Generic[R]):
    """Shows the records it is given in their order, or sorted; what a filter refuses is left out.

    Qt hears only of what really changed. Sorting and filtering are done here: Qt's own proxy asks Python for every
    comparison, 0.4 s for a letter typed over 5,000 records.
    """

    def __init__(
        self, columns: Sequence[Column[R]], key: Callable[[R], Hashable], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self._key = key
        self._given: tuple[R, ...] = ()
        self._sorted: Sequence[R] = ()
        self._records: list[R] = []
        self._order: tuple[int, bool] | None = None
        self._accepts: Callable[[R], bool] | None = None

    @property
    def records(self) -> tuple[R, ...]:
        """Those that are shown, in the order on the screen."""
        return tuple(self._records)

    def record(self, row: int) -> R:
        return self._records[row]

    def key_of(self, row: int) -> Hashable:
        return self._key(self._records[row])

    def row_of(self, key: Hashable) -> int:
        """The row of a key, or -1."""
        return next((row for row, record in enumerate(self._records) if self._key(record) == key), -1)

    @property
    def given(self) -> tuple[R, ...]:
        """All records as they came, whatever is filtered or sorted."""
        return self._given

    def set_records(self, records: Sequence[R]) -> None:
        if records is not self._given:
            self._given = records if isinstance(records, tuple) else tuple(records)
            self._arrange()

    def set_filter(self, accepts: Callable[[R], bool] | None, *, narrower: bool = False) -> None:
        """`narrower` = it refuses all that the filter before it refused: only what is shown is looked at."""
        self._accepts = accepts
        among = self._records if narrower else self._sorted
        self._show([record for record in among if accepts is None or accepts(record)])

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By a column's `sort_value`; a column of -1 gives the order in which records came."""
        self._order = (column, order == Qt.SortOrder.DescendingOrder) if column >= 0 else None
        self._arrange()

    def _arrange(self) -> None:
        self._sorted = self._given
        if self._order is not None:
            column, descending = self._order
            self._sorted = sorted(self._given, key=self.columns[column].sort_value, reverse=descending)
        self.set_filter(self._accepts)

    def _show(self, wanted: list[R]) -> None:
        before = [self._key(record) for record in self._records]
        keys = [self._key(record) for record in wanted]
        if before == keys:
            self._update(wanted)
            return
        old, new = set(before), set(keys)
        if len(old - new) + len(new - old) > MANY:
            self.beginResetModel()
            self._records = wanted
            self.endResetModel()
            return
        self._remove_all_but(new)
        if [key for key in before if key in new] != [key for key in keys if key in old]:
            self._reorder(keys)
        self._insert_and_update(wanted)

    def rowCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._records)

    def columnCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        record, column = self._records[index.row()], self.columns[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return column.words(record)
        return record if role == RECORD else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.help_text or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.align == "right" else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _remove_all_but(self, keys: set[Hashable]) -> None:
        for row in range(len(self._records) - 1, -1, -1):
            if self._key(self._records[row]) not in keys:
                self.beginRemoveRows(NOWHERE, row, row)
                del self._records[row]
                self.endRemoveRows()

    def _reorder(self, keys: list[Hashable]) -> None:
        self.layoutAboutToBeChanged.emit()
        old = self.persistentIndexList()
        held = [(self._key(self._records[index.row()]), index.column()) for index in old]
        place = {key: number for number, key in enumerate(keys)}
        self._records.sort(key=lambda record: place[self._key(record)])
        rows = {self._key(record): row for row, record in enumerate(self._records)}
        self.changePersistentIndexList(old, [self.index(rows[key], column) for key, column in held])
        self.layoutChanged.emit()

    def _update(self, wanted: list[R]) -> None:
        """What a reader did not change is the same object, and costs no comparison."""
        last = len(self.columns) - 1
        for row, record in enumerate(wanted):
            if self._records[row] is not record and self._records[row] != record:
                self._records[row] = record
                self.dataChanged.emit(self.index(row, 0), self.index(row, last))

    def _insert_and_update(self, wanted: list[R]) -> None:
        last = len(self.columns) - 1
        for row, record in enumerate(wanted):
            if row >= len(self._records) or self._key(self._records[row]) != self._key(record):
                self.beginInsertRows(NOWHERE, row, row)
                self._records.insert(row, record)
                self.endInsertRows()
            elif self._records[row] is not record and self._records[row] != record:
                self._records[row] = record
                self.dataChanged.emit(self.index(row, 0), self.index(row, last))
