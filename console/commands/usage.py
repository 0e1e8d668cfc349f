"""`dabba usage`: tokens by tenant and day against the quota, and the ledger against the engine's own counters."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from console.commands.output import print_json, print_table, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine_host.answering.reconcile import Comparison
    from storage.records import Tenant, TokenUse, UsageDay


def usage(
    days: Annotated[int, typer.Option(help="How many days back, today included.", min=1, max=3660)] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show what each tenant used."""
    run(_usage(days, as_json))


async def _usage(days: int, as_json: bool) -> None:
    from console.house import open_house
    from engine_host.answering.reconcile import compare
    from storage.paths import home_from_environment
    from storage.queries.tenants import all_tenants
    from storage.queries.usage import usage_by_day

    house = await open_house(home_from_environment())
    try:
        await house.engines.join()
        today = datetime.now(UTC).date()
        tenants = await house.database.run(all_tenants)
        # First, for it may add tokens to a broken turn and its day.
        found = [await compare(house.database, session) for session in house.engines.sessions]
        rows = await house.database.run(lambda s: usage_by_day(s, today - timedelta(days), today + timedelta(days=1)))
    finally:
        await house.close()
    wanted, engines = newest_days(rows, days), [one for one in found if one is not None]
    if as_json:
        print_json(as_object(tenants, wanted, engines))
    else:
        print_people(tenants, wanted, engines)


def newest_days(rows: tuple[UsageDay, ...], days: int) -> tuple[UsageDay, ...]:
    """The rows of the last `days` calendar days that have any."""
    kept = sorted({row.day for row in rows})[-days:]
    return tuple(row for row in rows if row.day in kept)


def tokens_object(tokens: TokenUse) -> dict[str, int]:
    return {
        "prompt": tokens.prompt,
        "cached": tokens.cached,
        "output": tokens.output,
        "total": tokens.prompt + tokens.output,
    }


def as_object(tenants: tuple[Tenant, ...], rows: tuple[UsageDay, ...], engines: Sequence[Comparison]) -> dict[str, Any]:
    quotas = {tenant.tenant_id: tenant.quota.daily_tokens for tenant in tenants}
    return {
        "days": [
            {
                "tenant": row.tenant_id,
                "day": row.day.isoformat(),
                "requests": row.requests,
                "refused": row.refused,
                "failed": row.failed,
                "cancelled": row.cancelled,
                "tokens": tokens_object(row.tokens),
                "quota": quotas.get(row.tenant_id),
            }
            for row in rows
        ],
        "engine": engines[0].as_object() if engines else None,
        "engines": [one.as_object() for one in engines],
    }


def print_people(tenants: tuple[Tenant, ...], rows: tuple[UsageDay, ...], engines: Sequence[Comparison]) -> None:
    names = {tenant.tenant_id: tenant for tenant in tenants}
    if not rows:
        print("Nobody has asked anything yet.")
    else:
        header = ("tenant", "day", "requests", "cancelled", "failed", "refused", "in", "cached", "out", "quota used")
        print_table(header, [_row(row, names.get(row.tenant_id)) for row in rows], frozenset(range(2, 10)))
    for one in engines:
        print(f"Engine run {one.ledger.engine_run}. {one.sentence()}" if len(engines) > 1 else one.sentence())


def _row(row: UsageDay, tenant: Tenant | None) -> tuple[object, ...]:
    used = row.tokens.prompt + row.tokens.output
    share = f"{100 * used / tenant.quota.daily_tokens:.2f} %" if tenant else "–"
    tokens = row.tokens
    counts = (row.requests, row.cancelled, row.failed, row.refused)
    return (
        tenant.name if tenant else row.tenant_id,
        row.day,
        *counts,
        f"{tokens.prompt:,}",
        f"{tokens.cached:,}",
        f"{tokens.output:,}",
        share,
    )
