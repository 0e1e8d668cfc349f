"""What a tenant may ask for, and how soon its answers are promised to begin: the rows of its limits as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Final

from console.promises import TTFT_PROMISE_S
from storage.records import Quota

if TYPE_CHECKING:
    from collections.abc import Mapping

    from storage.records import Tenant

TTFT: Final = "ttft_target_ms"
HOUSE_TTFT_MS: Final = round(TTFT_PROMISE_S * 1000)


@dataclass(frozen=True, slots=True)
class LimitRow:
    """`key` names a field of Limits or of its quota. `house` is what holds for a tenant with no value of its own, in
    the unit of the row; None = every tenant has its own."""

    key: str
    label: str
    unit: str
    step: int
    most: int
    house: int | None = None

    @property
    def least(self) -> int:
        """0 stands for no value of its own."""
        return 1 if self.house is None else 0

    def words(self, value: int) -> str:
        return f"{value:,}" if value or self.house is None else f"{self.house:,}, house’s"


LIMITS: Final = (
    LimitRow("requests_per_minute", "Requests", "a minute", 10, 100_000),
    LimitRow("concurrent_requests", "At the same time", "requests", 1, 10_000),
    LimitRow("longest_question_tokens", "Longest question", "tokens", 64, 1_000_000),
    LimitRow("longest_answer_tokens", "Longest answer", "tokens", 64, 1_000_000),
    LimitRow("daily_tokens", "Tokens", "a day", 1_000_000, 1_000_000_000_000),
    LimitRow(TTFT, "TTFT p95, SLO", "ms", 50, 600_000, house=HOUSE_TTFT_MS),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What is edited of a tenant; `ttft_target_ms` as in Tenant."""

    quota: Quota
    ttft_target_ms: int | None = None

    @property
    def values(self) -> Mapping[str, int]:
        """By the key of its row."""
        return {**asdict(self.quota), TTFT: self.ttft_target_ms or 0}

    def of(self, tenant: Tenant) -> Tenant:
        """The tenant with these limits."""
        return replace(tenant, quota=self.quota, ttft_target_ms=self.ttft_target_ms)


def limits_of(tenant: Tenant) -> Limits:
    return Limits(tenant.quota, tenant.ttft_target_ms)


def limits_from(values: Mapping[str, int]) -> Limits:
    """From the values of all rows."""
    quota = Quota(**{key: value for key, value in values.items() if key != TTFT})
    return Limits(quota, values[TTFT] or None)
