"""Rows and totals of the Tenants page, from what was read. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from console.tenants.amounts import round_text, tokens_of
from console.tenants.outlook_shown import outlook_text
from console.tenants.period import days_of
from engine_host.usage.cost import cost_by_day

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date

    from console.tenants.reading import UsageRead
    from console.theme.tokens import ColorToken
    from engine_host.usage.forecast import Outlook
    from storage.records import Tenant, UsageDay

WARN_SHARE: Final = 0.75


@dataclass(frozen=True, slots=True)
class UsageRow:
    """One tenant in the chosen period; `computed` and `cached` are its tokens in. `used_today` counts in and out.

    `kv_hours` are tokens times hours in KV memory, None = not read yet; `cost` None = there is no price. `outlook` is
    what today will have used by midnight, or when the quota ends.
    """

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
    kv_hours: float | None = None
    cost: float | None = None
    currency: str = ""
    outlook: str = ""
    outlook_ink: ColorToken | None = None

    @property
    def share(self) -> float:
        return self.used_today / self.quota if self.quota else 1.0


def derive_rows(read: UsageRead, period: str) -> tuple[UsageRow, ...]:
    # A tenant's day may be the one before or after the kitchen's.
    since = days_of(period, read.now.astimezone(read.zone).date())[0] - timedelta(days=1)
    days = [one for one in read.days if one.day >= since]
    costs = cost_by_day(days, read.kv, read.prices, read.zone, read.now)
    rows = (_row(read, tenant, period, days, costs) for tenant in read.tenants)
    return tuple(_with_outlook(row, read, read.outlooks.get(row.tenant_id)) for row in rows)


def _with_outlook(row: UsageRow, read: UsageRead, outlook: Outlook | None) -> UsageRow:
    zone = next(ZoneInfo(one.timezone) for one in read.tenants if one.tenant_id == row.tenant_id)
    text, ink = outlook_text(outlook, zone, read.now)
    return replace(row, outlook=text, outlook_ink=ink)


def _row(
    read: UsageRead, tenant: Tenant, period: str, recent: Sequence[UsageDay],
    costs: Mapping[tuple[str, date], float] | None,
) -> UsageRow:  # fmt: skip
    today = read.today(tenant)
    first, last = days_of(period, today)
    kv = [one.token_seconds for one in read.kv if one.tenant_id == tenant.tenant_id and first <= one.day <= last]
    known = read.kv_since is not None and read.kv_since <= first
    own = [one for one in recent if one.tenant_id == tenant.tenant_id]
    days = [one for one in own if first <= one.day <= last]
    now = [one for one in own if one.day == today]
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
        kv_hours=sum(kv) / 3600 if known else None,
        cost=_cost(costs, tenant, first, last) if known or read.prices.by_tokens else None,
        currency=read.prices.currency,
    )


def _cost(costs: Mapping[tuple[str, date], float] | None, tenant: Tenant, first: date, last: date) -> float | None:
    if costs is None:
        return None
    return sum(cost for (whose, day), cost in costs.items() if whose == tenant.tenant_id and first <= day <= last)


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
        kv_hours=_all_known([row.kv_hours for row in rows]),
        cost=_all_known([row.cost for row in rows]),
        currency=rows[0].currency if rows else "",
    )


def _all_known(figures: Sequence[float | None]) -> float | None:
    known = [figure for figure in figures if figure is not None]
    return sum(known) if known and len(known) == len(figures) else None


def quota_color(share: float) -> ColorToken:
    return "error" if share >= 1 else "warn" if share >= WARN_SHARE else "seg-a"


def share_text(row: UsageRow) -> str:
    """The share of the quota that is used, with one decimal; a little is not nothing."""
    if not row.quota:
        return "–"
    return "< 0.1 %" if 0 < row.share < 0.0005 else f"{row.share * 100:.1f} %"


def quota_text(row: UsageRow) -> str:
    """ "8.33 of 20 M", "9,431 of 20 M"."""
    used = f"{row.used_today / 1e6:.2f}" if row.used_today >= 100_000 <= row.quota / 10 else f"{row.used_today:,}"
    return f"{used} of {round_text(row.quota)}"


def _sum(days: Sequence[UsageDay], pick: Callable[[UsageDay], int]) -> int:
    return sum(pick(day) for day in days)
