"""What killing engines in mid-answer did to the answers. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from statistics import median
from typing import TYPE_CHECKING, Final

from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TARGETS: Final[Mapping[str, str]] = {
    "lost_turns": "== 0",
    "missing_words": "== 0",
    "repeated_words": "== 0",
    "other_words": "== 0",
    "engines_not_back": "== 0",
}


@dataclass(frozen=True, slots=True)
class Told:
    """One turn: `written` is all that the model wrote, `released` what the customer read."""

    outcome: TurnOutcome
    written: str
    released: str


@dataclass(frozen=True, slots=True)
class Kill:
    """A turn whose engine was killed after `after` tokens of it; `whole` is the same turn without a death.

    `moves` are the pauses in ms, one for each engine that went on. `back`: the killed engine was ready again.
    """

    question: str
    after: int
    whole: Told
    told: Told
    moves: tuple[float, ...]
    back: bool = True


@dataclass(frozen=True, slots=True)
class Changes:
    """Words that one text has and the other has not. `other` stand at one place instead of what was there."""

    missing: int = 0
    repeated: int = 0
    other: int = 0


def changes(whole: str, told: str) -> Changes:
    """What a text lost, said again or said otherwise, in words, against the `whole` one."""
    ours, theirs = whole.split(), told.split()
    missing = repeated = other = 0
    for kind, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind == "delete":
            missing += b - a
        elif kind == "insert":
            repeated += d - c
        elif kind == "replace":
            other += max(b - a, d - c)
    return Changes(missing, repeated, other)


def figures_of(kills: Sequence[Kill]) -> dict[str, float | None]:
    """Counts, and the pauses of the answers that moved in ms. `ended_first`: the answer was whole before the kill."""
    found = [changes(kill.whole.written, kill.told.written) for kill in kills]
    pauses = sorted(pause for kill in kills for pause in kill.moves)
    outcomes = Counter(kill.told.outcome for kill in kills)
    return {
        "kills": float(len(kills)),
        "before_first_token": float(sum(kill.after == 0 for kill in kills)),
        "words": float(sum(len(kill.whole.written.split()) for kill in kills)),
        "lost_turns": float(outcomes[TurnOutcome.FAILED] + outcomes[TurnOutcome.CANCELLED]),
        "missing_words": float(sum(one.missing for one in found)),
        "repeated_words": float(sum(one.repeated for one in found)),
        "other_words": float(sum(one.other for one in found)),
        "other_released": float(sum(kill.told.released != kill.whole.released for kill in kills)),
        "ended_first": float(sum(not kill.moves for kill in kills)),
        "engines_not_back": float(sum(not kill.back for kill in kills)),
        "pause_ms_p50": median(pauses) if pauses else None,
        "pause_ms_p95": pauses[round(0.95 * (len(pauses) - 1))] if pauses else None,
        "pause_ms_max": pauses[-1] if pauses else None,
    }
