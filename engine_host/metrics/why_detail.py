"""All that "Why slow?" shows of one turn: its cause, its peers, and what else was in the batch then. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC
from typing import TYPE_CHECKING, Final

from engine_host.metrics.why_batch import shares_at, stays_of
from engine_host.metrics.why_engine import span_of
from engine_host.metrics.why_peers import peers_of, reading_pace
from engine_host.metrics.why_scene import Scene, nearest
from engine_host.metrics.why_slow import why_slow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from engine_host.answering.under_way import TurnUnderWay
    from engine_host.metrics.samples import MetricSample, Scrape
    from engine_host.metrics.why_batch import TenantShare
    from engine_host.metrics.why_peers import Peers
    from engine_host.metrics.why_told import Why
    from engine_host.metrics.why_turn import TurnSeen
    from storage.records import EngineEvent

SAMPLES_FROM_S: Final = 60.0
SAMPLES_AFTER_S: Final = 6.0


@dataclass(frozen=True, slots=True)
class Known:
    """What is known around a turn: `seen` are ended turns of any engine and time, `samples` those of its engine,
    oldest first; `max_seqs` None: not known; `names` are the tenants'. `events` may be of any engine; `engine` is what
    the turn's own is called in them, "" = not known. `now` is epoch s."""

    now: float
    seen: Sequence[TurnSeen] = ()
    under_way: Sequence[TurnUnderWay] = ()
    samples: Sequence[Scrape] = ()
    events: Sequence[EngineEvent] = ()
    max_seqs: int | None = None
    engine: str = ""
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    zone: tzinfo = UTC


@dataclass(frozen=True, slots=True)
class TurnWhy:
    """`moment` (epoch s) is the middle of the phase that stands out, else of the turn's time in the engine; `batch` is
    what our other turns held then, `sample` the engine's own figures nearest to it, None when none is left. `moment`
    None: no model wrote in this turn."""

    turn: TurnSeen
    why: Why
    peers: Peers | None
    moment: float | None = None
    batch: tuple[TenantShare, ...] = ()
    sample: MetricSample | None = None


def explain(turn: TurnSeen, known: Known) -> TurnWhy:
    """Out of everything that is known, what bears on this turn."""
    beside = [one for one in known.seen if one.ended_at >= turn.asked_at and one.asked_at <= turn.ended_at]
    scene = Scene(
        samples=_between(known.samples, turn.asked_at - SAMPLES_FROM_S, turn.ended_at + SAMPLES_AFTER_S),
        stays=stays_of(beside, known.under_way, turn.engine_run, known.now),
        events=_events_of(turn, known),
        peers=peers_of(turn, known.seen),
        max_seqs=known.max_seqs,
        reads=reading_pace(one for one in known.seen if one.ended_at < turn.asked_at),
        names=known.names,
        zone=known.zone,
    )
    return detail_of(turn, scene)


def _events_of(turn: TurnSeen, known: Known) -> tuple[EngineEvent, ...]:
    """Those of the turn's own engine; all of them when it was at several, or nobody knows at which."""
    anyone = not known.engine or bool(turn.way.moves)
    return tuple(event for event in known.events if anyone or event.subject == known.engine)


def _between(scrapes: Sequence[Scrape], start: float, end: float) -> tuple[Scrape, ...]:
    """The samples of the turn's time and of some time before it, that tell how fast the engine usually is."""
    return tuple(one for one in scrapes if start <= one.at.timestamp() <= end)


def detail_of(turn: TurnSeen, scene: Scene) -> TurnWhy:
    why = why_slow(turn, scene)
    if turn.engine_span is None:
        return TurnWhy(turn, why, scene.peers)
    start, end = span_of(turn, why.phase)
    moment = (start + end) / 2
    return TurnWhy(
        turn, why, scene.peers, moment, shares_at(scene.stays, moment, turn.turn_id), nearest(scene.samples, moment)
    )
