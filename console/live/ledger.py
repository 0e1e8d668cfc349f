"""Settled turns of the ledger as the Live page counts them. Everything here but the records belongs to the loop."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from console.live.truth import NOTHING_TOLD, Truth, truth_of
from console.live.windows import Observations
from engine_host.metrics.why_turn import seen_of
from storage.queries.turns import recent_turns
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from numpy.typing import NDArray

    from engine_host.metrics.why_turn import TurnSeen
    from storage.database import Database
    from storage.records import Turn

KEPT_S: Final = 3700.0
LOOK_BACK_S: Final = 30.0
"""Turns that ended so shortly ago may still get tokens from the reconciler, or come from another process."""
WAITED_FOR_S: Final = 120.0
"""A turn that is open for longer is not waited for: its process may be gone."""
MOST_TURNS: Final = 5000


@dataclass(frozen=True, slots=True)
class TurnFact:
    """Times in epoch s, durations in s; `ended_at` None = the turn is still open."""

    turn_id: str
    tenant_id: str
    asked_at: float
    ended_at: float | None
    outcome: TurnOutcome
    prompt: int = 0
    cached: int = 0
    output: int = 0
    ttft_s: float | None = None
    gap_s: float | None = None
    decode_s: float = 0.0
    truth: Truth = NOTHING_TOLD
    engine_run: str | None = None
    queue_s: float | None = None
    prefill_s: float | None = None
    total_s: float | None = None
    seen: TurnSeen | None = None
    """What "Why slow?" needs of it; None while it is open."""
    exact: tuple[float, ...] = field(init=False, repr=False)
    """`ended_at` and the durations of EXACT; NaN = not known. Made once: thousands are looked at each second."""

    def __post_init__(self) -> None:
        told = (self.ended_at, *(pick(self) for pick in EXACT.values()))
        object.__setattr__(self, "exact", tuple(math.nan if one is None else one for one in told))


EXACT: Final[Mapping[str, Callable[[TurnFact], float | None]]] = {
    "ttft": lambda fact: fact.ttft_s,
    "inter_token": lambda fact: fact.gap_s,
    "per_token": lambda fact: fact.gap_s,
    "queue": lambda fact: fact.queue_s,
    "prefill": lambda fact: fact.prefill_s,
    "decode": lambda fact: fact.decode_s or None,
    "e2e": lambda fact: fact.total_s,
}


def fact_of(turn: Turn, known: TurnFact | None = None) -> TurnFact:
    """`known` is what was made of this turn before: what its events say is not read again."""
    new, settled = turn.opened, turn.settled
    asked = new.asked_at.timestamp()
    if settled is None:
        return TurnFact(new.turn_id, new.tenant_id, asked, None, TurnOutcome.OPEN, engine_run=new.engine_run)
    times, tokens = settled.times, settled.tokens
    return TurnFact(
        turn_id=new.turn_id,
        tenant_id=new.tenant_id,
        asked_at=asked,
        ended_at=asked + (times.total or 0.0) / 1000,
        outcome=settled.outcome,
        prompt=tokens.prompt,
        cached=tokens.cached,
        output=tokens.output,
        ttft_s=_seconds(times.ttft),
        gap_s=_seconds(times.inter_token),
        decode_s=_seconds(times.decode) or 0.0,
        truth=known.truth if known is not None and known.outcome is settled.outcome else truth_of(settled),
        engine_run=settled.engine_run or new.engine_run,
        queue_s=_seconds(times.queue),
        prefill_s=_seconds(times.prefill),
        total_s=_seconds(times.total),
        seen=seen_of(turn),
    )


@dataclass(frozen=True, slots=True)
class LedgerRows:
    """Ended turns of the last hour in the order in which they ended.

    Up to `known_until` (epoch s) every turn has ended: from there on turns are under way whose tokens nobody knows.
    """

    turns: tuple[TurnFact, ...]
    ended: NDArray[np.float64]
    known_until: float
    seen: Mapping[str, Observations]
    """Exact times of the turns, by the key of the latency that they stand beside."""

    @property
    def ttft(self) -> Observations:
        return self.seen["ttft"]

    @property
    def gaps(self) -> Observations:
        return self.seen["inter_token"]

    def inside(self, window_s: float, now: float) -> tuple[TurnFact, ...]:
        """The turns that ended in the last `window_s` before `now`."""
        first, last = np.searchsorted(self.ended, [now - window_s, now], side="right")
        return self.turns[first:last]


def ledger_rows(facts: Iterable[TurnFact], now: float) -> LedgerRows:
    kept = list(facts)
    ended = sorted((f for f in kept if f.ended_at is not None), key=lambda fact: fact.exact[0])
    under_way = [f.asked_at for f in kept if f.ended_at is None and now - f.asked_at <= WAITED_FOR_S]
    width = 1 + len(EXACT)
    told = np.fromiter(chain.from_iterable(fact.exact for fact in ended), np.float64, width * len(ended))
    at, *durations = told.reshape(-1, width).T.copy()
    return LedgerRows(
        turns=tuple(ended),
        ended=at,
        known_until=min([now, *under_way]),
        seen={key: _observed(at, values) for key, values in zip(EXACT, durations, strict=True)},
    )


class LedgerReader:
    """Reads the last hour once, then only what may have changed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._facts: dict[str, TurnFact] = {}
        self._read_all = False

    async def read(self, now: float, runs: Collection[str] | None = None) -> LedgerRows:
        """Of the turns that these engine runs answered, None = of all. Raises StorageError."""
        since = datetime.fromtimestamp(self._since(now), UTC)
        known = self._facts
        changed = await self._database.run(
            lambda session: tuple(
                fact_of(turn, known.get(turn.opened.turn_id)) for turn in recent_turns(session, since, MOST_TURNS)
            )
        )
        self._read_all = True
        self._facts |= {fact.turn_id: fact for fact in changed}
        self._facts = {key: fact for key, fact in self._facts.items() if fact.asked_at >= now - KEPT_S}
        return ledger_rows((one for one in self._facts.values() if runs is None or one.engine_run in runs), now)

    def _since(self, now: float) -> float:
        if not self._read_all:
            return now - KEPT_S
        under_way = [fact.asked_at for fact in self._facts.values() if fact.ended_at is None]
        return min([now - LOOK_BACK_S, *under_way])


def _seconds(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000


def _observed(at: NDArray[np.float64], values: NDArray[np.float64]) -> Observations:
    known = ~np.isnan(values)
    return Observations(at[known], values[known])


NO_LEDGER: Final = ledger_rows((), 0.0)
