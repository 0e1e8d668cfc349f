"""Fields: search with its shortcut, and a choice that can show a tenant's colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeySequence, QPainter, QPixmap, QShortcut
from PySide6.QtWidgets import QComboBox, QLineEdit, QListView, QWidget

from console.theme.fonts import ui_font
from console.widgets.painting import CENTER, dot, draw_text, frame_round, swatch, text_width
from console.widgets.restyle import set_look

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QKeyEvent, QPaintEvent

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken


def set_fault(field: QWidget, faulty: bool) -> None:
    """Gives a field the red border; put the sentence below it as a Label with role "fault"."""
    set_look(field, "fault", faulty)


class SearchField(QLineEdit):
    """A field with an icon at the left and, while it is empty, its shortcut at the right. Esc empties it."""

    def __init__(
        self, theme: Theme, placeholder: str, shortcut: str = "", *, icon: str = "search", small: bool = False,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._theme = theme
        self._icon = icon
        self._hint = shortcut.replace("+", " ")
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.setProperty("small", small)
        self.setTextMargins(22, 0, 0, 0)
        if shortcut:
            QShortcut(QKeySequence(shortcut), self, self._take_focus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        middle = self.height() / 2
        painter.drawPixmap(QPointF(8, middle - 7.5), self._theme.pixmap(self._icon, "text-3", 15, self))
        if self._hint and not self.text():
            self._paint_hint(painter, middle)

    def _paint_hint(self, painter: QPainter, middle: float) -> None:
        font = ui_font(11)
        width = text_width(self._hint, font) + 10
        box = QRectF(self.width() - width - 8, middle - 8, width, 16)
        frame_round(painter, box, self._theme.color("surface"), self._theme.color("line"), 3.5)
        draw_text(painter, box, self._hint, font, self._theme.color("text-3"), CENTER)

    def _take_focus(self) -> None:
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of a ComboBox. `series` (from 1) shows a tenant's colour, `icon` an icon instead, `dot` a state's."""

    key: str
    text: str
    series: int = 0
    icon: str = ""
    dot: ColorToken | None = None


class ComboBox(QComboBox):
    """`chosen(key)` is sent when a person chooses, not when code sets the choice."""

    chosen = Signal(str)

    def __init__(
        self, theme: Theme, choices: Sequence[Choice] = (), *, name: str = "", small: bool = False,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._theme = theme
        self._choices: tuple[Choice, ...] = ()
        self.setAccessibleName(name)
        self.setProperty("small", small)
        # Only a plain list view lets the style sheet set the height of its rows.
        self.setView(QListView(self))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.set_choices(choices)
        self.activated.connect(self._announce)
        theme.changed.connect(self._tint)

    @property
    def key(self) -> str:
        return str(self.currentData() or "")

    def set_choices(self, choices: Sequence[Choice]) -> None:
        """Replaces the entries and keeps the one that was chosen when it is still there."""
        if tuple(choices) == self._choices:
            return
        kept = self.key
        self._choices = tuple(choices)
        self.clear()
        # A square needs less room before its words than an icon.
        self.setIconSize(QSize(14 if any(choice.icon for choice in choices) else 10, 14))
        for choice in self._choices:
            self.addItem(choice.text, choice.key)
        self._tint()
        self.set_key(kept)

    def set_key(self, key: str) -> None:
        place = self.findData(key)
        if place >= 0:
            self.setCurrentIndex(place)

    def _announce(self) -> None:
        self.chosen.emit(self.key)

    def _tint(self) -> None:
        for place, choice in enumerate(self._choices):
            self.setItemIcon(place, self._icon_of(choice))

    def _icon_of(self, choice: Choice) -> QIcon:
        if choice.icon:
            return self._theme.icon(choice.icon, "text-2", 14)
        if choice.dot:
            color = self._theme.color(choice.dot)
            return _mark(lambda painter: dot(painter, 0, 7, color))
        series = choice.series
        return _mark(lambda painter: swatch(painter, 0, 7, self._theme.series_fill(series))) if series else QIcon()


def _mark(paint: Callable[[QPainter], None]) -> QIcon:
    """A small mark before the words of an entry."""
    pixmap = QPixmap(20, 28)
    pixmap.setDevicePixelRatio(2)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    paint(painter)
    painter.end()
    return QIcon(pixmap)
