"""Rows, totals and bars of the Tenants page, from what was read. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from console.tenants.period import days_of
from console.widgets.bar_chart import Day
from console.widgets.chart_data import tick_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date
    from zoneinfo import ZoneInfo

    from console.tenants.reading import UsageRead
    from console.theme.tokens import ColorToken
    from storage.records import Tenant, UsageDay

BAR_DAYS: Final = 14
WARN_SHARE: Final = 0.75
VISIBLE_SHARE: Final = 0.05
"""Bars lower than this part of all quotas would not be seen beside the quotas' line."""


@dataclass(frozen=True, slots=True)
class UsageRow:
    """One tenant in the chosen period; `computed` and `cached` are its tokens in. `used_today` counts in and out."""

    tenant_id: str
    name: str
    note: str
    series: int
    requests: int
    computed: int
    cached: int
    output: int
    refused: int
    cancelled: int
    failed: int
    used_today: int
    quota: int

    @property
    def share(self) -> float:
        return self.used_today / self.quota if self.quota else 1.0


def derive_rows(read: UsageRead, period: str) -> tuple[UsageRow, ...]:
    return tuple(_row(read, tenant, period) for tenant in read.tenants)


def _row(read: UsageRead, tenant: Tenant, period: str) -> UsageRow:
    today = read.today(tenant)
    first, last = days_of(period, today)
    days = [one for one in read.days if one.tenant_id == tenant.tenant_id and first <= one.day <= last]
    now = [one for one in read.days if one.tenant_id == tenant.tenant_id and one.day == today]
    cached = _sum(days, lambda one: one.tokens.cached)
    return UsageRow(
        tenant_id=tenant.tenant_id,
        name=tenant.name,
        note=tenant.note,
        series=tenant.colour,
        requests=_sum(days, lambda one: one.requests),
        computed=_sum(days, lambda one: one.tokens.prompt) - cached,
        cached=cached,
        output=_sum(days, lambda one: one.tokens.output),
        refused=_sum(days, lambda one: one.refused),
        cancelled=_sum(days, lambda one: one.cancelled),
        failed=_sum(days, lambda one: one.failed),
        used_today=_sum(now, tokens_of),
        quota=tenant.quota.daily_tokens,
    )


def derive_total(rows: Sequence[UsageRow]) -> UsageRow:
    def total(pick: Callable[[UsageRow], int]) -> int:
        return sum(pick(row) for row in rows)

    return UsageRow(
        tenant_id="",
        name="All tenants",
        note="",
        series=0,
        requests=total(lambda r: r.requests),
        computed=total(lambda r: r.computed),
        cached=total(lambda r: r.cached),
        output=total(lambda r: r.output),
        refused=total(lambda r: r.refused),
        cancelled=total(lambda r: r.cancelled),
        failed=total(lambda r: r.failed),
        used_today=total(lambda r: r.used_today),
        quota=total(lambda r: r.quota),
    )


def tokens_of(day: UsageDay) -> int:
    """What counts against the quota."""
    return day.tokens.prompt + day.tokens.output


def quota_color(share: float) -> ColorToken:
    return "error" if share >= 1 else "warn" if share >= WARN_SHARE else "seg-a"


def amount_text(amount: int) -> str:
    """8.33 M, 12,345: what is much less than a million is told exactly."""
    return f"{amount / 1e6:.2f} M" if amount >= 100_000 else f"{amount:,}"


def share_text(row: UsageRow) -> str:
    """The share of the quota that is used, with one decimal; a little is not nothing."""
    if not row.quota:
        return "–"
    return "< 0.1 %" if 0 < row.share < 0.0005 else f"{row.share * 100:.1f} %"


def quota_text(row: UsageRow) -> str:
    """ "8.33 of 20 M", "9,431 of 20 M"."""
    used = f"{row.used_today / 1e6:.2f}" if row.used_today >= 100_000 <= row.quota / 10 else f"{row.used_today:,}"
    return f"{used} of {tick_text(row.quota)}"


def derive_days(read: UsageRead, zone: ZoneInfo) -> tuple[Day, ...]:
    """The last 14 days, oldest first; a day without use is an empty place."""
    today = read.now.astimezone(zone).date()
    return tuple(_day(read, today - timedelta(days=back), today) for back in range(BAR_DAYS - 1, -1, -1))


def _day(read: UsageRead, day: date, today: date) -> Day:
    used = {one.tenant_id: tokens_of(one) for one in read.days if one.day == day}
    amounts = tuple(float(used.get(tenant.tenant_id, 0)) for tenant in read.tenants)
    parts = [f"{t.name} {amount_text(int(a))}" for t, a in zip(read.tenants, amounts, strict=True)]
    return Day(
        name=str(day.day),
        second="today" if day == today else f"{day:%a}",
        amounts=amounts,
        strong=day == today,
        tip="\n".join((f"{day:%A} {day.day} {day:%B}: {amount_text(int(sum(amounts)))} tokens", *parts)),
    )


def derive_limit(days: Sequence[Day], tenants: Sequence[Tenant]) -> tuple[float, str] | None:
    """The line of all quotas; None when the bars would vanish below it."""
    quotas = sum(tenant.quota.daily_tokens for tenant in tenants)
    highest = max((sum(day.amounts) for day in days), default=0.0)
    return (quotas, f"all quotas {tick_text(quotas)}") if highest >= VISIBLE_SHARE * quotas > 0 else None


def derive_quota_words(days: Sequence[Day], tenants: Sequence[Tenant]) -> str:
    """For the header, when the line is not drawn."""
    quotas = sum(tenant.quota.daily_tokens for tenant in tenants)
    if not quotas or derive_limit(days, tenants) is not None:
        return ""
    return f"all quotas {tick_text(quotas)} a day"


def _sum(days: Sequence[UsageDay], pick: Callable[[UsageDay], int]) -> int:
    return sum(pick(day) for day in days)
