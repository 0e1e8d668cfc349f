"""All that "Why slow?" shows of one turn: its cause, its peers, and what else was in the batch then. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_host.metrics.why_batch import shares_at
from engine_host.metrics.why_engine import span_of
from engine_host.metrics.why_scene import nearest
from engine_host.metrics.why_slow import why_slow

if TYPE_CHECKING:
    from engine_host.metrics.samples import MetricSample
    from engine_host.metrics.why_batch import TenantShare
    from engine_host.metrics.why_peers import Peers
    from engine_host.metrics.why_scene import Scene
    from engine_host.metrics.why_told import Why
    from engine_host.metrics.why_turn import TurnSeen


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


def detail_of(turn: TurnSeen, scene: Scene) -> TurnWhy:
    why = why_slow(turn, scene)
    if turn.engine_span is None:
        return TurnWhy(turn, why, scene.peers)
    start, end = span_of(turn, why.phase)
    moment = (start + end) / 2
    return TurnWhy(
        turn, why, scene.peers, moment, shares_at(scene.stays, moment, turn.turn_id), nearest(scene.samples, moment)
    )
