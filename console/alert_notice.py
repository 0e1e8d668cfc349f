"""Tells people at this desk when an alert begins to fire: our own notice, and the desktop's where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, cast

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QSystemTrayIcon

from console.widgets.notices import Notice, NoticeLink

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QIcon

    from engine_host.metrics.alert_board import ActiveAlert, AlertBoard

PREFIX: Final = "alert "
PAGE: Final = "live"
SHOWN_MS: Final = 10_000


class Desktop(Protocol):
    """Where the desktop shows messages."""

    def tell(self, title: str, text: str, *, severe: bool) -> None: ...


def notice_of(alert: ActiveAlert, *, named: bool) -> Notice:
    """`named`: there are several engines, so it says which one."""
    who = f"{alert.name}: " if named and alert.of_engine and alert.name else ""
    links = (NoticeLink(PAGE, "Open Live"),)
    return Notice(f"{PREFIX}{alert.alert_id}", alert.severity, f"{who}{alert.title}. {alert.said}", alert.do, links)


class AlertNotices(QObject):
    """`calls_changed(on)`: something fires that nobody has muted. `show` and `dismiss` are those of the notices.

    An alert is told once, when it begins to fire; one that fired before the program started is not told again. Its
    notice leaves when it clears or somebody acknowledges or mutes it, and while the page is open that shows it anyway.
    """

    calls_changed = Signal(bool)

    def __init__(
        self, show: Callable[[Notice], None], dismiss: Callable[[str], None], desktop: Desktop | None,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._show, self._dismiss, self._desktop = show, dismiss, desktop
        self._told: set[str] = set()
        self._shown: set[str] = set()
        self._faults: tuple[str, ...] = ()
        self._calls = False
        self._on_page = False

    @Slot(str)
    def page_shown(self, key: str) -> None:
        self._on_page = key == PAGE
        if self._on_page:
            self._take_back(set(self._shown))

    @Slot(object)
    def board_changed(self, board: object) -> None:
        board = cast("AlertBoard", board)
        self._tell_faults(board.faults)
        firing = {one.alert_id: one for one in board.firing}
        for alert_id, alert in firing.items():
            if alert_id not in self._told and not alert.resumed and alert.mute is None:
                self._tell(alert, named=board.engines > 1)
        self._told = set(firing)
        self._take_back({key for key in self._shown if key not in firing or _is_seen(firing[key])})
        calls = bool(board.calling)
        if calls != self._calls:
            self._calls = calls
            self.calls_changed.emit(calls)

    def _tell(self, alert: ActiveAlert, *, named: bool) -> None:
        notice = notice_of(alert, named=named)
        if not self._on_page:
            self._show(notice)
            self._shown.add(alert.alert_id)
        if self._desktop is not None:
            self._desktop.tell(notice.fact, notice.detail, severe=alert.severity == "error")

    def _take_back(self, alerts: set[str]) -> None:
        for alert_id in alerts:
            self._dismiss(f"{PREFIX}{alert_id}")
        self._shown -= alerts

    def _tell_faults(self, faults: tuple[str, ...]) -> None:
        """What is wrong with the alerts themselves is told once, for as long as it is the same."""
        for fault in faults:
            if fault not in self._faults:
                self._show(Notice("alerts fault", "warn", fault))
        if self._faults and not faults:
            self._dismiss("alerts fault")
        self._faults = faults


class DesktopMessages(QObject):
    """Messages of the desktop, by an icon beside its clock that is there from the first message on; `clicked()` on one.

    Only where `are_possible`.
    """

    clicked = Signal()

    def __init__(self, icon: QIcon, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tray = QSystemTrayIcon(icon, self)
        self._tray.setToolTip(name)
        self._tray.messageClicked.connect(self.clicked)
        self._tray.activated.connect(self._activated)

    @staticmethod
    def are_possible() -> bool:
        return QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()

    def tell(self, title: str, text: str, *, severe: bool) -> None:
        kinds = QSystemTrayIcon.MessageIcon
        self._tray.show()
        self._tray.showMessage(title, text, kinds.Critical if severe else kinds.Warning, SHOWN_MS)

    def close(self) -> None:
        self._tray.hide()

    @Slot(QSystemTrayIcon.ActivationReason)
    def _activated(self, _reason: QSystemTrayIcon.ActivationReason) -> None:
        self.clicked.emit()


def _is_seen(alert: ActiveAlert) -> bool:
    return alert.acknowledged_at is not None or alert.mute is not None
