"""One model for every table: records in, keyed changes out, so that selection and scroll position stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from PySide6.QtCore import QObject

    from console.widgets.columns import Column

R = TypeVar("R")
AnyIndex = QModelIndex | QPersistentModelIndex
RECORD = Qt.ItemDataRole.UserRole
NOWHERE = QModelIndex()


class RecordModel(QAbstractTableModel, Generic[R]):
    """Keeps the order of the records it is given. `set_records` tells Qt only what really changed."""

    def __init__(
        self, columns: Sequence[Column[R]], key: Callable[[R], Hashable], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self._key = key
        self._records: list[R] = []

    @property
    def records(self) -> tuple[R, ...]:
        return tuple(self._records)

    def record(self, row: int) -> R:
        return self._records[row]

    def key_of(self, row: int) -> Hashable:
        return self._key(self._records[row])

    def row_of(self, key: Hashable) -> int:
        """The row of a key, or -1."""
        return next((row for row, record in enumerate(self._records) if self._key(record) == key), -1)

    def set_records(self, records: Sequence[R]) -> None:
        wanted = list(records)
        keys = [self._key(record) for record in wanted]
        self._remove_all_but(set(keys))
        kept = [self._key(record) for record in self._records]
        known = set(kept)
        if kept != [key for key in keys if key in known]:
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

    def _insert_and_update(self, wanted: list[R]) -> None:
        last = len(self.columns) - 1
        for row, record in enumerate(wanted):
            if row >= len(self._records) or self._key(self._records[row]) != self._key(record):
                self.beginInsertRows(NOWHERE, row, row)
                self._records.insert(row, record)
                self.endInsertRows()
            elif self._records[row] != record:
                self._records[row] = record
                self.dataChanged.emit(self.index(row, 0), self.index(row, last))


class RecordProxy(QSortFilterProxyModel, Generic[R]):
    """Sorts by a column's `sort_value` and keeps the records that a predicate accepts."""

    def __init__(self, model: RecordModel[R], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._accepts: Callable[[R], bool] | None = None
        self.setSourceModel(model)
        self.setDynamicSortFilter(True)

    def set_filter(self, accepts: Callable[[R], bool] | None) -> None:
        self._accepts = accepts
        self.invalidate()

    def filterAcceptsRow(self, source_row: int, _source_parent: AnyIndex) -> bool:
        return self._accepts is None or self._accepts(self._model.record(source_row))

    def lessThan(self, source_left: AnyIndex, source_right: AnyIndex) -> bool:
        column = self._model.columns[source_left.column()]
        left = column.sort_value(self._model.record(source_left.row()))
        right = column.sort_value(self._model.record(source_right.row()))
        return bool(left < right)
