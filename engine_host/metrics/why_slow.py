"""Why was this turn slow? One cause and one sentence, or that nothing stands out. Pure.

The phase that was longest beyond what its peers take is asked for its cause. A phase of the engine is looked at beside
what the engine did meanwhile: its samples, its events, and our other turns in its batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine_host.metrics.why_engine import engine_why
from engine_host.metrics.why_peers import excess
from engine_host.metrics.why_told import Cause, Why
from engine_host.metrics.why_words import count, for_s

if TYPE_CHECKING:
    from engine_host.metrics.why_scene import Scene
    from engine_host.metrics.why_turn import TurnSeen

LEAST_S: Final = 0.25
LEAST_SHARE: Final = 0.5
"""A phase stands out when it was longer than usual by this part of what is usual."""
ENGINE_PHASES: Final = frozenset({"queue", "prefill", "gate", "decode", "pause"})


@dataclass(frozen=True, slots=True)
class Hot:
    """The phase that stands out: how long it was, how long it usually is (None: not known), and by how much it was
    longer, all in s."""

    phase: str
    length: float
    usual: float | None
    beyond: float

    @property
    def usual_words(self) -> str:
        return "" if self.usual is None else f", its peers’ median is {for_s(self.usual)}"


def why_slow(turn: TurnSeen, scene: Scene) -> Why:
    """What made this turn slower than its peers. Sentences name figures that were read, never a guess."""
    hot = hot_of(turn, scene)
    if hot is None:
        return _nothing(turn, scene)
    if hot.phase in ENGINE_PHASES:
        return engine_why(turn, scene, hot)
    return _here(turn, hot)


def hot_of(turn: TurnSeen, scene: Scene) -> Hot | None:
    """The phase that was longest beyond the usual; None when none stands out."""
    usual = scene.peers.lengths if scene.peers else None
    found = [
        Hot(phase, turn.lengths[phase], None if usual is None else usual.get(phase, 0.0), beyond)
        for phase, beyond in excess(turn, scene.peers).items()
    ]
    outstanding = [hot for hot in found if hot.beyond >= max(LEAST_S, LEAST_SHARE * (hot.usual or 0.0))]
    return max(outstanding, key=lambda hot: hot.beyond, default=None)


def _nothing(turn: TurnSeen, scene: Scene) -> Why:
    peers = scene.peers
    if peers is None:
        return Why(
            Cause.NOTHING, "", f"Nothing stands out in {for_s(turn.total)}; too few turns of its kind to compare."
        )
    usual = f"the median of {count(peers.turns, 'turn')} of its kind is {for_s(peers.total)}"
    return Why(Cause.NOTHING, "", f"Nothing stands out: {for_s(turn.total)}, {usual}.")


def _here(turn: TurnSeen, hot: Hot) -> Why:
    """A phase in which no engine had a part."""
    took = for_s(hot.length)
    match hot.phase:
        case "lookup":
            return Why(Cause.SLOW_LOOKUP, hot.phase, f"Order system took {took}{hot.usual_words}.")
        case "client":
            said = f"Its reader took {took} to take the answer; the engine was not read on meanwhile."
            return Why(Cause.SLOW_CLIENT, hot.phase, said)
        case "retrieve":
            return Why(Cause.RETRIEVAL, hot.phase, f"Looking through the articles took {took}{hot.usual_words}.")
        case _ if turn.way.routed >= hot.beyond / 2:
            routed = for_s(turn.way.routed)
            return Why(Cause.ROUTING, "other", f"Choosing the way of the question took {routed}.")
        case _:
            return Why(Cause.THIS_PROGRAM, "other", f"This program and its database took {took}{hot.usual_words}.")
