"""The status strip as it is drawn, at the lower edge of the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.shell.strip import StripCell, StripState
from console.theme.fonts import ui_font
from console.widgets.painting import draw_text, text_width
from console.widgets.pill import HEIGHT as PILL_HEIGHT
from console.widgets.pill import paint_pill, pill_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken

HEIGHT: Final = 28
EDGE: Final = 10
GAP: Final = 12
WORD_GAP: Final = 4
GIVEN_UP: Final = ("gateway", "model", "tokens", "waiting")
"""Cells left out, in this order, when the window is too narrow for all."""


@dataclass(frozen=True, slots=True)
class Place:
    cell: StripCell
    left: float
    width: float


def cell_width(cell: StripCell) -> float:
    words = [text_width(text, ui_font(12, weight)) for text, weight in _runs(cell)]
    return sum(words) + WORD_GAP * (len(words) - 1)


def fitting(state: StripState, width: float) -> StripState:
    """`state` without the cells that must give way in `width` px."""
    for key in ("", *GIVEN_UP):
        state = StripState(state.pill, _without(state.left, key), _without(state.right, key))
        if _needed(state) <= width:
            break
    return state


def arrange(state: StripState, width: float) -> tuple[Place, ...]:
    """Where each cell stands: from the pill rightwards, and from the right edge leftwards."""
    places: list[Place] = []
    left = EDGE + pill_width(state.pill) + (GAP - 2 if state.left and state.left[0].key == "engine" else 2 * GAP + 1)
    for cell in state.left:
        places.append(Place(cell, left, cell_width(cell)))
        left += cell_width(cell) + 2 * GAP + 1
    right = width - EDGE - 2
    for cell in reversed(state.right):
        places.append(Place(cell, right - cell_width(cell), cell_width(cell)))
        right -= cell_width(cell) + 2 * GAP + 1
    return tuple(places)


class StripBar(QWidget):
    """Shows a StripState. `followed(cell key)` when a cell that leads somewhere is clicked."""

    followed = Signal(str)

    def __init__(self, theme: Theme, state: StripState, leads: frozenset[str], parent: QWidget | None = None) -> None:
        """`leads` are the keys of the cells that open something."""
        super().__init__(parent)
        self._theme = theme
        self._state = state
        self._leads = leads
        self.setFixedHeight(HEIGHT)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Status")
        self.setAccessibleDescription(state.text)
        theme.changed.connect(self.update)

    @property
    def state(self) -> StripState:
        return self._state

    def set_state(self, state: StripState) -> None:
        if state == self._state:
            return
        self._state = state
        self.setAccessibleDescription(state.text)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(640, HEIGHT)

    def cell_at(self, x: float) -> StripCell | None:
        for place in self._places():
            if place.left - GAP <= x <= place.left + place.width + GAP:
                return place.cell
        return None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position().x())
        leads = cell is not None and cell.key in self._leads
        self.setCursor(Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.unsetCursor()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position().x())
        if event.button() == Qt.MouseButton.LeftButton and cell is not None and cell.key in self._leads:
            self.followed.emit(cell.key)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("rail"))
        painter.fillRect(QRectF(0, 0, self.width(), 1), self._theme.color("line"))
        paint_pill(painter, self._theme, QPointF(EDGE, (HEIGHT - PILL_HEIGHT) / 2 + 0.5), self._state.pill)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        places = self._places()
        without_line = ("engine", self._first_right())
        for place in (place for place in places if place.cell.key not in without_line):
            painter.fillRect(QRectF(round(place.left - GAP - 1), 7, 1, 14), self._theme.color("line-strong"))
        for place in places:
            self._paint_cell(painter, place)

    def _first_right(self) -> str:
        state = fitting(self._state, self.width())
        return state.right[0].key if state.right else ""

    def _places(self) -> tuple[Place, ...]:
        return arrange(fitting(self._state, self.width()), self.width())

    def _paint_cell(self, painter: QPainter, place: Place) -> None:
        left = place.left
        for text, weight in _runs(place.cell):
            ink: ColorToken = place.cell.tone or ("text" if weight > 400 else "text-2")
            font = ui_font(12, weight)
            width = text_width(text, font)
            draw_text(painter, QRectF(left, 1, width + 2, HEIGHT), text, font, self._theme.color(ink))
            left += width + WORD_GAP


def _runs(cell: StripCell) -> tuple[tuple[str, int], ...]:
    parts = ((cell.before, 400), (cell.strong, 500), (cell.after, 400))
    return tuple(part for part in parts if part[0])


def _without(cells: Sequence[StripCell], key: str) -> tuple[StripCell, ...]:
    return tuple(cell for cell in cells if cell.key != key)


def _needed(state: StripState) -> float:
    cells = (*state.left, *state.right)
    return 2 * EDGE + pill_width(state.pill) + sum(cell_width(cell) + 2 * GAP + 1 for cell in cells)
