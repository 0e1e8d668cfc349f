"""Cards and panels: the white surfaces on which everything else lies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from console.widgets.buttons import IconButton
from console.widgets.help_popup import HelpPopup
from console.widgets.label import ElidedLabel, Label, divider
from console.widgets.restyle import set_look

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from console.theme.style import Theme
    from console.widgets.label import Tone

CardLook = Literal["true", "alert", "strong", "error", "warn", "control", "none"]


class Card(QFrame):
    """`surface` with a 1-px line and radius 8. Put things into `body`, a vertical layout."""

    def __init__(self, *, padding: int = 12, look: CardLook = "true", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", look)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(padding, padding, padding, padding)
        self.body.setSpacing(8)

    def set_look(self, look: CardLook) -> None:
        set_look(self, "card", look)


class DashedCard(Card):
    """A dashed frame without a fill. Drawn here: the dashes of a style sheet are dots at one px."""

    def __init__(self, theme: Theme, *, padding: int = 12, parent: QWidget | None = None) -> None:
        super().__init__(padding=padding, look="none", parent=parent)
        self._frame_theme = theme
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(self._frame_theme.color("control"), 1)
        pen.setDashPattern([3, 2])
        painter.setPen(pen)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)


class Panel(Card):
    """A card with a header of 34 px: title, unit, then at the right a value, your actions, help and full screen.

    `help_text` is what "What is this?" says: the definition, its source, what a high or low figure means.
    """

    expand_asked = Signal()

    def __init__(
        self, theme: Theme, title: str, unit: str = "", *, help_text: str = "", expandable: bool = False,
        padding: int = 12, ruled: bool = False, parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(padding=0, parent=parent)
        self._theme = theme
        self._title = Label(title, "panel-title")
        self._unit = ElidedLabel(unit, "unit")
        self._value = Label("", "small")
        self._header = self._build_header(title, help_text, expandable=expandable)
        outer = self.body
        outer.setSpacing(0)
        outer.addWidget(self._header)
        if ruled:
            outer.addWidget(divider())
        self.body = QVBoxLayout()
        self.body.setContentsMargins(padding, 0 if not ruled else padding, padding, padding)
        self.body.setSpacing(8)
        outer.addLayout(self.body, 1)

    def set_title(self, title: str) -> None:
        self._title.setText(title)

    def set_unit(self, unit: str) -> None:
        if unit != self._unit.text():
            self._unit.setText(unit)
            self._unit.updateGeometry()

    def set_value(self, value: str, tone: Tone = "") -> None:
        """The figure at the right of the header, such as "at 12:43:20"."""
        self._value.setText(value)
        self._value.set_tone(tone)

    def lead_with(self, widget: QWidget) -> None:
        """Puts an icon or a tenant's square before the title."""
        self._row.insertWidget(0, widget)

    def add_after_title(self, widget: QWidget) -> None:
        self._row.insertWidget(self._row.indexOf(self._unit), widget)

    def add_action(self, widget: QWidget) -> None:
        """Adds a control at the right, before help and full screen."""
        self._actions.addWidget(widget)

    def _build_header(self, title: str, help_text: str, *, expandable: bool) -> QWidget:
        header = QWidget()
        header.setFixedHeight(34)
        self._row = QHBoxLayout(header)
        self._row.setContentsMargins(12, 0, 10, 0)
        self._row.setSpacing(7)
        self._row.addWidget(self._title)
        self._unit.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._row.addWidget(self._unit, 1)
        self._row.addWidget(self._value)
        self._actions = QHBoxLayout()
        self._actions.setSpacing(8)
        self._row.addLayout(self._actions)
        marks = QHBoxLayout()
        marks.setSpacing(2)
        if help_text:
            marks.addWidget(help_button(self._theme, title, help_text))
        if expandable:
            button = IconButton(self._theme, "expand", f"Show {title} full screen", px=13, box=18)
            button.clicked.connect(self.expand_asked)
            marks.addWidget(button)
        self._row.addLayout(marks)
        return header


def help_button(theme: Theme, subject: str, text: str) -> IconButton:
    """The question mark that opens "What is this?" below itself."""
    button = IconButton(theme, "help", "What is this?", px=14, box=18)
    button.setAccessibleDescription(subject)
    popup = HelpPopup(theme, text, button)
    button.clicked.connect(popup.open_below)
    button.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
    return button
