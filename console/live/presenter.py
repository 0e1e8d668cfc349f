"""What a person does on the Live page, and the newest reading that it shows."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.live.reading import LiveRead, LiveReader
from console.live.view import View
from console.widgets.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from console.bridge.calls import Call
    from console.bridge.loop_thread import LoopThread
    from console.live.reading import LiveHouse

QUIET_MS: Final = 1500
"""Without a sample for so long the page goes on by itself: the time axis moves and the gap grows."""


class LivePresenter(QObject):
    """`changed` brings a new reading, `view_changed` another choice of what is seen, `paused_changed` the pause."""

    changed = Signal()
    view_changed = Signal()
    paused_changed = Signal()

    def __init__(
        self, bridge: LoopThread, house: LiveHouse, notify: Callable[[Notice], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.read: LiveRead | None = None
        self.view = View()
        self.paused = False
        self._bridge = bridge
        self._notify = notify
        self._reader = LiveReader(house)
        self._reading: Call | None = None
        self._shown = False
        self._ledger_fault = ""
        self._quiet = QTimer(self)
        self._quiet.setInterval(QUIET_MS)
        self._quiet.timeout.connect(self._beat)
        self._scraped = bridge.mirror(house.poller.latest)
        self._scraped.changed.connect(self._sampled)

    def open(self) -> None:
        self._shown = True
        self._beat()

    def rest(self) -> None:
        """Nothing is read while nobody looks."""
        self._shown = False
        self._quiet.stop()

    def choose_window(self, seconds: str) -> None:
        self.view = replace(self.view, window_s=float(seconds))
        self.view_changed.emit()

    def choose_span(self, seconds: str) -> None:
        self.view = replace(self.view, span_s=float(seconds))
        self.view_changed.emit()

    def pause(self) -> None:
        """Hold what is shown, or go on with what came meanwhile."""
        self.paused = not self.paused
        self.paused_changed.emit()
        self._beat()

    def paused_words(self, zone: tzinfo) -> str:
        if not self.paused or self.read is None:
            return ""
        return f"paused at {datetime.fromtimestamp(self.read.now, zone):%H:%M:%S}"

    @Slot(object)
    def _sampled(self, _scrape: object) -> None:
        self._beat()

    @Slot()
    def _beat(self) -> None:
        if not self._shown or self.paused or self._reading is not None:
            return
        self._quiet.start()
        self._reading = self._bridge.submit(self._reader.read, "live reading")
        self._reading.done.connect(self._have)
        self._reading.failed.connect(self._failed)
        self._reading.finished.connect(self._ended)

    @Slot(object)
    def _have(self, read: object) -> None:
        if self.paused:
            return
        self.read = cast("LiveRead", read)
        if self.read.ledger_fault and self.read.ledger_fault != self._ledger_fault:
            self._notify(Notice("live ledger", "error", self.read.ledger_fault))
        self._ledger_fault = self.read.ledger_fault
        self.changed.emit()

    @Slot(object)
    def _failed(self, error: object) -> None:
        self._notify(Notice("live", "error", str(error)))

    @Slot()
    def _ended(self) -> None:
        self._reading = None
