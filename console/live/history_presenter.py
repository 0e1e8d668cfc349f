"""What a person chooses in the history, and the newest reading of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from time import time as now_s
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.live.compare_choice import chosen_day
from console.live.history_reading import ALL, HistoryRead, read_history
from console.live.history_window import Span
from console.widgets.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, time, tzinfo

    from console.bridge.calls import Call
    from console.bridge.loop_thread import LoopThread
    from storage.database import Database

AGAIN_MS: Final = 10_000
"""A span that ends now is read again so often: as often as new samples are kept."""


@dataclass(frozen=True, slots=True)
class HistoryState:
    """`engine` ALL = every engine together. `read` None = nothing was read yet; `reading` = another is under way."""

    span: Span = Span()  # noqa: RUF009 - frozen
    engine: str = ALL
    read: HistoryRead | None = None
    reading: bool = False


class HistoryPresenter(QObject):
    """`changed` follows every change of `state`."""

    changed = Signal()

    def __init__(
        self, bridge: LoopThread, database: Database, zone: tzinfo, notify: Callable[[Notice], None],
        clock: Callable[[], float] = now_s, parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.state = HistoryState()
        self.zone = zone
        self._bridge, self._database, self._notify, self._clock = bridge, database, notify, clock
        self._call: Call | None = None
        self._stale = False
        self._shown = False
        self._again = QTimer(self)
        self._again.setInterval(AGAIN_MS)
        self._again.timeout.connect(self._follow_now)

    @property
    def now(self) -> float:
        return self._clock()

    def open(self, engine: str | None = None) -> None:
        """Show it; `engine` None = the one that was chosen before."""
        self._shown = True
        self._again.start()
        self._look(self.state.span, self.state.engine if engine is None else engine)

    def rest(self) -> None:
        """Nothing is read while nobody looks."""
        self._shown = False
        self._again.stop()

    def choose_engine(self, engine: str) -> None:
        self._look(self.state.span, engine)

    def choose_length(self, seconds: str) -> None:
        self._look(replace(self.state.span, length_s=int(seconds)))

    def choose_begin(self, day: date, clock: time) -> None:
        self._look(self.state.span.of_day(day, clock, self.zone, self.now))

    def choose_compare(self, key: str) -> None:
        self._look(replace(self.state.span, against=chosen_day(key)))

    def move(self, lengths: int) -> None:
        self._look(self.state.span.moved(lengths, self.now))

    def to_now(self) -> None:
        self._look(self.state.span.until_now())

    def _look(self, span: Span, engine: str | None = None) -> None:
        self._set(span=span, engine=self.state.engine if engine is None else engine)
        self._read()

    @Slot()
    def _follow_now(self) -> None:
        if self.state.span.last is None:
            self._read()

    def _read(self) -> None:
        if not self._shown:
            return
        self._stale = self._call is not None
        if self._call is not None:
            return
        self._set(reading=True)
        work = partial(read_history, self._database, self.state.span, self.state.engine, self.zone, self.now)
        self._call = self._bridge.submit(work, "history")
        self._call.done.connect(self._have)
        self._call.failed.connect(self._failed)
        self._call.finished.connect(self._ended)

    @Slot(object)
    def _have(self, read: object) -> None:
        self._set(read=cast("HistoryRead", read))

    @Slot(object)
    def _failed(self, error: object) -> None:
        self._notify(Notice("live history", "error", str(error)))

    @Slot()
    def _ended(self) -> None:
        """What was chosen meanwhile is read now."""
        self._call = None
        if self._stale:
            self._read()
        else:
            self._set(reading=False)

    def _set(self, **changes: object) -> None:
        state = replace(self.state, **changes)  # pyright: ignore[reportArgumentType]
        if state != self.state:
            self.state = state
            self.changed.emit()
