"""Causes that lie in the turn itself: its prompt, its sentences, its answer. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine_host.metrics.why_told import Cause, Why
from engine_host.metrics.why_words import count, for_s

if TYPE_CHECKING:
    from engine_host.metrics.why_scene import Scene
    from engine_host.metrics.why_slow import Hot
    from engine_host.metrics.why_turn import TurnSeen

TIMES: Final = 1.5
"""What is so many times the peers' median is long."""
LEAST_TOKENS: Final = 64
LONG_TOKENS: Final = 512
"""A prompt of so many computed tokens is long when there are no peers."""
LONG_SENTENCE: Final = 240
"""Characters: a sentence is long when there are no peers."""


def own_prompt(turn: TurnSeen, scene: Scene, hot: Hot) -> Why | None:
    """Whether the prompt explains the prefill: it is longer than its peers', or less of it was cached."""
    peers, tokens, computed = scene.peers, turn.tokens, turn.computed
    usual = peers.computed if peers else 0.0
    if computed < max(TIMES * usual, usual + LEAST_TOKENS) or (peers is None and computed < LONG_TOKENS):
        return None
    longer = tokens.prompt - (peers.prompt if peers else 0.0)
    if peers is None or longer >= (computed - usual) / 2:
        cached = "none of them cached" if not tokens.cached else f"{tokens.cached:,} of them cached"
        median = "" if peers is None else f"; its peers’ median is {peers.prompt:,.0f}"
        return Why(Cause.LONG_PREFILL, hot.phase, f"Prefill of {tokens.prompt:,} tokens, {cached}{median}.")
    often = peers.prompt - usual
    said = f"only {tokens.cached:,} of {tokens.prompt:,} prompt tokens were cached, mostly it is {often:,.0f}"
    return Why(Cause.COLD_PREFIX, hot.phase, f"Prefill took {for_s(hot.length)}: {said}.")


def own_text(turn: TurnSeen, scene: Scene, hot: Hot) -> Why | None:
    """Whether the text explains the writing: a long sentence before the first text, a long answer after it. Tokens
    that came slowly are no fault of the text; at the usual pace a phase that is longer than usual had more of them."""
    if _came_slowly(turn, scene, hot):
        return None
    return _sentence(turn, scene, hot) if hot.phase == "gate" else _answer(turn, scene, hot)


def _came_slowly(turn: TurnSeen, scene: Scene, hot: Hot) -> bool:
    gap = (turn.times.inter_token or 0.0) / 1000
    usual = scene.peers.gap if scene.peers else None
    if usual is None or gap < TIMES * usual:
        return False
    return (gap - usual) * turn.tokens.output * _part(turn, hot) >= hot.beyond / 2


def _part(turn: TurnSeen, hot: Hot) -> float:
    """Which part of the writing the phase is."""
    writing = turn.lengths.get("gate", 0.0) + turn.lengths.get("decode", 0.0)
    return hot.length / writing if writing else 1.0


def _sentence(turn: TurnSeen, scene: Scene, hot: Hot) -> Why | None:
    way, peers = turn.way, scene.peers
    judged = (turn.times.gate or 0.0) / 1000
    if judged >= hot.beyond / 2:
        return Why(Cause.SLOW_GATE, hot.phase, f"Judging its sentences took {for_s(judged)} of {for_s(hot.length)}.")
    if way.held <= (peers.held if peers else LONG_SENTENCE):
        return None
    median = "" if peers is None else f"; its peers’ median is {peers.held:,.0f}"
    if way.withheld:
        held = f"{count(way.withheld, 'sentence')} of {way.held:,} characters in all"
        said = f"Gate held {for_s(hot.length)} of writing: {held} came before one could be shown{median}."
        return Why(Cause.SLOW_GATE, hot.phase, said)
    said = f"Gate held a sentence of {way.held:,} characters to its end, {for_s(hot.length)}{median}."
    return Why(Cause.SLOW_GATE, hot.phase, said)


def _answer(turn: TurnSeen, scene: Scene, hot: Hot) -> Why | None:
    peers, written = scene.peers, turn.tokens.output
    if peers is not None and written <= peers.output:
        return None
    median = "" if peers is None else f", its peers’ median is {peers.output:,.0f}"
    return Why(Cause.LONG_ANSWER, hot.phase, f"Wrote {count(written, 'token')}{median}.")
