"""One alert: icon, title and time above, what is known and what can be done below; what to do when it is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.live.alert_shown import ACKNOWLEDGE, MUTE, OPEN, OPENS, AlertAction, AlertRow
from console.widgets.buttons import Button, Icon
from console.widgets.label import ElidedLabel, Label
from console.widgets.menu import Menu, MenuEntry
from console.widgets.paragraph import Paragraph

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent

    from console.theme.style import Theme

HOUR: Final = "hour"
FOR_GOOD: Final = "for good"
ENTRIES: Final = (MenuEntry(HOUR, "For an hour"), MenuEntry(FOR_GOOD, "For good"))
ICON_PX: Final = 15
LINE_PX: Final = 19


class AlertRowWidget(QWidget):
    """`acted(row, action key, choice)`: `choice` is how long to mute. Enter, Space or a click opens and closes it."""

    acted = Signal(object, str, str)

    def __init__(self, theme: Theme, row: AlertRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row = row
        self._actions: tuple[AlertAction, ...] = ()
        self._icon = Icon(theme, *row.icon, ICON_PX)
        self._title = ElidedLabel("", "name")
        self._when = Label("", "caption", "text-2")
        self._said = ElidedLabel("", "small", "text-2")
        self._state = Label("", "caption", "text-2")
        self._do = Paragraph(theme, px=12, line=17)
        self._open = Button(theme, "", "link", small=True)
        self._buttons = QHBoxLayout()
        self._more = QWidget()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._build()
        self._open.clicked.connect(self._open_page)
        theme.changed.connect(self.update)
        self._fill(row)

    @property
    def row(self) -> AlertRow:
        return self._row

    @property
    def opened(self) -> bool:
        return not self._more.isHidden()

    @property
    def stops(self) -> tuple[QWidget, ...]:
        """Where Tab stops in it, in order."""
        return (self, *self.buttons(), self._open)

    def buttons(self) -> tuple[Button, ...]:
        items = (self._buttons.itemAt(number) for number in range(self._buttons.count()))
        return tuple(item.widget() for item in items if item is not None)  # pyright: ignore[reportReturnType]

    def show_row(self, row: AlertRow) -> None:
        if row != self._row:
            self._fill(row)

    def toggle(self) -> None:
        if self._row.do:
            self._more.setVisible(not self.opened)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.toggle()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.toggle()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("focus"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -2))

    def _build(self) -> None:
        top, second = QHBoxLayout(), QHBoxLayout()
        for line in (top, second):
            line.setSpacing(8)
        top.addWidget(self._icon)
        top.addWidget(self._title, 1)
        top.addWidget(self._when)
        second.setContentsMargins(ICON_PX + 8, 0, 0, 0)
        second.addStrut(LINE_PX)
        second.addWidget(self._said, 1)
        second.addWidget(self._state)
        self._buttons.setSpacing(10)
        second.addLayout(self._buttons)
        more = QVBoxLayout(self._more)
        more.setContentsMargins(ICON_PX + 8, 2, 0, 2)
        more.setSpacing(2)
        more.addWidget(self._do)
        more.addWidget(self._open, 0, Qt.AlignmentFlag.AlignLeft)
        self._more.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 12, 7)
        column.setSpacing(1)
        column.addLayout(top)
        column.addLayout(second)
        column.addWidget(self._more)

    def _fill(self, row: AlertRow) -> None:
        self._row = row
        self._icon.set_icon(*row.icon)
        self._title.setText(row.title)
        self._when.setText(row.when)
        self._said.setText(row.said)
        self._state.setText(row.state)
        self._state.setVisible(bool(row.state))
        self._do.set_text(row.do, "text-2")
        self._open.setText(OPENS.get(row.opens, ""))
        self._open.setVisible(bool(row.opens))
        self.setAccessibleName(row.words)
        self.setAccessibleDescription(row.do)
        if not row.do:
            self._more.hide()
        if row.actions != self._actions:
            self._set_actions(row.actions)

    def _set_actions(self, actions: tuple[AlertAction, ...]) -> None:
        self._actions = actions
        for button in self.buttons():
            self._buttons.removeWidget(button)
            button.hide()
            button.deleteLater()
        for action in actions:
            self._buttons.addWidget(self._button(action))

    def _button(self, action: AlertAction) -> Button:
        button = Button(self._theme, action.text, "link" if action.key in (ACKNOWLEDGE, OPEN) else "quiet", small=True)
        button.setFixedHeight(LINE_PX)
        button.setAccessibleDescription(self._row.title)
        button.setProperty("action", action.key)
        if action.key == MUTE:
            menu = Menu(self._theme, ENTRIES, button)
            menu.chosen.connect(self._mute)
            button.setMenu(menu)
        else:
            button.clicked.connect(self._act)
        return button

    @Slot()
    def _act(self) -> None:
        self.acted.emit(self._row, str(self.sender().property("action")), "")

    @Slot(str)
    def _mute(self, choice: str) -> None:
        self.acted.emit(self._row, MUTE, choice)

    @Slot()
    def _open_page(self) -> None:
        self.acted.emit(self._row, OPEN, "")
