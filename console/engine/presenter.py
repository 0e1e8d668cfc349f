"""What a person does with the engines of this home, and the one frozen state of them that the page shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import Signal, Slot

from console.engine.further import FurtherRooms, add_hosted, attach_beside, attach_first, remove
from console.engine.home_facts import HomeFacts, read_facts
from console.engine.seat import EngineSeat, SeatView
from console.widgets.notices import Notice
from console.widgets.presenter import Presenter
from engine_host.engine.left_behind import end_left
from engine_host.engine.pool_crew import profile_of
from engine_host.engine.start_times import StartTimes, last_start
from engine_host.engine.state import EngineState, EngineStatus
from storage.settings_room import change_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from console.bridge.calls import Call
    from console.bridge.loop_thread import LoopThread
    from console.widgets.attach_dialog import AttachWish
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.session import EngineSession
    from engine_host.engine.state import Change
    from storage.database import Database
    from storage.settings import Settings

FIRST = 1
"""The number of the house's own engine."""
AT_REST = (EngineStatus.NONE, EngineStatus.STOPPED, EngineStatus.FAILED)


class EngineHouse(FurtherRooms, Protocol):
    """The rooms that this page uses, out of console/house.py."""

    @property
    def settings(self) -> Settings: ...
    @property
    def database(self) -> Database: ...


@dataclass(frozen=True, slots=True)
class EngineView:
    """`seats` are the engines of the pool, the house's own first; `chosen` is the number of the one that is shown."""

    seats: tuple[SeatView, ...]
    chosen: int = FIRST
    facts: HomeFacts | None = None

    @property
    def engine(self) -> EngineState:
        return self.seat.engine

    @property
    def seat(self) -> SeatView:
        return next(one for one in self.seats if one.number == self.chosen)

    @property
    def engines(self) -> tuple[EngineState, ...]:
        return tuple(one.engine for one in self.seats)

    @property
    def numbered(self) -> tuple[tuple[int, EngineState], ...]:
        return tuple((one.number, one.engine) for one in self.seats)

    @property
    def on_gpu(self) -> bool:
        return self.facts.on_gpu if self.facts else False

    def last(self, profile: EngineProfile) -> StartTimes | None:
        """The start before the one that is shown, of the same kind."""
        starts = self.facts.starts if self.facts else ()
        model = self.engine.model or profile.model.name
        return last_start(starts, model, eager=profile.enforce_eager, besides=self.engine.run)


class EnginePresenter(Presenter["EngineView"]):
    """`changed` follows every change of `state`; `logged(number, tuple of LogNews)` brings lines of an engine's log;
    `left(number)` tells that it is none of the pool any more."""

    logged = Signal(int, tuple)
    left = Signal(int)

    def __init__(self, bridge: LoopThread, house: EngineHouse, notify: Callable[[Notice], None]) -> None:
        super().__init__()
        self._bridge, self._house, self._notify = bridge, house, notify
        self._seats: list[EngineSeat] = []
        for session in house.engines.sessions:
            self._sit(session)
        self.state = EngineView(tuple(one.state for one in self._seats))
        self.refresh_facts()

    @property
    def seat(self) -> EngineSeat:
        """The engine that is shown."""
        return next(one for one in self._seats if one.number == self.state.chosen)

    @property
    def drain_s(self) -> float:
        return self._house.engine.settings.engine.drain_s

    def refresh_facts(self) -> None:
        house = self._house
        call = self._bridge.submit(lambda: read_facts(house.home, house.engine.settings), "engine facts")
        call.done.connect(self._facts_read)
        call.failed.connect(self._told)

    # What a person does

    def choose(self, number: int) -> None:
        if self._seat_of(number) is not None:
            self._show(chosen=number)

    def start(self, profile: EngineProfile) -> None:
        """Start the engine that is shown; a further one under a name of its own."""
        self.seat.start(profile_of(self.state.chosen, profile))

    def start_another(self, profile: EngineProfile) -> None:
        """One more beside those that are there; the settings keep it, so that it starts with the console."""
        self._wanted = profile
        call = self._bridge.submit(lambda: add_hosted(self._house), "start another engine")
        call.failed.connect(self._told)
        call.done.connect(self._start_added)

    def attach(self, wish: AttachWish) -> Call:
        """To the first place while it is free, else beside the others. The caller shows how it ended.

        `done` brings what was found.
        """
        free = self._seats[0].engine.status in AT_REST
        attach = attach_first if free else attach_beside
        call = self._bridge.submit(lambda: attach(self._house, wish), "attach engine")
        call.finished.connect(self._seat_all)
        return call

    def remove(self, number: int) -> None:
        """Out of the pool once its answers have ended, and out of the settings. Nothing for the first engine."""
        seat = self._seat_of(number)
        if seat is not None and number != FIRST and not seat.state.removing:
            seat.remove(lambda: remove(self._house, seat.session)).finished.connect(self._seat_all)

    def detach(self) -> None:
        seat = self.seat
        seat.run(lambda: self._house.engines.crew.detach(seat.session), "detach engine")

    def end_left(self, run: str) -> None:
        """End an engine that an earlier run left, by its id."""
        call = self._bridge.submit(lambda: end_left(self._house.home, run), "end engine")
        call.failed.connect(self._told)
        call.finished.connect(self.refresh_facts)

    def adopt(self, slot: str) -> None:
        """Take into use the engine that runs in this place of the home."""
        seat = next((one for one in self._seats if one.session.slot == slot), None)
        if seat is not None:
            self.choose(seat.number)
            seat.adopt()

    def change_settings(self, changes: Mapping[str, Change], then: Callable[[object], None]) -> None:
        """Set options of [engine] that are none of a profile; `then` is called when they are written."""
        call = self._write(lambda kept: kept.model_copy(update=dict(changes)))
        call.done.connect(then)

    @Slot(object)
    def settings_changed(self, settings: Settings) -> None:
        """Every engine of the house hears of it."""
        for seat in self._seats:
            seat.session.settings = settings

    # What comes back

    @Slot(object)
    def _start_added(self, session: EngineSession) -> None:
        self._seat_all()
        self.choose(self._house.engines.number_of(session))
        self.start(self._wanted)

    @Slot()
    def _seat_all(self) -> None:
        """A seat for each engine that is in the pool now."""
        sessions = self._house.engines.sessions
        known = {id(one.session) for one in self._seats}
        for session in sessions:
            if id(session) not in known:
                self._sit(session)
        gone = [one for one in self._seats if one.session not in sessions]
        self._seats = [one for one in self._seats if one not in gone]
        chosen = self.state.chosen if self._seat_of(self.state.chosen) else FIRST
        self._show(seats=tuple(one.state for one in self._seats), chosen=chosen)
        for seat in gone:
            seat.close()
            seat.deleteLater()
            self.left.emit(seat.number)

    def _seat_of(self, number: int) -> EngineSeat | None:
        return next((one for one in self._seats if one.number == number), None)

    def _sit(self, session: Any) -> None:
        seat = EngineSeat(self._bridge, session, self._house.engines.number_of(session), self)
        self._seats.append(seat)
        seat.changed.connect(self._seat_changed)
        seat.logged.connect(self.logged)
        seat.settled.connect(self._settled)
        seat.failed.connect(self._told)

    @Slot(int)
    def _seat_changed(self, _number: int) -> None:
        self._show(seats=tuple(one.state for one in self._seats))

    @Slot(int)
    def _settled(self, _number: int) -> None:
        self.refresh_facts()

    @Slot(object)
    def _facts_read(self, facts: HomeFacts) -> None:
        self._show(facts=facts)

    @Slot(object)
    def _told(self, error: Exception) -> None:
        self._notify(Notice("engine", "error", str(error)))

    def _write(self, change: Callable[[Any], Any]) -> Call:
        home = self._house.home
        work = change_settings(home, lambda kept: kept.model_copy(update={"engine": change(kept.engine)}))
        call = self._bridge.submit(work, "change engine settings")
        call.done.connect(self.settings_changed)
        call.failed.connect(self._told)
        return call
