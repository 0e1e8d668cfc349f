"""The turns of one conversation under each other. New ones are added at the end; nothing that stands is made again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from console.chat.turn_item import TurnItem
from console.widgets.buttons import Button, Icon
from console.widgets.label import Label

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from console.chat.tracked import TrackedTurn
    from console.theme.style import Theme

PAGE: Final = 8
"""Turns that are built at once; older ones when someone asks for them."""
ABOVE: Final = 2
"""Widgets above the first turn: the button for earlier ones, and what an empty conversation says."""
EMPTY: Final = "Type a question below as any customer."


class Transcript(QScrollArea):
    """`picked(turn)`, `acted(turn, action)`, `cited(turn, number)`. It follows its end unless a person scrolled up."""

    picked = Signal(str)
    acted = Signal(str, str)
    cited = Signal(str, int)

    def __init__(self, theme: Theme, zone: tzinfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._zone = zone
        self._items: list[TurnItem] = []
        self._turns: tuple[TrackedTurn, ...] = ()
        self._first = 0
        self._picked = ""
        self._following = True
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._inner = QWidget()
        self._inner.setProperty("scrolled", True)
        self._column = QVBoxLayout(self._inner)
        self._column.setContentsMargins(0, 0, 0, 12)
        self._column.setSpacing(0)
        self._earlier = Button(theme, "Show earlier turns", "quiet", small=True)
        self._earlier.clicked.connect(self._show_earlier)
        self._column.addWidget(self._earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        self._empty = _nothing(theme)
        self._column.addWidget(self._empty, 100)
        self._column.addStretch(1)
        self.setWidget(self._inner)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._grown)
        bar.valueChanged.connect(self._moved)

    @property
    def items(self) -> tuple[TurnItem, ...]:
        return tuple(self._items)

    def show_thread(self, turns: Sequence[TrackedTurn], picked: str, elapsed_s: float | None) -> None:
        """Another conversation: what stood here is taken away."""
        self._following = True
        self._clear()
        self.show_turns(turns, picked, elapsed_s)

    def show_turns(self, turns: Sequence[TrackedTurn], picked: str, elapsed_s: float | None) -> None:
        """The same conversation, grown. `elapsed_s` is of the turn that is running."""
        self._turns = tuple(turns)
        if not self._continues(self._turns[self._first :]):
            self._clear()
        if not self._items:
            self._first = max(len(self._turns) - PAGE, 0)
        shown = self._turns[self._first :]
        for item, turn in zip(self._items, shown, strict=False):
            if turn is not item.turn:
                item.show_turn(turn, elapsed_s if turn.running else None)
        for turn in shown[len(self._items) :]:
            self._insert(turn, len(self._items), elapsed_s)
            self._following = self._following or turn.running
        self._earlier.setVisible(self._first > 0)
        self._empty.setVisible(not self._turns)
        self.mark(picked)

    def show_time(self, elapsed_s: float) -> None:
        for item in self._items:
            if item.turn.running:
                item.show_time(elapsed_s)

    def mark(self, picked: str) -> None:
        """Show which turn the inspector is about."""
        self._picked = picked
        for item in self._items:
            item.set_selected(item.key == picked)

    def _continues(self, turns: Sequence[TrackedTurn]) -> bool:
        return len(turns) >= len(self._items) and all(
            turn is item.turn or item.grows_into(turn) for item, turn in zip(self._items, turns, strict=False)
        )

    def _insert(self, turn: TrackedTurn, place: int, elapsed_s: float | None) -> None:
        item = TurnItem(self._theme, turn, self._zone)
        item.show_time(elapsed_s if turn.running else None)
        item.picked.connect(self.picked)
        item.acted.connect(self.acted)
        item.cited.connect(self.cited)
        self._column.insertWidget(ABOVE + place, item)
        self._items.insert(place, item)

    def _clear(self) -> None:
        for item in self._items:
            item.hide()
            item.deleteLater()
        self._items.clear()

    @Slot()
    def _show_earlier(self) -> None:
        """Build a page of older turns above those that stand, which stay."""
        self._following = False
        first = max(self._first - PAGE, 0)
        for place, turn in enumerate(self._turns[first : self._first]):
            self._insert(turn, place, None)
        self._first = first
        self._earlier.setVisible(self._first > 0)
        self.mark(self._picked)

    @Slot(int, int)
    def _grown(self, _least: int, _most: int) -> None:
        if self._following:
            # The bar learns its new end only after this signal.
            QTimer.singleShot(0, self, self._to_end)

    @Slot()
    def _to_end(self) -> None:
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    @Slot(int)
    def _moved(self, value: int) -> None:
        self._following = value >= self.verticalScrollBar().maximum() - 8


def _nothing(theme: Theme) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setSpacing(10)
    column.addStretch(1)
    for widget in (Icon(theme, "chat", "text-3", 20), Label(EMPTY, "body", "text-2")):
        column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
    column.addStretch(1)
    return holder
