"""A layout that puts widgets beside each other and starts a new line when there is no room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

if TYPE_CHECKING:
    from collections.abc import Iterator


class FlowLayout(QLayout):
    def __init__(self, parent: QWidget | None = None, *, gap: int = 6, line_gap: int = 6) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self._line_gap = line_gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # pyright: ignore[reportIncompatibleMethodOverride] Qt asks past the end
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # pyright: ignore[reportIncompatibleMethodOverride] Qt asks past the end
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        places = list(self._places(width))
        return max((place.bottom() + 1 for place in places), default=0)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        for item, place in zip(self._shown(), self._places(rect.width()), strict=True):
            item.setGeometry(place.translated(rect.topLeft()))

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._shown():
            size = size.expandedTo(item.minimumSize())
        return size

    def clear(self) -> None:
        """Removes and deletes every widget in the layout."""
        for item in self._items:
            widget = item.widget()
            if isinstance(widget, QWidget):
                widget.hide()
                widget.deleteLater()
        self._items.clear()
        self.invalidate()

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _places(self, width: int) -> Iterator[QRect]:
        x = y = line = 0
        for item in self._shown():
            size = item.sizeHint()
            if x and x + size.width() > width:
                x, y, line = 0, y + line + self._line_gap, 0
            yield QRect(QPoint(x, y), QSize(min(size.width(), max(width, 1)), size.height()))
            x += size.width() + self._gap
            line = max(line, size.height())
