"""The cells of the seat map: drawn in one go, explained under the mouse and by the arrow keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.live.seat_shown import SeatsShown, cell_words
from console.theme.fonts import ui_font
from console.widgets.painting import draw_text, fill_round, frame_round, text_width

if TYPE_CHECKING:
    from datetime import tzinfo

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent

    from console.theme.style import Theme

PITCH: Final = 14
WIDEST_PITCH: Final = 20
LEAST_PITCH: Final = 4
GAP: Final = 2
TIP_LINE: Final = 17
FREE, OTHERS = 0, -1
NAME: Final = "KV seat map"


def pitch_for(cells: int, width: int, height: int) -> int:
    """The widest distance of two cells, in px, at which all of them fit."""
    for pitch in range(WIDEST_PITCH, LEAST_PITCH, -1):
        if cells <= max((width + GAP) // pitch, 1) * max((height + GAP) // pitch, 1):
            return pitch
    return LEAST_PITCH


class SeatGrid(QWidget):
    """Arrow keys, Home and End go from cell to cell; what is said of one is its description for screen readers."""

    def __init__(self, theme: Theme, zone: tzinfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._zone = theme, zone
        self._shown = SeatsShown()
        self._pixmaps: dict[tuple[int, int, float], QPixmap] = {}
        self._hovered: int | None = None
        self.current = 0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(NAME)
        theme.changed.connect(self._recolour)

    def show_seats(self, shown: SeatsShown) -> None:
        self._shown = shown
        self.current = min(self.current, max(len(shown.series) - 1, 0))
        self._describe()
        self.update()

    def words_at(self, cell: int) -> tuple[str, str]:
        return cell_words(self._shown, cell, self._zone)

    @property
    def told(self) -> int | None:
        """The cell that is explained now: the one under the mouse, else that of the keyboard."""
        if self._hovered is not None:
            return self._hovered
        return self.current if self.hasFocus() and self._shown.series else None

    def cell_at(self, x: float, y: float) -> int | None:
        pitch, across = self._pitch, self._across
        column, row = int(x // pitch), int(y // pitch)
        cell = row * across + column
        inside = 0 <= column < across and y >= 0 and 0 <= cell < len(self._shown.series)
        return cell if inside else None

    def sizeHint(self) -> QSize:
        return QSize(28 * PITCH, 13 * PITCH)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, 90)

    # Qt

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        pitch, across = self._pitch, self._across
        drawn = {kind: self._pixmap(kind, pitch) for kind in set(self._shown.series)}
        draw = painter.drawPixmap
        for cell, kind in enumerate(self._shown.series):
            draw(cell % across * pitch, cell // across * pitch, drawn[kind])
        told = self.told
        if told is not None:
            self._paint_same(painter, told)
            self._paint_tip(painter, told)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.cell_at(event.position().x(), event.position().y()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position().x(), event.position().y())
        if cell is not None:
            self._go_to(cell)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._shown.series) - 1
        keys = {
            Qt.Key.Key_Right: self.current + 1,
            Qt.Key.Key_Left: self.current - 1,
            Qt.Key.Key_Down: self.current + self._across,
            Qt.Key.Key_Up: self.current - self._across,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        wanted = keys.get(Qt.Key(event.key()))
        if wanted is None or last < 0:
            super().keyPressEvent(event)
        elif 0 <= wanted <= last:
            self._go_to(wanted)

    # Parts

    @property
    def _pitch(self) -> int:
        return pitch_for(len(self._shown.series), self.width(), self.height())

    @property
    def _across(self) -> int:
        return max((self.width() + GAP) // self._pitch, 1)

    def _go_to(self, cell: int) -> None:
        self.current = cell
        self._describe()
        self.update()

    def _hover(self, cell: int | None) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self.update()

    def _describe(self) -> None:
        words = ". ".join(self.words_at(self.current)) if self._shown.series else self._shown.missing
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)

    def _recolour(self) -> None:
        self._pixmaps.clear()
        self.update()

    def _pixmap(self, kind: int, pitch: int) -> QPixmap:
        """One cell, drawn once for each colour, size and screen."""
        ratio = self.devicePixelRatioF()
        known = self._pixmaps.get((kind, pitch, ratio))
        if known is not None:
            return known
        px = pitch - (GAP if pitch > 2 * GAP + 1 else 1)
        made = QPixmap(round(px * ratio), round(px * ratio))
        made.setDevicePixelRatio(ratio)
        made.fill(Qt.GlobalColor.transparent)
        painter, rect, radius = QPainter(made), QRectF(0, 0, px, px), 2.0 if px > 6 else 1.0
        if kind == FREE:
            frame_round(painter, rect, None, self._theme.color("line-strong"), radius)
        else:
            color = self._theme.color("seg-a") if kind == OTHERS else self._theme.series_fill(kind)
            fill_round(painter, rect, color, radius)
        painter.end()
        self._pixmaps[kind, pitch, ratio] = made
        return made

    def _cell_rect(self, cell: int) -> QRectF:
        pitch, across = self._pitch, self._across
        return QRectF(cell % across * pitch, cell // across * pitch, pitch - GAP, pitch - GAP)

    def _paint_same(self, painter: QPainter, told: int) -> None:
        """A frame around every cell of the same turn; the cell itself has a heavier one."""
        key, color = self._shown.seats.seats[told], self._theme.color("text")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(color, 1))
        if key:
            for cell in [n for n, one in enumerate(self._shown.seats.seats) if one == key]:
                painter.drawRoundedRect(self._cell_rect(cell).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
        painter.setPen(QPen(self._theme.color("focus") if self.hasFocus() else color, 2))
        painter.drawRoundedRect(self._cell_rect(told), 2, 2)

    def _paint_tip(self, painter: QPainter, told: int) -> None:
        head, rest = self.words_at(told)
        strong, plain = ui_font(12, 500), ui_font(12)
        width = min(max(text_width(head, strong), text_width(rest, plain)) + 22, self.width())
        cell = self._cell_rect(told)
        below = cell.bottom() + 6
        top = below if below + 2 * TIP_LINE + 10 <= self.height() else max(cell.top() - 2 * TIP_LINE - 16, 0.0)
        box = QRectF(min(cell.left(), self.width() - width), top, width, 2 * TIP_LINE + 10)
        frame_round(painter, box, self._theme.color("surface"), self._theme.color("line-strong"), 5)
        line = QRectF(box.x() + 10, box.y() + 5, box.width() - 20, TIP_LINE)
        draw_text(painter, line, head, strong, self._theme.color("text"))
        draw_text(painter, line.translated(0, TIP_LINE), rest, plain, self._theme.color("text-2"))
