"""The files of an import, drawn: thousands of rows cost no widgets."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QWidget

from console.articles.import_shown import FileShown
from console.theme.fonts import ui_font
from console.widgets.columns import Column
from console.widgets.painting import RIGHT as AT_RIGHT
from console.widgets.painting import draw_text, text_width
from console.widgets.pill import paint_pill, pill_width
from console.widgets.record_model import RECORD, RecordModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from console.theme.style import Theme
    from console.widgets.record_model import AnyIndex

LEFT: Final = 34
RIGHT: Final = 12
ABOVE: Final = 26
"""Px from the top of a row to its sentence."""
BELOW: Final = 5
WRAP: Final = int(Qt.TextFlag.TextWordWrap)


class FileList(QListView):
    """`opened(article id)` when a person clicks a file's link, or presses Enter on it."""

    opened = Signal(str)

    def __init__(self, theme: Theme, name: str = "Files of the import", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = Column[FileShown](
            "file", "", text=lambda file: f"{file.name}, {file.mark.text.lower()}: {file.sentence}"
        )
        self._files = RecordModel[FileShown]((column,), lambda file: file.place, self)
        self.setModel(self._files)
        self.setItemDelegate(_FileDelegate(theme, self))
        self.setAccessibleName(name)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)

    @property
    def files(self) -> tuple[FileShown, ...]:
        return self._files.records

    def mouseMoveEvent(self, e: QMouseEvent) -> None:
        super().mouseMoveEvent(e)
        over = self._linked(e.position().toPoint())
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, e: QMouseEvent) -> None:
        super().mouseReleaseEvent(e)
        if e.button() == Qt.MouseButton.LeftButton:
            self._open(self._linked(e.position().toPoint()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._open(self._files.record(self.currentIndex().row()))
        else:
            super().keyPressEvent(event)

    def _open(self, file: FileShown | None) -> None:
        if file is not None and file.article_id:
            self.opened.emit(file.article_id)

    def _linked(self, point: QPoint) -> FileShown | None:
        """The file whose link is at this point of the view."""
        index = self.indexAt(point)
        if not index.isValid():
            return None
        file = self._files.record(index.row())
        area = link_area(QRectF(self.visualRect(index)), file)
        return file if file.link and area.contains(QPointF(point)) else None

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
        if option.state & QStyle.StateFlag.State_HasFocus and self._view.hasFocus():
            painter.fillRect(QRectF(rect.x(), rect.y(), 2, rect.height()), self._theme.color("focus"))
        pill, link = pill_width(file.mark), link_area(rect, file)
        if file.link:
            draw_text(painter, link, file.link, ui_font(12, 500), self._theme.color("accent-ink"), AT_RIGHT)
        room = rect.width() - LEFT - RIGHT - pill - 8 - (link.width() + 8 if file.link else 0)
        name = QRectF(rect.x() + LEFT, rect.y() + 7, room, 18)
        font = ui_font(13, 500)
        # A path is known by its end: what gives way is in the middle.
        words = QFontMetrics(font).elidedText(file.name, Qt.TextElideMode.ElideMiddle, int(room))
        used = draw_text(painter, name, words, font, self._theme.color("text"))
        paint_pill(painter, self._theme, QPointF(round(name.x() + used + 8), name.y()), file.mark)
        below: QRect = option.rect.adjusted(LEFT, ABOVE, -RIGHT, 0)
        painter.setFont(ui_font(12))
        painter.setPen(self._theme.color("text-2"))
        painter.drawText(below, WRAP, file.sentence)
        painter.restore()


def link_area(rect: QRectF, file: FileShown) -> QRectF:
    """Where the link of a file's row stands."""
    width = text_width(file.link, ui_font(12, 500)) + 2
    return QRectF(rect.right() - RIGHT - width, rect.y() + 7, width, 18)


@lru_cache(maxsize=20_000)
def _height(sentence: str, width: int) -> int:
    metrics = QFontMetrics(ui_font(12))
    return metrics.boundingRect(QRect(0, 0, max(width, 40), 10_000), WRAP, sentence).height()
