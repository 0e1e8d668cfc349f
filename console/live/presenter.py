"""What a person does on the Live page, and the newest reading that it shows."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.live.pool_shown import derive_newest
from console.live.reading import LiveRead, LiveReader
from console.live.view import View
from console.widgets.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import tzinfo

    from console.bridge.calls import Call
    from console.bridge.loop_thread import LoopThread
    from console.live.reading import LiveHouse
    from engine_host.metrics.samples import MetricSample

QUIET_MS: Final = 1500
"""Without a sample for so long the page goes on by itself: the time axis moves and the gap grows."""
SEVERAL_MS: Final = 1000
"""The samples of several engines come at any moment of a second: the page takes them together."""
GLANCE_MS: Final = 500


class LivePresenter(QObject):
    """`changed` brings a new reading, `view_changed` another choice of what is seen, `paused_changed` the pause.

    `glanced`: between two readings newer samples came, of which gauges may be shown. Only when the settings say so.
    """

    changed = Signal()
    glanced = Signal()
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
        self._again = self._wanted = False
        self._ledger_fault = ""
        self._quiet = QTimer(self)
        self._quiet.setInterval(QUIET_MS)
        self._quiet.timeout.connect(self._beat)
        self._closer = house.settings.live.twice_a_second
        self._glancing: Call | None = None
        self._glances = QTimer(self)
        self._glances.setInterval(GLANCE_MS)
        self._glances.timeout.connect(self._glance)
        self._scraped = bridge.mirror(house.engines.seats[0].poller.latest)
        self._scraped.changed.connect(self._sampled)

    def open(self) -> None:
        self._shown = True
        self._beat()
        if self._closer:
            self._glances.start()

    def rest(self) -> None:
        """Nothing is read while nobody looks."""
        self._shown = False
        self._quiet.stop()
        self._glances.stop()

    def choose_window(self, seconds: str) -> None:
        self.view = replace(self.view, window_s=float(seconds))
        self.view_changed.emit()

    def choose_span(self, seconds: str) -> None:
        self.view = replace(self.view, span_s=float(seconds))
        self.view_changed.emit()

    def choose_engine(self, key: str) -> None:
        self._choose(replace(self.view, engine=key))

    def choose_latency(self, key: str) -> None:
        self._choose(replace(self.view, latency=key))

    def _choose(self, view: View) -> None:
        """What was read does not hold it: read at once, also while the page is paused or a reading is under way."""
        self.view = view
        self._again = True
        self._beat()

    def pause(self) -> None:
        """Hold what is shown, or go on with what came meanwhile."""
        self.paused = not self.paused
        self.paused_changed.emit()
        self._beat()

    def paused_words(self, zone: tzinfo) -> str:
        if not self.paused or self.read is None:
            return ""
        return f"paused at {datetime.fromtimestamp(self.read.now, zone):%H:%M:%S}"

    @property
    def _several(self) -> bool:
        return self.read is not None and len(self.read.engines) > 1

    @Slot(object)
    def _sampled(self, _scrape: object) -> None:
        if not self._several:
            self._beat()

    @Slot()
    def _beat(self) -> None:
        held = self.paused and not self._again
        if not self._shown or held or self._reading is not None:
            return
        self._wanted, self._again = self._again, False
        self._quiet.start(SEVERAL_MS if self._several else QUIET_MS)
        self._reading = self._bridge.submit(partial(self._reader.read, self.view), "live reading")
        self._reading.done.connect(self._have)
        self._reading.failed.connect(self._failed)
        self._reading.finished.connect(self._ended)

    @Slot(object)
    def _have(self, read: object) -> None:
        if self.paused and not self._wanted:
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
        if self._again:
            self._beat()

    @Slot()
    def _glance(self) -> None:
        if self.paused or self._glancing is not None:
            return
        self._glancing = self._bridge.submit(self._reader.glance, "live glance")
        self._glancing.done.connect(self._have_glance)
        self._glancing.failed.connect(self._failed)
        self._glancing.finished.connect(self._glance_ended)

    @Slot(object)
    def _have_glance(self, told: object) -> None:
        if self._shown and not self.paused and self.read is not None:
            self.read = derive_newest(self.read, cast("Mapping[str, MetricSample]", told), self.view.engine)
            self.glanced.emit()

    @Slot()
    def _glance_ended(self) -> None:
        self._glancing = None
