"""One reading of everything that the Live page shows. Made in the loop; what it gives is frozen."""

from __future__ import annotations

import time
from bisect import bisect_left
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, Protocol

from console.live.engine_reading import EngineReader
from console.live.ledger import NO_LEDGER, LedgerReader, LedgerRows
from console.live.pool_shown import derive_shown, runs_of
from console.live.view import ALL
from console.live.why_reading import WhyHouse, WhyRead, WhyReader
from engine_host.metrics.samples import MetricSample
from engine_host.metrics.slots import SlotLines, slot_lines
from storage.errors import StorageError
from storage.queries.engine_events import events_since
from storage.queries.engine_runs import engine_run_names
from storage.queries.tenants import all_tenants

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session

    from console.live.engine_reading import EngineRead, EngineSeat
    from console.live.tracks import EngineRows
    from console.live.view import View
    from engine_host.engine.state import EngineState
    from engine_host.metrics.slots import SlotSample
    from storage.database import Database
    from storage.records import EngineEvent, Tenant

HOUR: Final = timedelta(hours=1)
NO_SLOTS: Final = SlotLines((), (), ())
NO_WHY: Final = WhyRead()
TILES: Final = frozenset({"ttft", "inter_token"})
"""The histograms that are always shown."""


class LiveHouse(WhyHouse, Protocol):
    """The rooms that this page uses, out of console/house.py."""

    @property
    def database(self) -> Database: ...


@dataclass(frozen=True, slots=True)
class LiveRead:
    """`newest` is the last sample that came, None = none in the last hour. `max_seqs` None = not known.

    `slots`: what our own turns hold of the KV blocks; `why`: who holds which, and why turns were slow.
    `engine`, `rows`, `newest` and `max_seqs` are of the chosen engine, or of all of them added up; `engines` are all,
    each for itself. `ledger_fault` is a sentence when the ledger could not be read; the engine's side is shown all the
    same.
    """

    now: float
    engine: EngineState
    rows: EngineRows
    newest: MetricSample | None
    max_seqs: int | None
    ledger: LedgerRows = NO_LEDGER
    tenants: tuple[Tenant, ...] = ()
    events: tuple[EngineEvent, ...] = ()
    ledger_fault: str = ""
    engines: tuple[EngineRead, ...] = ()
    slots: SlotLines = NO_SLOTS
    why: WhyRead = NO_WHY


class LiveReader:
    """All methods belong to the loop."""

    def __init__(self, house: LiveHouse) -> None:
        self._house = house
        self._readers: dict[str, EngineReader] = {}
        self._ledger = LedgerReader(house.database)
        self._why = WhyReader(house)

    async def read(self, view: View) -> LiveRead:
        engines = [await self._reader(seat).read(TILES | {view.latency}) for seat in self._house.engines.seats]
        self._readers = {one.key: self._readers[one.key] for one in engines}
        now, shown = time.time(), derive_shown(engines, view.engine)
        told = LiveRead(now, shown.engine, shown.rows, shown.newest, shown.max_seqs, engines=tuple(engines))
        chosen = next((one for one in engines if one.key == view.engine), None)
        try:
            tenants, events, names = await self._house.database.run(_around)
            runs = None if chosen is None else runs_of(chosen.state, names)
            slots = slot_lines(self._slots_since(now - view.span_s), runs)
            ledger = await self._ledger.read(now, runs)
        except StorageError as error:
            return replace(told, ledger_fault=str(error))
        others = {one.name for one in engines if chosen is not None and one.name != chosen.name}
        seen = tuple(event for event in events if event.subject not in others)
        told = replace(told, ledger=ledger, tenants=tenants, events=seen, slots=slots)
        return replace(told, why=self._why.read(told, ALL if chosen is None else chosen.key))

    async def glance(self) -> Mapping[str, MetricSample]:
        """The newest sample of each engine by its key; until a moment after this they are read between the seconds."""
        for seat in self._house.engines.seats:
            seat.poller.look_closer()
        told = ((seat.key, seat.poller.newest) for seat in self._house.engines.seats)
        return {key: newest for key, newest in told if isinstance(newest, MetricSample)}

    def _slots_since(self, since: float) -> Sequence[SlotSample]:
        """And a few before, so that no line begins within the chart."""
        samples = self._house.slots.samples
        return samples[max(bisect_left(samples, since, key=lambda one: one.at) - 3, 0) :]

    def _reader(self, seat: EngineSeat) -> EngineReader:
        """Another session in the same place begins a new history."""
        known = self._readers.get(seat.key)
        if known is None or known.seat.session is not seat.session:
            known = self._readers[seat.key] = EngineReader(seat)
        return known


def _around(session: Session) -> tuple[tuple[Tenant, ...], tuple[EngineEvent, ...], dict[str, str]]:
    """What stands around the figures: tenants, what happened in the last hour, and the names of the engine runs."""
    return all_tenants(session), events_since(session, datetime.now(UTC) - HOUR), engine_run_names(session)
