"""What else was in the engine's batch at a moment, as far as it was ours. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine_host.answering.under_way import Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine_host.answering.under_way import TurnUnderWay
    from engine_host.metrics.why_turn import TurnSeen

FLOOD_SHARE: Final = 0.6
FLOOD_LEAST: Final = 5
FLOOD_TIMES: Final = 3


@dataclass(frozen=True, slots=True)
class Stay:
    """One turn's time in an engine, epoch s: asked of it, taken into its batch, first token, end (infinity: still
    there). An engine that tells no queue times has it surely from the first token on. `output` are the tokens that it
    had written by the end, or has by now."""

    turn_id: str
    tenant_id: str
    asked: float
    taken: float
    first: float
    ended: float
    prompt: int
    computed: int
    output: int
    now: float = math.inf
    """The moment at which a stay that has not ended was looked at."""

    def tokens_at(self, moment: float) -> int:
        """Slots of the KV cache that it filled: its prompt, and what was written, evenly, by then."""
        end = min(self.ended, self.now)
        written = (moment - self.first) / (end - self.first) if end > self.first else float(moment >= self.first)
        return self.prompt + round(self.output * min(max(written, 0.0), 1.0))

    @property
    def reading(self) -> tuple[float, float]:
        """When its prompt was read; from the question on where no queue time is told."""
        return (self.taken if self.taken < self.first else self.asked), self.first

    def is_in(self, moment: float) -> bool:
        return self.taken <= moment < self.ended


@dataclass(frozen=True, slots=True)
class TenantShare:
    """What one tenant's turns held at that moment."""

    tenant_id: str
    seqs: int
    tokens: int


def stays_of(
    ended: Iterable[TurnSeen], under_way: Iterable[TurnUnderWay], run: str | None, now: float
) -> tuple[Stay, ...]:
    """The stays in engine run `run`. Of a turn under way the ones that the engine has not counted yet are left out."""
    stays = [_ended(turn) for turn in ended if turn.engine_run == run and turn.engine_span is not None]
    return (*stays, *(_living(one, now) for one in under_way if one.engine_run == run and one.prompt_tokens))


def shares_at(stays: Sequence[Stay], moment: float, but: str = "") -> tuple[TenantShare, ...]:
    """By tenant, the one with most sequences first; without the turn `but`."""
    inside = [stay for stay in stays if stay.is_in(moment) and stay.turn_id != but]
    tenants = dict.fromkeys(stay.tenant_id for stay in inside)
    shares = [
        TenantShare(
            tenant, sum(s.tenant_id == tenant for s in inside),
            sum(s.tokens_at(moment) for s in inside if s.tenant_id == tenant),
        )
        for tenant in tenants
    ]  # fmt: skip
    return tuple(sorted(shares, key=lambda share: (-share.seqs, -share.tokens, share.tenant_id)))


def flood_of(shares: Sequence[TenantShare]) -> TenantShare | None:
    """The tenant that has the batch nearly to itself while others are there too or wait; None when it is shared."""
    if not shares:
        return None
    most, rest = shares[0], sum(share.seqs for share in shares[1:])
    second = shares[1].seqs if len(shares) > 1 else 0
    alone = most.seqs >= FLOOD_SHARE * (most.seqs + rest) and most.seqs >= FLOOD_TIMES * second
    return most if most.seqs >= FLOOD_LEAST and alone else None


def largest(stays: Sequence[Stay], moment: float, but: str = "") -> tuple[Stay, ...]:
    """Of the tenant that holds most slots, the turns that hold at least half of what its largest one does."""
    inside = [stay for stay in stays if stay.is_in(moment) and stay.turn_id != but]
    if not inside:
        return ()
    held = {stay.tenant_id: 0 for stay in inside}
    for stay in inside:
        held[stay.tenant_id] += stay.tokens_at(moment)
    tenant = max(held, key=lambda one: (held[one], one))
    own = sorted((s for s in inside if s.tenant_id == tenant), key=lambda s: -s.tokens_at(moment))
    return tuple(stay for stay in own if 2 * stay.tokens_at(moment) >= own[0].tokens_at(moment))


def _ended(turn: TurnSeen) -> Stay:
    span = turn.engine_span
    asked, taken, first, ended = span if span is not None else (0.0, 0.0, 0.0, 0.0)
    taken = first if turn.times.queue is None else taken
    tokens = turn.tokens
    return Stay(turn.turn_id, turn.tenant_id, asked, taken, first, ended, tokens.prompt, turn.computed, tokens.output)


def _living(turn: TurnUnderWay, now: float) -> Stay:
    asked, prompt = turn.asked_at.timestamp(), turn.prompt_tokens or 0
    first = asked if turn.step is Step.WRITING else now
    computed = prompt - turn.cached_tokens
    return Stay(
        turn.turn_id, turn.tenant_id, asked, asked, first, math.inf, prompt, computed, turn.output_tokens, now
    )  # fmt: skip
