"""What turns of the same kind usually take: the medians that a slow one is held against. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Final

from engine_host.metrics.why_turn import PHASES
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from engine_host.metrics.why_turn import TurnSeen

FEWEST: Final = 5
"""With fewer turns of its kind nothing is said about what is usual."""
MOST: Final = 200
LONG_READ: Final = 500
"""Computed prompt tokens that tell how fast an engine reads."""
ENDED_WELL: Final = (TurnOutcome.ANSWERED, TurnOutcome.ORDER_STATED)


@dataclass(frozen=True, slots=True)
class Peers:
    """Medians over `turns` turns of the same route: of each phase in s (one that a turn did not have counts as 0),
    of the prompt, its computed part and the answer in tokens, of the gap between tokens in s, of what the gate held
    in characters."""

    turns: int
    lengths: Mapping[str, float]
    total: float
    prompt: float
    computed: float
    output: float
    gap: float | None
    held: float


def peers_of(turn: TurnSeen, turns: Sequence[TurnSeen]) -> Peers | None:
    """The last turns of the same kind that were asked before this one and ended well; when these are too few, those
    after it too. `turns` may hold any turns. None when fewer than 5 are known."""
    kind = [
        one for one in turns if one.route == turn.route and one.turn_id != turn.turn_id and one.outcome in ENDED_WELL
    ]
    before = sorted((one for one in kind if one.asked_at <= turn.asked_at), key=lambda one: one.asked_at)
    chosen = before[-MOST:] if len(before) >= FEWEST else kind[-MOST:]
    if len(chosen) < FEWEST:
        return None
    gaps = [one.times.inter_token for one in chosen if one.times.inter_token is not None]
    return Peers(
        turns=len(chosen),
        lengths={name: median(one.lengths.get(name, 0.0) for one in chosen) for name in PHASES},
        total=median(one.total for one in chosen),
        prompt=median(one.tokens.prompt for one in chosen),
        computed=median(one.computed for one in chosen),
        output=median(one.tokens.output for one in chosen),
        gap=median(gaps) / 1000 if gaps else None,
        held=median(one.way.held for one in chosen),
    )


def excess(turn: TurnSeen, peers: Peers | None) -> dict[str, float]:
    """By how many s each phase was longer than usual; without peers, how long it was."""
    usual: Mapping[str, float] = peers.lengths if peers else {}
    return {name: length - usual.get(name, 0.0) for name, length in turn.lengths.items()}


def reading_pace(turns: Iterable[TurnSeen]) -> float | None:
    """Prompt tokens that the engines read a second, the median of prompts that were long enough to tell; None without
    one."""
    read = [(turn.computed, turn.lengths.get("prefill", 0.0)) for turn in turns]
    paces = [tokens / took for tokens, took in read if tokens >= LONG_READ and took > 0]
    return median(paces) if paces else None


def median_first_text(turns: Iterable[TurnSeen]) -> float | None:
    """In s; None when none of the turns showed anything."""
    known = [turn.first_text for turn in turns if turn.first_text is not None]
    return median(known) if known else None
