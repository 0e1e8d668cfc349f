"""The files of an import, drawn: thousands of rows cost no widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate, QWidget

from console.articles.import_shown import FileShown
from console.theme.fonts import ui_font
from console.widgets.columns import Column
from console.widgets.painting import draw_text
from console.widgets.pill import paint_pill, pill_width
from console.widgets.record_model import RECORD, RecordModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.theme.style import Theme
    from console.widgets.record_model import AnyIndex

LEFT: Final = 34
RIGHT: Final = 12
ABOVE: Final = 26
"""Px from the top of a row to its sentence."""
BELOW: Final = 5
WRAP: Final = int(Qt.TextFlag.TextWordWrap)


class FileList(QListView):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = Column[FileShown](
            "file", "", text=lambda file: f"{file.name}, {file.mark.text.lower()}: {file.sentence}"
        )
        self._files = RecordModel[FileShown]((column,), lambda file: file.place, self)
        self.setModel(self._files)
        self.setItemDelegate(_FileDelegate(theme, self))
        self.setAccessibleName("Files of the import")
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)

    @property
    def files(self) -> tuple[FileShown, ...]:
        return self._files.records

    def set_files(self, files: Sequence[FileShown]) -> None:
        self._files.set_records(files)


class _FileDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, view: FileList) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    def sizeHint(self, _option: Any, index: AnyIndex) -> QSize:
        file: FileShown = index.data(RECORD)
        width = self._view.viewport().width() - LEFT - RIGHT
        return QSize(0, ABOVE + _height(file.sentence, width) + BELOW)

    def paint(self, painter: QPainter, option: Any, index: AnyIndex) -> None:
        rect = QRectF(option.rect)
        file: FileShown = index.data(RECORD)
        painter.save()
        painter.fillRect(QRectF(rect.x(), rect.bottom() - 1, rect.width(), 1), self._theme.color("line"))
        pixmap = self._theme.pixmap(file.icon, file.color, 15, self._view)
        painter.drawPixmap(QPointF(rect.x() + 12, rect.y() + 8), pixmap)
        pill = pill_width(file.mark)
        name = QRectF(rect.x() + LEFT, rect.y() + 7, rect.width() - LEFT - RIGHT - pill - 8, 18)
        used = draw_text(painter, name, file.name, ui_font(13, 500), self._theme.color("text"))
        paint_pill(painter, self._theme, QPointF(round(name.x() + used + 8), name.y()), file.mark)
        words: QRect = option.rect.adjusted(LEFT, ABOVE, -RIGHT, 0)
        painter.setFont(ui_font(12))
        painter.setPen(self._theme.color("text-2"))
        painter.drawText(words, WRAP, file.sentence)
        painter.restore()


def _height(sentence: str, width: int) -> int:
    metrics = QFontMetrics(ui_font(12))
    return metrics.boundingRect(QRect(0, 0, max(width, 40), 10_000), WRAP, sentence).height()
