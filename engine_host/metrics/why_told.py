"""What "Why slow?" answers: one cause, the phase that it lies in, and a plain sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Cause(StrEnum):
    KV_FULL = "KV full"
    LONG_PREFILL = "long prefill"
    COLD_PREFIX = "cold prefix"
    SLOW_LOOKUP = "slow look-up"
    QUEUE_LIMIT = "batch full"
    STALLED = "engine stood still"
    FLOOD = "one tenant’s flood"
    SLOW_GATE = "gate held a long sentence"
    RESTART = "engine restart"
    SLOW_CLIENT = "slow client"
    LONG_ANSWER = "long answer"
    SHARED_STEPS = "shared steps"
    RETRIEVAL = "slow retrieval"
    ROUTING = "slow routing"
    THIS_PROGRAM = "this program"
    UNEXPLAINED = "unexplained"
    NOTHING = "nothing stands out"


@dataclass(frozen=True, slots=True)
class Why:
    """`phase` is one of why_turn.PHASES, "" when nothing stands out. `sentence` is for staff."""

    cause: Cause
    phase: str
    sentence: str
