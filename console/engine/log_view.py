"""The rows of the log, 17 px each: only those on the screen are painted, so 100,000 lines scroll as 10 do.

No item view of Qt: theirs lay out every row again when one is added (0.1 s at 20,000 rows).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QKeySequence, QPainter
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from console.engine.log_book import INDENT, Change, Hit, LogBook, LogRow
from console.theme.fonts import mono_font, ui_font
from console.widgets.painting import CENTER, draw_text, frame_round

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken

ROW_PX: Final = 17
SIDE_PX: Final = 12
LEAD: Final = 16
"""Characters before the words: the time, two of air, the level, two of air."""
LEVEL_AT: Final = 10
MANY: Final = 5_000
REFOLD_MS: Final = 150
"""More rows than MANY are folded anew only when the width has stood still for so long."""
LEVEL_INK: Final[dict[str, ColorToken]] = {"WARN": "warn", "ERROR": "error"}


class LogView(QAbstractScrollArea):
    """Whole lines are selected with the mouse or Ctrl+A and copied with Ctrl+C; the keys of the scroll bar move it."""

    scrolled_by_hand = Signal()

    def __init__(self, theme: Theme, book: LogBook, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.book = book
        self.current: Hit | None = None
        self._theme = theme
        self._font, self._bold = mono_font(11), mono_font(11, 500)
        self._metrics = QFontMetricsF(self._font)
        self._letter = self._metrics.horizontalAdvance("0")
        self._picked: tuple[int, int] | None = None
        self._empty = ""
        self._refold = QTimer(self)
        self._refold.setSingleShot(True)
        self._refold.setInterval(REFOLD_MS)
        self._refold.timeout.connect(self._fold_again)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Engine log")
        self.verticalScrollBar().setSingleStep(3 * ROW_PX)
        self.verticalScrollBar().actionTriggered.connect(self.scrolled_by_hand)
        theme.changed.connect(self.viewport().update)

    # What the panel tells it

    def follow(self, change: Change) -> None:
        """After `book.add`: what is on the screen stays where it is when rows leave at the top."""
        bar = self.verticalScrollBar()
        at = bar.value()
        self._set_range()
        bar.setValue(at - change.removed * ROW_PX)
        self.viewport().update()

    def show_book(self, book: LogBook) -> None:
        """Another engine's log, folded to the width of this view."""
        self.book = book
        book.set_columns(self._columns())
        self.current = None
        self.start_again()

    def start_again(self) -> None:
        """After another filter, another width or another log."""
        self._picked = None
        self._set_range()
        self.viewport().update()

    def to_end(self) -> None:
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def show_hit(self, hit: Hit | None) -> None:
        self.current = hit
        if hit is not None:
            self._bring_in(self.book.row_of(hit))
        self.viewport().update()

    def set_empty(self, words: str) -> None:
        """What is said where there is no row."""
        if words != self._empty:
            self._empty = words
            self.viewport().update()

    def picked_lines(self) -> tuple[str, ...]:
        """The whole lines that are selected, as the engine wrote them."""
        if self._picked is None:
            return ()
        first, last = sorted(self._picked)
        numbers = dict.fromkeys(row.number for row in self.book.rows if first <= row.number <= last)
        return tuple(self.book.entry(number).raw for number in numbers)

    # Qt

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText("\n".join(self.picked_lines()))
        elif event.matches(QKeySequence.StandardKey.SelectAll) and self.book.rows:
            self._picked = (self.book.rows[0].number, self.book.rows[-1].number)
            self.viewport().update()
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.verticalScrollBar().setValue(
                0 if event.key() == Qt.Key.Key_Home else self.verticalScrollBar().maximum()
            )
            self.scrolled_by_hand.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._number_at(event.position().y())
        if number is not None:
            shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._picked = (self._picked[0] if shift and self._picked else number, number)
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        number = self._number_at(event.position().y())
        if number is not None and self._picked is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self._picked = (self._picked[0], number)
            self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if len(self.book.rows) > MANY:
            self._refold.start()
        else:
            self._fold_again()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        if not self.book.rows:
            room = QRectF(self.viewport().rect())
            draw_text(painter, room, self._empty, ui_font(12), self._theme.color("text-3"), CENTER)
        top = self.verticalScrollBar().value()
        first = top // ROW_PX
        last = min(first + self.viewport().height() // ROW_PX + 2, len(self.book.rows))
        for place in range(first, last):
            rect = QRectF(0, place * ROW_PX - top, self.viewport().width(), ROW_PX)
            self._paint_row(painter, rect, self.book.rows[place])

    @Slot()
    def _fold_again(self) -> None:
        at_end = self.verticalScrollBar().value() >= self.verticalScrollBar().maximum()
        if self.book.set_columns(self._columns()):
            self._picked = None
        self._set_range()
        if at_end:
            self.to_end()
        self.viewport().update()

    def _columns(self) -> int:
        return int((self.viewport().width() - 2 * SIDE_PX) / self._letter) - LEAD

    def _set_range(self) -> None:
        bar = self.verticalScrollBar()
        bar.setPageStep(self.viewport().height())
        bar.setRange(0, max(len(self.book.rows) * ROW_PX - self.viewport().height(), 0))

    def _number_at(self, y: float) -> int | None:
        place = int(y + self.verticalScrollBar().value()) // ROW_PX
        return self.book.rows[place].number if 0 <= place < len(self.book.rows) else None

    def _bring_in(self, place: int) -> None:
        bar, height = self.verticalScrollBar(), self.viewport().height()
        if not bar.value() <= place * ROW_PX <= bar.value() + height - ROW_PX:
            bar.setValue(place * ROW_PX - height // 2)

    def _paint_row(self, painter: QPainter, rect: QRectF, row: LogRow) -> None:
        entry = self.book.entry(row.number)
        if self._picked is not None and min(self._picked) <= row.number <= max(self._picked):
            painter.fillRect(rect, self._theme.color("accent-tint"))
        if row.begin == 0:
            self._write(painter, rect, 0, entry.time, "text-3")
            ink = LEVEL_INK.get(entry.level, "text-2")
            self._write(painter, rect, LEVEL_AT, entry.level, ink, bold=entry.level in LEVEL_INK)
        start = LEAD + (INDENT if row.begin else 0)
        self._write(painter, rect, start, entry.text[row.begin : row.end], "text" if entry.level else "text-2")
        for hit in self.book.hits_of(row.number):
            self._mark(painter, rect, start, row, hit)

    def _write(
        self, painter: QPainter, rect: QRectF, column: int, words: str, ink: ColorToken, *, bold: bool = False
    ) -> None:
        place = rect.adjusted(SIDE_PX + column * self._letter, 0, -4, 0)
        draw_text(painter, place, words, self._bold if bold else self._font, self._theme.color(ink))

    def _mark(self, painter: QPainter, rect: QRectF, start: int, row: LogRow, hit: Hit) -> None:
        begin, end = max(hit.begin, row.begin), min(hit.end, row.end)
        if begin >= end:
            return
        text = self.book.entry(row.number).text
        before = self._metrics.horizontalAdvance(text[row.begin : begin])
        left = rect.x() + SIDE_PX + start * self._letter + before
        words = text[begin:end]
        box = QRectF(left - 1, rect.y() + 1, self._metrics.horizontalAdvance(words) + 2, ROW_PX - 2)
        now = hit == self.current
        fill, line = ("accent", "accent") if now else ("warn-tint", "warn-line")
        frame_round(painter, box, self._theme.color(fill), self._theme.color(line), 1.5)
        inner = QRectF(left, rect.y(), box.width() + 8, rect.height())
        draw_text(painter, inner, words, self._font, self._theme.color("on-accent" if now else "text"))
