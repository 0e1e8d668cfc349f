"""What stands around a turn: the turns it is held against, what the engines did, and why it was slow."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from console.chat.ledger_calls import read_recent
from engine_host.engine.run_file import read_run_file
from engine_host.metrics.why_detail import Known, explain
from engine_host.metrics.why_told import Cause
from engine_host.metrics.why_turn import seen_of
from storage.queries.engine_events import events_since
from storage.queries.tenants import all_tenants

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, tzinfo

    from sqlalchemy.orm import Session

    from console.house import House
    from engine_host.answering.under_way import TurnUnderWay
    from engine_host.metrics.samples import Scrape
    from engine_host.metrics.why_turn import TurnSeen
    from storage.records import EngineEvent, Tenant, Turn


@dataclass(frozen=True, slots=True)
class Around:
    """`samples`, `max_seqs` and `engines`, their names, are by engine run, of the engines as they run now. `now` is
    epoch s."""

    now: float = 0.0
    turns: tuple[Turn, ...] = ()
    seen: tuple[TurnSeen, ...] = ()
    under_way: tuple[TurnUnderWay, ...] = ()
    events: tuple[EngineEvent, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    samples: Mapping[str, tuple[Scrape, ...]] = field(default_factory=dict[str, "tuple[Scrape, ...]"])
    max_seqs: Mapping[str, int] = field(default_factory=dict[str, int])
    engines: Mapping[str, str] = field(default_factory=dict[str, str])


NOTHING_AROUND: Final = Around()


async def read_around(house: House) -> Around:
    """Raises StorageError."""
    turns = await read_recent(house)
    if not turns:
        return NOTHING_AROUND
    began = turns[0].opened.asked_at
    tenants, events = await house.database.run(lambda session: _beside(session, began))
    samples: dict[str, tuple[Scrape, ...]] = {}
    max_seqs: dict[str, int] = {}
    engines: dict[str, str] = {}
    for seat in house.engines.seats:
        state = seat.session.state.value
        if state.run:
            samples[state.run], engines[state.run] = seat.poller.scrapes, state.name
            kept = read_run_file(seat.session.run_file) if state.hosted else None
            if kept is not None and kept.run == state.run and kept.max_num_seqs is not None:
                max_seqs[state.run] = kept.max_num_seqs
    return Around(
        now=time.time(),
        turns=turns,
        seen=tuple(seen for turn in turns if (seen := seen_of(turn)) is not None),
        under_way=house.turns.under_way.snapshot(),
        events=events,
        names={tenant.tenant_id: tenant.name for tenant in tenants},
        samples=samples,
        max_seqs=max_seqs,
        engines=engines,
    )


def derive_why(around: Around, turn_id: str | None, zone: tzinfo) -> str:
    """Why this turn was slow; "" when nothing stands out, or it is not among those that were read."""
    turn = next((one for one in around.seen if one.turn_id == turn_id), None)
    if turn is None:
        return ""
    run = turn.engine_run or ""
    known = Known(
        around.now, around.seen, around.under_way, around.samples.get(run, ()), around.events,
        around.max_seqs.get(run), around.engines.get(run, ""), around.names, zone,
    )  # fmt: skip
    why = explain(turn, known).why
    return "" if why.cause is Cause.NOTHING else why.sentence


def _beside(session: Session, since: datetime) -> tuple[tuple[Tenant, ...], tuple[EngineEvent, ...]]:
    return all_tenants(session), events_since(session, since)
