"""One reading of a span of the past, for the page, the exports and the report. Belongs to the loop."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from console.live.history_panels import Series, derive_panels
from engine_host.metrics.history import blocks_of, rows_between, wanted_step
from engine_host.metrics.history_figures import Slotted, edges_between
from storage.queries.engine_events import events_between
from storage.queries.metric_samples import engines_between
from storage.worker import run_once

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import tzinfo

    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

    from console.live.history_window import Span
    from storage.database import Database
    from storage.metric_records import MetricBlock
    from storage.records import EngineEvent

ALL = ""
"""Every engine together."""
MOST_EVENTS = 400


@dataclass(frozen=True, slots=True, eq=False)
class HistoryRead:
    """A number for each slot, between `edges` (epoch s), of each line of each panel.

    `engines` have samples in the span, `engine` is the one that was asked for, ALL = together. `gaps` are spans that
    nobody knows of any of them. `beside` is the span that it is compared with, `shift_s` earlier.
    """

    first: float
    last: float
    slot_s: int
    edges: NDArray[np.float64]
    engines: tuple[str, ...]
    engine: str
    panels: Mapping[str, Series]
    gaps: tuple[tuple[float, float], ...]
    events: tuple[EngineEvent, ...] = ()
    beside: HistoryRead | None = None
    shift_s: float = 0.0

    @property
    def times(self) -> NDArray[np.float64]:
        """The middle of each slot."""
        return (self.edges[:-1] + self.edges[1:]) / 2


@dataclass(frozen=True, slots=True)
class _Found:
    engines: tuple[str, ...]
    blocks: Mapping[str, tuple[MetricBlock, ...]]
    events: tuple[EngineEvent, ...]


async def read_history(
    database: Database, span: Span, engine: str, zone: tzinfo, now: float | None = None
) -> HistoryRead:
    """Raises StorageError."""
    moment = time.time() if now is None else now
    first, last = span.ends(moment)
    shift_s = span.shift_s(zone, moment)
    slot_s = span.slot_s(moment, shift_s or 0.0)
    read = await _read(database, first, last, slot_s, engine)
    if shift_s is None:
        return read
    beside = await _read(database, first - shift_s, last - shift_s, slot_s, engine)
    return replace(read, beside=beside, shift_s=shift_s)


async def _read(database: Database, first: float, last: float, slot_s: int, engine: str) -> HistoryRead:
    edges = edges_between(first, last, slot_s)
    found = await database.run(partial(_find, edges=edges, engine=engine))
    return await run_once("history", derive_read, found, edges, engine)


def _find(session: Session, edges: NDArray[np.float64], engine: str) -> _Found:
    first, last = float(edges[0]), float(edges[-1])
    begin, end = (datetime.fromtimestamp(moment, UTC) for moment in (first, last))
    engines = engines_between(session, begin, end)
    step_s = wanted_step(first, last, len(edges) - 1)
    asked = engines if engine == ALL else tuple(one for one in engines if one == engine)
    blocks = {one: blocks_of(session, one, first - step_s, last, step_s) for one in asked}
    return _Found(engines, blocks, events_between(session, begin, end, MOST_EVENTS))


def derive_read(found: _Found, edges: NDArray[np.float64], engine: str) -> HistoryRead:
    first, last, slot_s = float(edges[0]), float(edges[-1]), float(edges[1] - edges[0])
    slotted = [
        Slotted(rows, edges)
        for blocks in found.blocks.values()
        if len(rows := rows_between(blocks, first - 2 * slot_s, last))
    ]
    gaps = sorted({gap for one in slotted for gap in one.gaps if gap[1] > first and gap[0] < last})
    return HistoryRead(
        first=first,
        last=last,
        slot_s=round(slot_s),
        edges=edges,
        engines=found.engines,
        engine=engine,
        panels=derive_panels(slotted),
        gaps=tuple(gaps),
        events=found.events,
    )


async def opening_ms(database: Database, span: Span, engine: str, zone: tzinfo, now: float) -> float:
    """How long it takes until everything of a span is read and ready to be drawn, in ms: for `dabba bench live`."""
    began = time.perf_counter()
    await read_history(database, span, engine, zone, now)
    return (time.perf_counter() - began) * 1000
