"""Frozen records that leave the database room. ORM rows never do.

All times are timezone-aware UTC. Token counts are the engine's own; durations are in milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Quota:
    """Limits of one tenant: tokens a day (in and out together), requests a minute, requests at a time, tokens."""

    daily_tokens: int
    requests_per_minute: int
    concurrent_requests: int
    longest_question_tokens: int
    longest_answer_tokens: int


@dataclass(frozen=True, slots=True)
class Tenant:
    """A kitchen or office whose customers the bot answers. `colour` is its series number, 1 to 8, for ever.

    `ttft_target_ms`: 95 of 100 of its answers begin within so long; None = it has no target but the house's.
    """

    tenant_id: str
    name: str
    note: str
    colour: int
    timezone: str
    order_prefix: str
    quota: Quota
    phone: str
    ttft_target_ms: int | None = None


class TurnOutcome(StrEnum):
    OPEN = "open"
    ANSWERED = "answered"
    ORDER_STATED = "order_stated"
    DOES_NOT_KNOW = "does_not_know"
    REFUSED = "refused"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class TokenUse:
    """Tokens of one turn as the engine counted them. `cached` is the part of `prompt` read from the prefix cache."""

    prompt: int = 0
    cached: int = 0
    output: int = 0


@dataclass(frozen=True, slots=True)
class RunShare:
    """What one engine run did for a turn that was given to another one: its answer moved in the middle."""

    engine_run: str
    tokens: TokenUse


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """Where the time of one turn went, in ms by one monotonic clock; None = that phase did not happen.

    `first_text` is the time from the question to the first released text, `ttft` the engine's time to first token
    as this program saw it, `inter_token` the mean gap between tokens. `client` is how long the turn stood still until
    whoever reads the answer took what was given: the engine's stream is not read on meanwhile.
    """

    queue: float | None = None
    retrieve: float | None = None
    lookup: float | None = None
    prefill: float | None = None
    decode: float | None = None
    gate: float | None = None
    first_text: float | None = None
    ttft: float | None = None
    inter_token: float | None = None
    total: float | None = None
    client: float | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    conversation_id: str
    tenant_id: str
    customer_id: str | None
    customer_name: str
    started_at: datetime
    last_at: datetime
    last_question: str
    turns: int
    has_withheld: bool
    flagged: bool


@dataclass(frozen=True, slots=True)
class NewTurn:
    """What is known when a turn opens. `engine_run` names the engine run whose counters the ledger is held against."""

    turn_id: str
    conversation_id: str
    tenant_id: str
    customer_id: str | None
    customer_name: str
    question: str
    asked_at: datetime
    engine_run: str | None


@dataclass(frozen=True, slots=True)
class SettledTurn:
    """How a turn ended. `events` is the turn's event list as plain JSON values, in order (see answering/events.py).

    `engine_run` is the run that wrote last, None = the one that the turn was opened with; of `tokens`, `elsewhere` is
    what other runs did; `unknown` is why the turn did not know. These are only written: `opened` names the run
    afterwards, and totals hold the shares and the reasons.
    """

    turn_id: str
    outcome: TurnOutcome
    language: str
    answer: str
    tokens: TokenUse
    times: TurnTimes
    events: tuple[dict[str, object], ...] = ()
    withheld: int = 0
    engine_run: str | None = None
    elsewhere: tuple[RunShare, ...] = ()
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as kept: what opened it and, once settled, how it ended. `feedback` is +1, -1 or 0."""

    opened: NewTurn
    settled: SettledTurn | None
    feedback: int = 0


@dataclass(frozen=True, slots=True)
class UsageDay:
    """One tenant's use on one UTC-independent kitchen day (the tenant's own time zone)."""

    tenant_id: str
    day: date
    requests: int = 0
    refused: int = 0
    failed: int = 0
    cancelled: int = 0
    tokens: TokenUse = field(default_factory=TokenUse)


@dataclass(frozen=True, slots=True)
class EngineRunTotals:
    """What the ledger says one engine run was asked for: compared with the engine's own counters."""

    engine_run: str
    requests: int
    open_turns: int
    tokens: TokenUse


@dataclass(frozen=True, slots=True)
class EngineEvent:
    """A mark on every time axis: engine start, ready, stop, failure; publish; quota notice."""

    at: datetime
    kind: str
    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class ArticleRow:
    """A help article as kept. `tenants` empty = all; `valid_from` and `valid_to` are days, inclusive, None = no limit.

    `source_hash` is the sha256 of the file's bytes, `text_hash` of the body, `meta_hash` of what is kept beside it.
    `generation` is the index generation in which its chunks are served.
    """

    article_id: str
    source_name: str
    title: str
    owner: str
    audience: str
    tenants: tuple[str, ...]
    language: str
    valid_from: date | None
    valid_to: date | None
    body: str
    source_hash: str
    meta_hash: str
    status: str
    generation: int
    chunk_count: int
    updated_at: datetime
    text_hash: str = ""


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A piece of an article, `body[start:end]`. `point_id` is its vector's id, `text_hash` says what was embedded."""

    article_id: str
    generation: int
    ordinal: int
    heading_path: tuple[str, ...]
    text: str
    start: int
    end: int
    tokens: int
    text_hash: str
    point_id: str
