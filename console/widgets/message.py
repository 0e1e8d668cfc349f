"""One message of a transcript, and the frame around the messages of one turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from console.theme.fonts import ui_font
from console.widgets.buttons import IconButton
from console.widgets.flow import FlowLayout
from console.widgets.growing_text import GrowingText
from console.widgets.label import Label
from console.widgets.message_blocks import CitationChip, StreamingCursor
from console.widgets.painting import CENTER, draw_text, frame_round
from console.widgets.restyle import set_look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from console.theme.style import Theme
    from console.widgets.label import Tone

MARK_PX = 24


@dataclass(frozen=True, slots=True)
class MessageHead:
    """`mark` is two letters, or "" for the bot's own mark. `meta` such as "Help, 2 sources"."""

    name: str
    mark: str = ""
    time: str = ""
    meta: str = ""


@dataclass(frozen=True, slots=True)
class MessageAction:
    key: str
    icon: str
    name: str


class MessageView(QWidget):
    """`cited(number)` is a click on a square or a chip, `acted(key)` one on an action at the right."""

    cited = Signal(int)
    acted = Signal(str)

    def __init__(
        self, theme: Theme, head: MessageHead, actions: Sequence[MessageAction] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._time = Label(head.time, "small", "text-3")
        self._meta = Label(head.meta, "small", "text-3")
        if not head.meta:
            self._meta.hide()
        self._actions: dict[str, IconButton] = {}
        self._text: GrowingText | None = None
        self._chips: FlowLayout | None = None
        self._cursor: StreamingCursor | None = None
        self._blocks = QVBoxLayout()
        self._blocks.setSpacing(7)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(_Mark(theme, head.mark), 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(1)
        column.addLayout(self._head_row(head, actions))
        column.addLayout(self._blocks)
        row.addLayout(column, 1)

    def append_text(self, text: str) -> None:
        """Adds at the end; nothing that stands there is touched."""
        self._open_text().append_text(text)

    def append_citation(self, number: int) -> None:
        self._open_text().append_citation(number)

    def add_source(self, number: int, source: str) -> None:
        """A chip below the text, beside the chips that follow each other."""
        chip = CitationChip(self._theme, number, source)
        chip.setProperty("number", number)
        chip.clicked.connect(self._cite_chip)
        if self._chips is None:
            holder = QWidget()
            self._chips = FlowLayout(holder)
            self._add(holder)
        self._chips.addWidget(chip)

    def add_block(self, block: QWidget) -> None:
        """A card or frame at the end; text that comes later starts below it."""
        self._text = self._chips = None
        self._add(block)

    def set_streaming(self, text: str) -> None:
        """Shows the cursor with these words at the end; "" takes it away. What is not there yet is not rated."""
        for button in self._actions.values():
            button.setVisible(not text)
        if text and self._cursor is None:
            self._cursor = StreamingCursor(self._theme, text)
            self._blocks.addWidget(self._cursor)
        elif text and self._cursor is not None:
            self._cursor.set_text(text)
        elif self._cursor is not None:
            self._cursor.hide()
            self._cursor.deleteLater()
            self._cursor = None

    def set_meta(self, meta: str, tone: Tone = "text-3") -> None:
        self._meta.setText(meta)
        self._meta.setVisible(bool(meta))
        self._meta.set_tone(tone)

    def set_time(self, time: str, tone: Tone = "text-3") -> None:
        self._time.setText(time)
        self._time.set_tone(tone)

    def set_action(self, key: str, *, on: bool) -> None:
        """Marks an action as chosen, such as a thumb."""
        self._actions[key].set_icon(self._actions[key].property("drawing"), "accent-ink" if on else "text-2")

    def _open_text(self) -> GrowingText:
        if self._text is None:
            self._text = GrowingText(self._theme)
            self._text.cited.connect(self.cited)
            self._chips = None
            self._add(self._text)
        return self._text

    def _add(self, block: QWidget) -> None:
        place = self._blocks.count() - (1 if self._cursor is not None else 0)
        self._blocks.insertWidget(place, block)

    def _head_row(self, head: MessageHead, actions: Sequence[MessageAction]) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(Label(head.name, "panel-title"))
        row.addWidget(self._meta)
        row.addWidget(self._time)
        row.addStretch(1)
        for action in actions:
            button = IconButton(self._theme, action.icon, action.name, px=14, box=22)
            button.setProperty("key", action.key)
            button.setProperty("drawing", action.icon)
            keeps = button.sizePolicy()
            keeps.setRetainSizeWhenHidden(True)
            button.setSizePolicy(keeps)
            button.clicked.connect(self._act)
            self._actions[action.key] = button
            row.addWidget(button)
        return row

    @Slot()
    def _act(self) -> None:
        self.acted.emit(str(self.sender().property("key")))

    @Slot()
    def _cite_chip(self) -> None:
        self.cited.emit(int(self.sender().property("number")))


class TurnFrame(QFrame):
    """The messages of one turn. The selected turn has a `canvas` fill and a bar in the accent."""

    clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._selected = False
        self.setProperty("fill", "surface")
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(20, 12, 20, 12)
        self.body.setSpacing(12)

    def set_selected(self, selected: bool) -> None:
        self._selected = selected
        set_look(self, "fill", "canvas" if selected else "surface")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.clicked.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._selected:
            painter = QPainter(self)
            painter.fillRect(QRectF(0, 0, 2, self.height()), self._theme.color("accent"))
            line = self._theme.color("line")
            painter.fillRect(QRectF(2, 0, self.width(), 1), line)
            painter.fillRect(QRectF(2, self.height() - 1, self.width(), 1), line)


class _Mark(QWidget):
    def __init__(self, theme: Theme, letters: str) -> None:
        super().__init__()
        self._theme = theme
        self._letters = letters
        self.setFixedSize(MARK_PX, MARK_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        rect = QRectF(self.rect())
        bot = not self._letters
        fill, line = ("accent-tint", "accent-line") if bot else ("sunken", "line")
        frame_round(painter, rect, self._theme.color(fill), self._theme.color(line), 5)
        if bot:
            painter.drawPixmap(5, 5, self._theme.pixmap("dabba", "accent", 14, self))
        else:
            draw_text(painter, rect, self._letters, ui_font(10, 600), self._theme.color("text-2"), CENTER)
