"""What usage costs, by the prices of the settings. Pure; without a price there is no cost, which is not 0."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from engine_host.usage.day import hours_so_far

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime
    from zoneinfo import ZoneInfo

    from storage.records import TokenUse, UsageDay
    from storage.usage_records import KvDay
    from storage.usage_settings import Prices

MILLION: Final = 1_000_000
NO_PRICE: Final = "No price is set, so no cost is told. Set one in Settings, section Prices."


def token_cost(tokens: TokenUse, prices: Prices) -> float:
    """In the currency of the prices."""
    computed = tokens.prompt - tokens.cached
    return (
        computed * prices.in_per_million + tokens.cached * prices.cached_per_million
        + tokens.output * prices.out_per_million
    ) / MILLION  # fmt: skip


def cost_by_day(
    days: Sequence[UsageDay], kv: Sequence[KvDay], prices: Prices, zone: ZoneInfo, now: datetime
) -> Mapping[tuple[str, date], float] | None:
    """The cost of each tenant's days; None when no price is set.

    The machine's hours of a day, by the kitchen's `zone`, are shared by the KV memory that turns held; those of a day
    on which nobody held any are nobody's.
    """
    if prices.by_tokens:
        return {(one.tenant_id, one.day): token_cost(one.tokens, prices) for one in days}
    if not prices.by_machine:
        return None
    held: dict[date, float] = defaultdict(float)
    for one in kv:
        held[one.day] += one.token_seconds
    return {
        (one.tenant_id, one.day): one.token_seconds / held[one.day]
        * hours_so_far(one.day, zone, now) * prices.machine_per_hour
        for one in kv if held[one.day] > 0
    }  # fmt: skip


def cost_text(cost: float | None, currency: str) -> str:
    """ "₹ 118", "₹ 0.42": two digits after the point below 10; "–" when there is no price."""
    if cost is None:
        return "–"
    return f"{currency} {cost:,.2f}" if cost < 10 else f"{currency} {cost:,.0f}"
