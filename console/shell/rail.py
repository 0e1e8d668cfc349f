"""The navigation rail at the left edge of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFrame, QVBoxLayout, QWidget

from console.theme.fonts import ui_font
from console.widgets.buttons import Icon
from console.widgets.painting import CENTER, draw_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QEnterEvent, QPaintEvent

    from console.shell.pages import PageEntry
    from console.theme.style import Theme
    from console.theme.tokens import ColorToken

WIDTH: Final = 56
ITEM_HEIGHT: Final = 50
LOGO_HEIGHT: Final = 52
SWITCH_HEIGHT: Final = 46
ICON_PX: Final = 20


class RailItem(QAbstractButton):
    """An icon over a label; without a label the icon stands in the middle."""

    def __init__(self, theme: Theme, icon: str, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon = icon
        self._alert = False
        self.setText(label)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFixedSize(WIDTH - 1, ITEM_HEIGHT if label else SWITCH_HEIGHT)
        theme.changed.connect(self.update)

    @property
    def icon_name(self) -> str:
        return self._icon

    @property
    def alert(self) -> bool:
        return self._alert

    def set_icon(self, icon: str) -> None:
        self._icon = icon
        self.update()

    def set_alert(self, on: bool) -> None:
        """A red dot beside the icon."""
        self._alert = on
        self.setAccessibleDescription("An alert is firing" if on else "")
        self.update()

    def sizeHint(self) -> QSize:
        return self.size()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._paint_ground(painter)
        ink = self._ink()
        top = 7 if self.text() else (self.height() - ICON_PX) // 2
        left = (WIDTH - ICON_PX) // 2
        painter.drawPixmap(left, top, self._theme.pixmap(self._icon, ink, ICON_PX, self))
        if self.text():
            words = QRectF(0, 30, self.width(), 14)
            draw_text(painter, words, self.text(), ui_font(10, 500), self._theme.color(ink), CENTER)
        if self._alert:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.color("rail"), 1))
            painter.setBrush(self._theme.color("error"))
            painter.drawEllipse(QPointF(left + ICON_PX - 2, top + 3), 4.5, 4.5)

    def _paint_ground(self, painter: QPainter) -> None:
        if self.isChecked():
            painter.fillRect(self.rect(), self._theme.color("accent-tint"))
            painter.fillRect(QRect(0, 0, 2, self.height()), self._theme.color("accent"))
        elif self.isEnabled() and (self.underMouse() or self.isDown()):
            painter.fillRect(self.rect(), self._theme.color("pressed" if self.isDown() else "hover"))
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("focus"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def _ink(self) -> ColorToken:
        if not self.isEnabled():
            return "disabled"
        return "accent-ink" if self.isChecked() else "text-2"


class Rail(QFrame):
    """`chosen(page key)` when a person picks a page, `theme_asked()` for the sun or the moon."""

    chosen = Signal(str)
    theme_asked = Signal()

    def __init__(self, theme: Theme, entries: Sequence[PageEntry], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._group = QButtonGroup(self)
        # In the order of the Tab key: pages from the top, the switch, pages at the foot.
        heads, feet = [e for e in entries if not e.at_foot], [e for e in entries if e.at_foot]
        numbers = {entry.key: number for number, entry in enumerate(entries, start=1)}
        self._items = {entry.key: self._make_item(entry, numbers[entry.key]) for entry in heads}
        self._switch = RailItem(theme, "moon", "", self)
        self._items |= {entry.key: self._make_item(entry, numbers[entry.key]) for entry in feet}
        self.setProperty("fill", "rail")
        self.setProperty("edge", "right")
        self.setFixedWidth(WIDTH)
        self._build(entries)
        self._name_switch()
        theme.changed.connect(self._name_switch)
        self._switch.clicked.connect(self.theme_asked)

    def item(self, key: str) -> RailItem:
        return self._items[key]

    @property
    def theme_switch(self) -> RailItem:
        return self._switch

    def mark_current(self, key: str) -> None:
        self._items[key].setChecked(True)

    def set_pages_enabled(self, on: bool) -> None:
        """Off during set-up; the theme switch stays."""
        for item in self._items.values():
            item.setEnabled(on)

    def clear_current(self) -> None:
        self._group.setExclusive(False)
        for item in self._items.values():
            item.setChecked(False)
        self._group.setExclusive(True)

    def _build(self, entries: Sequence[PageEntry]) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(0)
        logo = QWidget(self)
        logo.setFixedSize(WIDTH - 1, LOGO_HEIGHT)
        Icon(self._theme, "dabba", "accent", 24, logo).move((WIDTH - 24) // 2, 14)
        column.addWidget(logo)
        for entry in entries:
            if not entry.at_foot:
                column.addWidget(self._items[entry.key])
        column.addStretch(1)
        column.addWidget(self._switch)
        for entry in entries:
            if entry.at_foot:
                column.addWidget(self._items[entry.key])

    def _make_item(self, entry: PageEntry, number: int) -> RailItem:
        item = RailItem(self._theme, entry.icon, entry.title, self)
        item.setCheckable(True)
        item.setProperty("page", entry.key)
        item.setToolTip(f"{entry.title} (Ctrl+{number})")
        item.clicked.connect(self._clicked)
        self._group.addButton(item)
        return item

    @Slot()
    def _clicked(self) -> None:
        self.chosen.emit(str(self.sender().property("page")))

    @Slot()
    def _name_switch(self) -> None:
        dark = self._theme.name == "dark"
        self._switch.set_icon("sun" if dark else "moon")
        name = "Light theme" if dark else "Dark theme"
        self._switch.setToolTip(name)
        self._switch.setAccessibleName(name)
