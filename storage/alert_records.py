"""Frozen records of alerts and of what they are judged by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date, datetime

    from storage.records import TurnOutcome


@dataclass(frozen=True, slots=True)
class AlertEpisode:
    """One time that an alert fired. `rule` and `subject` (an engine, a tenant, "" = the house) say which alert.

    `began_at` is when its condition began to hold; `worst` the furthest value since, in the unit of the rule's first
    figure; `said` the last words about it. `cleared_at` None = it is firing.
    """

    alert_id: str
    rule: str
    subject: str
    severity: str
    title: str
    began_at: datetime
    fired_at: datetime
    worst: float | None
    said: str
    acknowledged_at: datetime | None = None
    cleared_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AlertMute:
    """Nobody is told of this alert until then; None = for good."""

    rule: str
    subject: str
    until: datetime | None


@dataclass(frozen=True, slots=True)
class EndedTurn:
    """`lookup_ms` is the time of all order look-ups of the turn, `ttft_ms` that to the model's first token; None =
    there was none."""

    asked_at: datetime
    ended_at: datetime
    outcome: TurnOutcome
    lookup_ms: float | None
    tenant_id: str
    ttft_ms: float | None


@dataclass(frozen=True, slots=True)
class TenantDay:
    """`used` of `daily_tokens`, in and out together, on the `day` that it is now where the tenant is.

    `ttft_target_ms` as in Tenant.
    """

    tenant_id: str
    name: str
    timezone: str
    day: date
    daily_tokens: int
    used: int
    ttft_target_ms: int | None = None
