"""A kitchen's day as alerts see it, second by second: healthy unless a test says what goes wrong.

story = Story()
story.tell(60)                                  # a healthy minute
story.tell(90, first_words=(1.5,) * 3)          # three first words a second, all of them late
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from engine_host.metrics.alert_book import AlertBook, Cleared
from engine_host.metrics.alert_facts import AlertFacts, EngineFacts, HouseFacts, LedgerDrift
from engine_host.metrics.samples import Histogram, MetricSample, ScrapeGap
from storage.alert_records import EndedTurn, TenantDay
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine_host.metrics.alert_rules import Rule
    from engine_host.metrics.samples import Scrape

NOON: Final = datetime(2026, 11, 30, 6, 30, tzinfo=UTC)  # 12:00 in Pune
MONO: Final = 5000.0
EDGES: Final = (0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, math.inf)
TIME_OUT: Final = "The engine's metrics did not come within 1.5 s."
ENGINE: Final = "engine"
QUOTA: Final = 1_000_000
TENANT: Final = "meridian"


@dataclass(frozen=True, slots=True)
class Second:
    """What happens in one second. Times in s; `used` is the share of a tenant's day; None = it cannot be read.

    `ttft` is that of each turn that ends, `slo_ms` what its tenant was promised, None = nothing of its own.

    `scraped` False = the scrape timed out; `engine` False = there is none. `drift` in tokens, told only when compared.
    """

    running: float = 8
    waiting: float = 0
    kv_usage: float = 0.5
    preempted: float = 0
    tokens: float = 140
    first_words: tuple[float, ...] = (0.2, 0.3)
    scraped: bool = True
    engine: bool = True
    ended: int = 2
    failed: int = 0
    lookups: tuple[float, ...] = (0.11,)
    ttft: float = 0.3
    slo_ms: int | None = 800
    used: float | None = 0.3
    disk_gib: float | None = 40.0
    drift: int | None = 0
    ledger: bool = True


class Story:
    """`facts` holds one record for each second that was told."""

    def __init__(self) -> None:
        self.facts: list[AlertFacts] = []
        self._scrapes: deque[Scrape] = deque(maxlen=400)
        self._turns: deque[EndedTurn] = deque(maxlen=700)
        self._counts = [0.0] * len(EDGES)
        self._output = self._preemptions = 0.0
        self._heard: float | None = None

    @property
    def seconds(self) -> int:
        return len(self.facts)

    def tell(self, seconds: int, **happens: Any) -> Story:
        for _ in range(seconds):
            self.live(Second(**happens))
        return self

    def live(self, second: Second) -> None:
        at, mono = NOON + timedelta(seconds=self.seconds), MONO + self.seconds
        if second.engine:
            self._count(second)
            self._scrapes.append(self._scrape(second, at, mono))
            self._heard = mono if second.scraped else self._heard
        self._end_turns(second, at)
        house = HouseFacts(
            at,
            tuple(self._turns) if second.ledger else None,
            None if second.used is None else (_tenant(second.used, second.slo_ms),),
            None if second.disk_gib is None else int(second.disk_gib * 2**30),
        )
        drift = None if second.drift is None else LedgerDrift(second.drift)
        engine = EngineFacts(
            ENGINE, "cpu-demo", tuple(self._scrapes), second.engine, self._heard, MONO, drift if second.engine else None
        )
        self.facts.append(AlertFacts(at, mono, (engine,), house))

    def restart(self) -> None:
        """The engine begins again: its counters too."""
        self._counts = [0.0] * len(EDGES)
        self._output = self._preemptions = 0.0

    def _count(self, second: Second) -> None:
        self._output += second.tokens
        self._preemptions += second.preempted
        for time in second.first_words:
            for edge in range(bisect_left(EDGES, time), len(EDGES)):
                self._counts[edge] += 1

    def _scrape(self, second: Second, at: datetime, mono: float) -> Scrape:
        if not second.scraped:
            return ScrapeGap(at, mono, TIME_OUT)
        return MetricSample(
            at, mono, 7.0,
            running=second.running, waiting=second.waiting, kv_usage=second.kv_usage,
            output_tokens=self._output, preemptions=self._preemptions,
            ttft=Histogram(EDGES, tuple(self._counts), self._counts[-1], 0.0),
        )  # fmt: skip

    def _end_turns(self, second: Second, at: datetime) -> None:
        for number in range(second.ended):
            outcome = TurnOutcome.FAILED if number < second.failed else TurnOutcome.ANSWERED
            lookup = second.lookups[number] * 1000 if number < len(second.lookups) else None
            self._turns.append(EndedTurn(at - timedelta(seconds=2), at, outcome, lookup, TENANT, second.ttft * 1000))


def _tenant(used: float, slo_ms: int | None) -> TenantDay:
    return TenantDay(TENANT, "Meridian Offices", "Asia/Kolkata", NOON.date(), QUOTA, int(used * QUOTA), slo_ms)


def healthy_hour(seed: int) -> Story:
    """Lunch without a fault, but with what a healthy kitchen does: bursts, idle minutes, a late word, a lost scrape."""
    story, chance = Story(), random.Random(seed)
    for second in range(3600):
        idle = (second // 60) % 10 == 7
        story.live(_idle(second) if idle else _busy(chance, second))
    return story


def _idle(second: int) -> Second:
    nothing: dict[str, Any] = {"running": 0, "tokens": 0, "first_words": (), "ended": 0, "lookups": (), "kv_usage": 0.0}
    return Second(used=_used(second), drift=0 if second % 60 > 30 else None, **nothing)


def _busy(chance: random.Random, second: int) -> Second:
    burst = chance.random() < 0.05
    return replace(
        Second(used=_used(second), drift=None),
        running=chance.randint(2, 24),
        waiting=chance.randint(1, 6) if burst else 0,
        kv_usage=0.97 if burst else chance.uniform(0.2, 0.8),
        preempted=1 if not burst and chance.random() < 0.005 else 0,
        tokens=0 if second % 300 < 6 else chance.randint(60, 320),
        first_words=tuple(1.3 if chance.random() < 0.005 else chance.uniform(0.1, 0.5) for _ in range(2)),
        scraped=chance.random() > 0.01 and second % 500 > 3,
        failed=1 if chance.random() < 0.01 else 0,
        lookups=(chance.uniform(0.05, 0.6),),
        ttft=1.3 if chance.random() < 0.005 else chance.uniform(0.1, 0.5),
    )


def _used(second: int) -> float:
    return 0.2 + 0.4 * second / 3600


def replay(rules: Sequence[Rule], story: Story) -> list[tuple[int, str, str]]:
    """What the alerts did: second, "fired" or "cleared", rule."""
    numbers = iter(range(1_000_000))
    book = AlertBook(rules, lambda: f"a-{next(numbers)}")
    told: list[tuple[int, str, str]] = []
    for second, facts in enumerate(story.facts):
        for change in book.take(facts):
            if isinstance(change, Cleared):
                told.append((second, "cleared", change.episode.rule))
            else:
                told.append((second, "fired", change.standing.rule.key))
    return told
