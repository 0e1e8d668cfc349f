"""What `dabba usage` prints: one JSON object, or a table and sentences. Pure but for the printing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from console.commands.output import print_table
from engine_host.usage.cost import NO_PRICE, cost_text
from engine_host.usage.day import begin_of
from engine_host.usage.forecast import Forecast
from engine_host.usage.words import basis_words, end_words
from storage.records import TokenUse, UsageDay

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from engine_host.answering.reconcile import Comparison
    from engine_host.usage.forecast import Outlook
    from storage.records import Tenant
    from storage.usage_records import KvDay
    from storage.usage_settings import Prices


@dataclass
class Sum:
    """One tenant's day, week or month from `begin` on. `cost` None = no price is set."""

    tenant_id: str
    begin: date
    use: UsageDay
    kv_token_seconds: float = 0.0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class UsageSaid:
    """`by` is day, week or month; `engines` are the names of those that were compared, with how that went."""

    by: str
    now: datetime
    tenants: tuple[Tenant, ...]
    rows: tuple[Sum, ...]
    outlooks: Mapping[str, Outlook]
    prices: Prices
    engines: tuple[tuple[str, Comparison], ...] = field(default=())


def added_up(
    days: Sequence[UsageDay], kv: Sequence[KvDay], costs: Mapping[tuple[str, date], float] | None, by: str
) -> tuple[Sum, ...]:
    """In the order of time and then tenants."""
    sums: dict[tuple[date, str], Sum] = {}
    for one in days:
        begin = begin_of(by, one.day)
        kept = sums.setdefault((begin, one.tenant_id), Sum(one.tenant_id, begin, UsageDay(one.tenant_id, begin)))
        kept.use = _plus(kept.use, one)
        if costs is not None:
            kept.cost = (kept.cost or 0.0) + costs.get((one.tenant_id, one.day), 0.0)
    for held in kv:
        if (kept := sums.get((begin_of(by, held.day), held.tenant_id))) is not None:
            kept.kv_token_seconds += held.token_seconds
    return tuple(sums[key] for key in sorted(sums))


def _plus(one: UsageDay, more: UsageDay) -> UsageDay:
    tokens = TokenUse(
        one.tokens.prompt + more.tokens.prompt,
        one.tokens.cached + more.tokens.cached,
        one.tokens.output + more.tokens.output,
    )
    return UsageDay(
        one.tenant_id, one.day, one.requests + more.requests, one.refused + more.refused, one.failed + more.failed,
        one.cancelled + more.cancelled, tokens,
    )  # fmt: skip


def as_object(said: UsageSaid) -> dict[str, Any]:
    return {
        f"{said.by}s": [_row_object(said, row) for row in said.rows],
        "today": [_today_object(said, tenant) for tenant in said.tenants],
        "engine": said.engines[0][1].as_object() if said.engines else None,
        "engines": [{"name": name, **one.as_object()} for name, one in said.engines],
    }


def _row_object(said: UsageSaid, row: Sum) -> dict[str, Any]:
    tokens, use = row.use.tokens, row.use
    return {
        "tenant": row.tenant_id,
        said.by: row.begin.isoformat(),
        "requests": use.requests,
        "refused": use.refused,
        "failed": use.failed,
        "cancelled": use.cancelled,
        "tokens": {
            "prompt": tokens.prompt,
            "cached": tokens.cached,
            "output": tokens.output,
            "total": tokens.prompt + tokens.output,
        },
        "kv_token_seconds": round(row.kv_token_seconds, 1),
        "cost": row.cost,
        "currency": None if row.cost is None else said.prices.currency,
        "quota": next((one.quota.daily_tokens for one in said.tenants if one.tenant_id == row.tenant_id), None),
    }


def _today_object(said: UsageSaid, tenant: Tenant) -> dict[str, Any]:
    outlook = said.outlooks[tenant.tenant_id]
    known = outlook if isinstance(outlook, Forecast) else None
    return {
        "tenant": tenant.tenant_id,
        "quota": tenant.quota.daily_tokens,
        "at_midnight": known.at_midnight if known else None,
        "quota_ends_at": known.ends_at.isoformat() if known and known.ends_at else None,
        "why": basis_words(outlook),
    }


def print_people(said: UsageSaid) -> None:
    if not said.rows:
        print("Nobody has asked anything yet.")
    else:
        counts = ("requests", "cancelled", "failed", "refused")
        header = ("tenant", said.by, *counts, "in", "cached", "out", "KV token-h", "cost", "quota used")
        shown = header if said.by == "day" else header[:-1]
        print_table(shown, [_row(said, row)[: len(shown)] for row in said.rows], frozenset(range(2, len(header))))
        if not (said.prices.by_tokens or said.prices.by_machine):
            print(NO_PRICE)
    for tenant in said.tenants:
        print(f"{tenant.name}: {_outlook_words(said, tenant)}")
    for name, one in said.engines:
        print(f"{name}: {one.sentence()}" if len(said.engines) > 1 else one.sentence())


def _row(said: UsageSaid, row: Sum) -> tuple[object, ...]:
    tenant = next((one for one in said.tenants if one.tenant_id == row.tenant_id), None)
    use, tokens = row.use, row.use.tokens
    used = tokens.prompt + tokens.output
    return (
        tenant.name if tenant else row.tenant_id,
        row.begin,
        use.requests,
        use.cancelled,
        use.failed,
        use.refused,
        f"{tokens.prompt:,}",
        f"{tokens.cached:,}",
        f"{tokens.output:,}",
        f"{row.kv_token_seconds / 3600:,.1f}",
        cost_text(row.cost, said.prices.currency),
        f"{100 * used / tenant.quota.daily_tokens:.2f} %" if tenant else "–",
    )


def _outlook_words(said: UsageSaid, tenant: Tenant) -> str:
    outlook = said.outlooks[tenant.tenant_id]
    basis = basis_words(outlook)
    if not isinstance(outlook, Forecast):
        return basis
    quota = tenant.quota.daily_tokens
    ends = end_words(outlook, ZoneInfo(tenant.timezone), said.now)
    lead = f"its quota of {quota:,} tokens {ends}." if ends else f"{outlook.at_midnight:,} of {quota:,} at midnight."
    return f"{lead} {basis}"
