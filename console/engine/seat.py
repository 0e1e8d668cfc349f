"""One engine of the pool as the page sees it: its state, its log, and what a person does to it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, Signal, Slot

from console.engine.log_feed import log_news
from engine_host.engine.errors import StartStopped
from engine_host.engine.state import EngineState, EngineStatus

if TYPE_CHECKING:
    from console.bridge.calls import Call
    from console.bridge.loop_thread import LoopThread
    from console.engine.log_feed import LogNews
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.session import EngineSession


@dataclass(frozen=True, slots=True)
class SeatView:
    """`number` is what the engine is called by, 1 the first one. `cancelling`: a stop was asked for and has not ended;
    `removing`: so was its end in the pool; `waiting`: another call of a person is on its way.
    """

    number: int
    engine: EngineState
    cancelling: bool = False
    waiting: bool = False
    removing: bool = False


class EngineSeat(QObject):
    """`changed(number)` follows every change of `state`; `logged(number, tuple of LogNews)` brings lines of its log;
    `settled(number)` comes when the engine took a step that changes what is true of this home."""

    changed = Signal(int)
    logged = Signal(int, tuple)
    settled = Signal(int)
    failed = Signal(object)

    def __init__(self, bridge: LoopThread, session: EngineSession, number: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.session = session
        self.number = number
        self._starting: Call | None = None
        self._began: float | None = None
        self._mirror = bridge.mirror(session.state)
        self.state = SeatView(number, cast("EngineState", self._mirror.value))
        self._note_begin(self.state.engine, seen_from_the_start=False)
        self._mirror.changed.connect(self._engine_changed)
        self._log = bridge.stream(lambda: log_news(session.log), f"engine log {number}")
        self._log.batch.connect(self._lines)

    @property
    def engine(self) -> EngineState:
        return self.state.engine

    @property
    def elapsed_s(self) -> float | None:
        """Seconds since the process of this start began; None while there is none."""
        return None if self._began is None else time.monotonic() - self._began

    def start(self, profile: EngineProfile) -> None:
        if self._starting is not None and self._starting.running:
            return
        self._starting = self._bridge.submit(lambda: self.session.start(profile), "start engine")
        self._starting.failed.connect(self._start_failed)
        self._starting.finished.connect(self._start_ended)

    def stop(self, drain_s: float | None = None) -> None:
        """Let answers finish within `drain_s` seconds (None = as the settings say), then end it; the second time at
        once. Cancels a start."""
        self._show(cancelling=True)
        if self._starting is not None and self._starting.running:
            self._starting.cancel()
            return
        self.run(lambda: self.session.stop(drain_s), "stop engine")

    def remove(self, work: Any) -> Call:
        """`work` takes it out of the pool; a start that is under way is given up first."""
        if self._starting is not None and self._starting.running:
            self._starting.cancel()
        self._show(removing=True)
        call = self.run(work, "remove engine")
        call.finished.connect(self._remove_ended)
        return call

    def close(self) -> None:
        """Hear no more of the engine."""
        self._mirror.close()
        self._log.cancel()

    def adopt(self) -> None:
        """Take the engine that an earlier start left in this place, or end what is left of it."""
        self.run(self.session.adopt, "take over engine")

    def sleep(self) -> None:
        self.run(self.session.sleep, "put engine to sleep")

    def wake(self) -> None:
        self.run(self.session.wake, "wake engine")

    def run(self, work: Any, name: str) -> Call:
        self._show(waiting=True)
        call = self._bridge.submit(work, name)
        call.failed.connect(self.failed)
        call.finished.connect(self._run_ended)
        return call

    @Slot(object)
    def _engine_changed(self, engine: EngineState) -> None:
        before = self.state.engine
        self._note_begin(engine, seen_from_the_start=before.status is EngineStatus.STARTING)
        self._show(engine=engine)
        same = engine.status is before.status or (engine.is_well and before.is_well)
        if not same and engine.status is not EngineStatus.STARTING:
            self.settled.emit(self.number)

    def _note_begin(self, engine: EngineState, *, seen_from_the_start: bool) -> None:
        """From when on this start counts: its process is made a moment after it was asked for."""
        if engine.status is not EngineStatus.STARTING:
            self._began = None
        elif engine.process_group is not None and self._began is None:
            asked_before = (datetime.now(UTC) - engine.since).total_seconds() if engine.since else 0.0
            self._began = time.monotonic() - (0.0 if seen_from_the_start else asked_before)

    @Slot(tuple)
    def _lines(self, news: tuple[LogNews, ...]) -> None:
        self.logged.emit(self.number, news)

    @Slot(object)
    def _start_failed(self, error: Exception) -> None:
        shown = cast("EngineState", self._mirror.newest()).status is EngineStatus.FAILED
        if not shown and not isinstance(error, StartStopped):
            self.failed.emit(error)

    @Slot()
    def _start_ended(self) -> None:
        self._starting = None
        self._show(cancelling=False)

    @Slot()
    def _run_ended(self) -> None:
        self._show(cancelling=False, waiting=False)
        self.settled.emit(self.number)

    @Slot()
    def _remove_ended(self) -> None:
        self._show(removing=False)

    def _show(self, **changes: Any) -> None:
        state = replace(self.state, **changes)
        if state != self.state:
            self.state = state
            self.changed.emit(self.number)
