"""A menu with round corners, its icons in the colours of the theme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.theme.style import Theme


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """An entry; `keys` such as "Ctrl+C" is only shown here, the page makes the shortcut. No text is a line."""

    key: str
    text: str = ""
    icon: str = ""
    keys: str = ""
    enabled: bool = True


class Menu(QMenu):
    """`chosen(key)`. Open it with `popup(global position)` or hand it to a button's setMenu."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, entries: Sequence[MenuEntry], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setWindowFlag(Qt.WindowType.FramelessWindowHint)
        self.setWindowFlag(Qt.WindowType.NoDropShadowWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        for entry in entries:
            self._add(entry)
        self.triggered.connect(self._tell)

    def _add(self, entry: MenuEntry) -> None:
        if not entry.text:
            self.addSeparator()
            return
        # A tab parts the words from the keys without making a second shortcut.
        keys = QKeySequence(entry.keys).toString(QKeySequence.SequenceFormat.NativeText)
        action = self.addAction(f"{entry.text}\t{keys}" if keys else entry.text)
        action.setData(entry.key)
        action.setEnabled(entry.enabled)
        if entry.icon:
            action.setIcon(self._theme.icon(entry.icon, "text-2", 15))

    @Slot(QAction)
    def _tell(self, action: QAction) -> None:
        self.chosen.emit(str(action.data()))
