"""Frozen records of what was used, as it is added up from turns. Times are aware UTC, durations in seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import date, datetime

    from storage.records import TokenUse, TurnOutcome

SLOT_S: Final = 900
"""How long a slot of a day is."""


@dataclass(frozen=True, slots=True)
class SlotUse:
    """What the questions of one day that came within the `SLOT_S` seconds after `start` used, in and out together."""

    day: date
    start: datetime
    requests: int
    tokens: int


@dataclass(frozen=True, slots=True)
class KvDay:
    """How much KV memory one tenant's turns of one day held: tokens times the seconds for which they were held."""

    tenant_id: str
    day: date
    token_seconds: float


@dataclass(frozen=True, slots=True)
class ConversationUse:
    """What one conversation used within some days. `last_question` is a customer's text: for staff only."""

    conversation_id: str
    customer_name: str
    last_question: str
    last_at: datetime
    turns: int
    tokens: TokenUse


@dataclass(frozen=True, slots=True)
class Spread:
    """How durations lie: `below[i]` of them took at most the i-th edge, `count` there were, `total` their sum in s."""

    below: tuple[int, ...]
    count: int
    total: float

    def __add__(self, other: Spread) -> Spread:
        """Of both together, by the same edges."""
        below = tuple(mine + more for mine, more in zip(self.below, other.below, strict=True))
        return Spread(below, self.count + other.count, self.total + other.total)


@dataclass(frozen=True, slots=True)
class TurnTotals:
    """Ended turns of one tenant, engine run, outcome and reason, added up.

    `turns` leaves out those that nobody settled (they may still be put right); tokens are those of all turns.
    `unknown` is None for turns that were kept before reasons were.
    """

    tenant_id: str
    engine_run: str | None
    outcome: TurnOutcome
    unknown: str | None
    turns: int
    withheld: int
    tokens: TokenUse
    kv_token_seconds: float
    lookup: Spread
    ttft: Spread


@dataclass(frozen=True, slots=True)
class ShareTotals:
    """Tokens that `helper` made for turns that are `engine_run`'s own otherwise, added up."""

    tenant_id: str
    engine_run: str | None
    helper: str
    tokens: TokenUse
