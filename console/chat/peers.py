"""The settled turns that a turn is held against, read when they are wanted."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Signal, Slot

from console.chat.figures_shown import Peers, Route, derive_peers, route_of
from console.chat.why_calls import NOTHING_AROUND, Around, derive_why, read_around

if TYPE_CHECKING:
    from console.bridge.calls import Call
    from console.chat.tracked import TrackedTurn
    from console.page_context import PageContext


class PeersDesk(QObject):
    """`changed()` when peers are known that were asked for before; `failed(error)` with a sentence."""

    changed = Signal()
    failed = Signal(object)

    def __init__(self, context: PageContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._around: Around | None = None
        self._call: Call | None = None
        self._known: dict[tuple[str | None, Route], Peers | None] = {}

    def of(self, turn: TrackedTurn) -> Peers | None:
        """What turns of the same route took; None as long as that is not known, or when there are too few."""
        route = route_of(turn)
        if route is None:
            return None
        around = self._around
        if around is None:
            self._read()
            return None
        wanted = (turn.turn_id, route)
        if wanted not in self._known:
            peers = derive_peers(around.turns, route, turn.turn_id)
            why = derive_why(around, turn.turn_id, self._context.zone)
            self._known[wanted] = None if peers is None else replace(peers, why=why)
        return self._known[wanted]

    def forget(self) -> None:
        """A turn has ended: read again when someone asks the next time."""
        self._around = None

    def _read(self) -> None:
        if self._call is None:
            self._call = self._context.bridge.submit(partial(read_around, self._context.house), "peers")
            self._call.done.connect(self._have)
            self._call.failed.connect(self._cannot)

    @Slot(object)
    def _have(self, around: object) -> None:
        self._call = None
        self._around = cast("Around", around)
        self._known.clear()
        self.changed.emit()

    @Slot(object)
    def _cannot(self, error: object) -> None:
        self._call = None
        self._around = NOTHING_AROUND
        self.failed.emit(error)
