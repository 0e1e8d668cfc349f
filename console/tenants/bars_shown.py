"""The bars of the usage panel by day, week or month, from what was read. Pure."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from console.tenants.amounts import VISIBLE_SHARE, amount_text, round_text, tokens_of
from console.tenants.period import bar_begins, long_day, span_words
from console.widgets.bar_chart import Day
from engine_host.usage.cost import cost_by_day, cost_text
from engine_host.usage.day import begin_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from zoneinfo import ZoneInfo

    from console.tenants.reading import UsageRead
    from storage.records import Tenant

NOW: Final = {"day": "today", "week": "this week", "month": "this month"}


def derive_bars(read: UsageRead, zone: ZoneInfo, grain: str = "day", rest: float = 0.0) -> tuple[Day, ...]:
    """Oldest first; what nobody used is an empty place. `rest` may still come today."""
    today = read.now.astimezone(zone).date()
    begins = bar_begins(grain, today)
    ends = [*(after - timedelta(days=1) for after in begins[1:]), today]
    used: dict[tuple[date, str], int] = defaultdict(int)
    for one in read.days:
        used[begin_of(grain, one.day), one.tenant_id] += tokens_of(one)
    costs = _costs(read, grain)
    bars: list[Day] = []
    for begin, end in zip(begins, ends, strict=True):
        amounts = tuple(float(used.get((begin, tenant.tenant_id), 0)) for tenant in read.tenants)
        last = begin == begins[-1]
        cost = [f"cost {cost_text(costs[begin], read.prices.currency)}"] if begin in costs else []
        bars.append(_bar(read.tenants, grain, (begin, end), amounts, rest if last else 0.0, cost, last=last))
    return tuple(bars)


def _costs(read: UsageRead, grain: str) -> dict[date, float]:
    """By bar; a bar of which held memory was not read has none when the machine is priced."""
    sums: dict[date, float] = defaultdict(float)
    for (_, day), cost in (cost_by_day(read.days, read.kv, read.prices, read.zone, read.now) or {}).items():
        sums[begin_of(grain, day)] += cost
    since = date.min if read.prices.by_tokens else read.kv_since or date.max
    return {begin: cost for begin, cost in sums.items() if begin >= since}


def _bar(
    tenants: Sequence[Tenant], grain: str, span: tuple[date, date], amounts: tuple[float, ...], rest: float,
    cost: Sequence[str], *, last: bool,
) -> Day:  # fmt: skip
    parts = [f"{tenant.name} {amount_text(int(amount))}" for tenant, amount in zip(tenants, amounts, strict=True)]
    if rest > 0:
        parts.append(f"may still come today: {amount_text(round(rest))}")
    parts.extend(cost)
    name, second, long = _words(grain, *span)
    return Day(
        name=name,
        second=NOW[grain] if last else second,
        amounts=amounts,
        forecast=rest,
        strong=last,
        tip="\n".join((f"{long}: {amount_text(int(sum(amounts)))} tokens", *parts)),
    )


def _words(grain: str, begin: date, end: date) -> tuple[str, str, str]:
    """Below the bar in two lines, and in its tip."""
    match grain:
        case "week":
            return f"{begin.day} {begin:%b}", f"to {end.day}", f"{span_words(begin, end)} {end.year}"
        case "month":
            return f"{begin:%b}", f"{begin.year}", f"{begin:%B %Y}"
        case _:
            return str(begin.day), f"{begin:%a}", long_day(begin)


def derive_limit(days: Sequence[Day], tenants: Sequence[Tenant]) -> tuple[float, str] | None:
    """The line of all quotas of a day; None when the bars would vanish below it."""
    quotas = sum(tenant.quota.daily_tokens for tenant in tenants)
    highest = max((sum(day.amounts) + day.forecast for day in days), default=0.0)
    return (quotas, f"all quotas {round_text(quotas)}") if highest >= VISIBLE_SHARE * quotas > 0 else None


def derive_quota_words(days: Sequence[Day], tenants: Sequence[Tenant]) -> str:
    """For the header, when the line is not drawn."""
    quotas = sum(tenant.quota.daily_tokens for tenant in tenants)
    if not quotas or derive_limit(days, tenants) is not None:
        return ""
    return f"all quotas {round_text(quotas)} a day"
