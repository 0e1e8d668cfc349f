"""What a person does with alerts, and the newest board."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, cast

from PySide6.QtCore import QObject, Signal, Slot

from console.widgets.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.bridge.calls import Call, Work
    from console.bridge.loop_thread import LoopThread
    from engine_host.metrics.alert_board import AlertBoard
    from engine_host.published import Published
    from storage.alert_records import AlertEpisode

MUTES: Final = {"hour": timedelta(hours=1), "for good": None}


class Alerts(Protocol):
    """console/alert_watch.py."""

    @property
    def board(self) -> Published[AlertBoard]: ...
    async def acknowledge(self, alert_id: str) -> None: ...
    async def mute(self, rule: str, subject: str, lasts: timedelta | None) -> None: ...
    async def unmute(self, rule: str, subject: str) -> None: ...
    async def history(self) -> tuple[AlertEpisode, ...]: ...


class AlertPresenter(QObject):
    """`changed` brings another board, `history_read(episodes)` what was asked for with `read_history`."""

    changed = Signal()
    history_read = Signal(object)

    def __init__(
        self, bridge: LoopThread, alerts: Alerts, notify: Callable[[Notice], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._bridge, self._alerts, self._notify = bridge, alerts, notify
        self._mirror = bridge.mirror(alerts.board)
        self._mirror.changed.connect(self._board_changed)

    @property
    def board(self) -> AlertBoard:
        return cast("AlertBoard", self._mirror.value)

    def acknowledge(self, alert_id: str) -> None:
        self._do(partial(self._alerts.acknowledge, alert_id), "acknowledge an alert")

    def mute(self, rule: str, subject: str, choice: str) -> None:
        """`choice` is a key of MUTES."""
        self._do(partial(self._alerts.mute, rule, subject, MUTES[choice]), "mute an alert")

    def unmute(self, rule: str, subject: str) -> None:
        self._do(partial(self._alerts.unmute, rule, subject), "unmute an alert")

    def read_history(self) -> None:
        self._do(self._alerts.history, "history of alerts").done.connect(self._have_history)

    def _do(self, work: Work, name: str) -> Call:
        call = self._bridge.submit(work, name)
        call.failed.connect(self._failed)
        return call

    @Slot(object)
    def _board_changed(self, _board: object) -> None:
        self.changed.emit()

    @Slot(object)
    def _have_history(self, episodes: object) -> None:
        self.history_read.emit(episodes)

    @Slot(object)
    def _failed(self, error: object) -> None:
        self._notify(Notice("alerts", "error", str(error)))
