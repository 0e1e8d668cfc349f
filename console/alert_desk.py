"""Alerts in the window: notices, messages of the desktop, and the dot in the rail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from console.alert_notice import PAGE, PREFIX, AlertNotices, DesktopMessages
from console.shell.window import PROGRAM

if TYPE_CHECKING:
    from console.page_context import PageContext
    from console.shell.window import MainWindow


class AlertDesk(QObject):
    """From when it is made until `close`. A click on a message of the desktop opens the Live page."""

    def __init__(self, window: MainWindow, context: PageContext) -> None:
        super().__init__(window)
        self._window = window
        self._messages = self._desktop(context)
        self.notices = AlertNotices(window.notices.show_notice, window.notices.dismiss, self._messages, self)
        self.notices.calls_changed.connect(window.rail.item(PAGE).set_alert)
        window.notices.followed.connect(self._follow)
        window.page_shown.connect(self.notices.page_shown)
        self.notices.page_shown(window.current)
        self._board = context.bridge.mirror(context.house.alerts.board)
        self._board.changed.connect(self.notices.board_changed)
        self.notices.board_changed(self._board.value)

    def close(self) -> None:
        self._board.close()
        if self._messages is not None:
            self._messages.close()

    def _desktop(self, context: PageContext) -> DesktopMessages | None:
        if not context.house.settings.alerts.desktop_notice or not DesktopMessages.are_possible():
            return None
        messages = DesktopMessages(context.theme.icon("dabba", "accent", 24), PROGRAM, self)
        messages.clicked.connect(self._raise)
        return messages

    @Slot(str, str)
    def _follow(self, notice: str, link: str) -> None:
        if notice.startswith(PREFIX) and link == PAGE:
            self._window.show_page(PAGE)

    @Slot()
    def _raise(self) -> None:
        if self._window.isMinimized():
            self._window.showNormal()
        self._window.raise_()
        self._window.activateWindow()
        self._window.show_page(PAGE)
