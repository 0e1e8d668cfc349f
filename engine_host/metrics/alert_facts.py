"""What alerts are judged by at one moment. Frozen; a part that could not be read is None: not known, never 0."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine_host.metrics.samples import Scrape
    from engine_host.usage.forecast import Outlook
    from storage.alert_records import EndedTurn, TenantDay


@dataclass(frozen=True, slots=True)
class LedgerDrift:
    """Tokens that the engine and the ledger differ by; None = there is nothing to compare."""

    tokens: int | None


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """`key` is the engine's place in the home, which it keeps; `name` what people call it.

    `scrapes`: those of the last minutes, oldest first. `expected`: figures of it ought to come, since the monotonic
    second `asked`. `heard` is that of its last sample, None = none ever came.
    """

    key: str
    name: str
    scrapes: tuple[Scrape, ...] = ()
    expected: bool = True
    heard: float | None = None
    asked: float | None = None
    drift: LedgerDrift | None = None


@dataclass(frozen=True, slots=True)
class HouseFacts:
    """What was read of ledger and disk at `at`: turns that ended in the last minutes, every tenant, free bytes.

    `outlooks` by tenant: how its day will end.
    """

    at: datetime
    turns: tuple[EndedTurn, ...] | None = None
    tenants: tuple[TenantDay, ...] | None = None
    disk_free: int | None = None
    outlooks: Mapping[str, Outlook] = field(default_factory=dict[str, "Outlook"])


@dataclass(frozen=True, slots=True)
class AlertFacts:
    """`mono` is the same moment as `at` by the monotonic clock, in seconds."""

    at: datetime
    mono: float
    engines: tuple[EngineFacts, ...]
    house: HouseFacts
