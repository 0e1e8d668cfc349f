"""Usage as a CSV file: RFC 4180, UTF-8 without a byte order mark, one line for each tenant and day."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

from console.tenants.period import days_of
from engine_host.usage.cost import cost_by_day
from storage.files import write_atomically
from storage.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date
    from pathlib import Path

    from console.tenants.reading import UsageRead
    from storage.records import Tenant, UsageDay

HEADS: Final = (
    "day", "tenant", "name", "requests", "tokens_in_computed", "tokens_in_cached", "tokens_out", "refused",
    "cancelled", "failed", "kv_token_seconds", "cost", "currency", "daily_quota_now",
)  # fmt: skip


class ExportFailed(Exception):
    """The file was not written; `str(e)` is a sentence."""


def derive_csv(read: UsageRead, period: str) -> str:
    """Lines in the order of days and then tenants; a tenant without use on a day has none.

    A cost is empty when no price is set, held memory when it is not known.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(HEADS)
    costs = cost_by_day(read.days, read.kv, read.prices, read.zone, read.now)
    held = {(one.tenant_id, one.day): one.token_seconds for one in read.kv}
    tenants = {tenant.tenant_id: tenant for tenant in read.tenants}
    for one in read.days:
        tenant = tenants.get(one.tenant_id)
        if tenant is None:
            continue
        first, last = days_of(period, read.today(tenant))
        if first <= one.day <= last:
            writer.writerow(_line(one, tenant, held, costs, read.prices.currency))
    return text.getvalue()


def _line(
    day: UsageDay, tenant: Tenant, held: Mapping[tuple[str, date], float],
    costs: Mapping[tuple[str, date], float] | None, currency: str,
) -> tuple[object, ...]:  # fmt: skip
    tokens, key = day.tokens, (day.tenant_id, day.day)
    seconds = f"{held[key]:.1f}" if key in held else ""
    cost = "" if costs is None else f"{costs.get(key, 0.0):.6f}"
    return (
        day.day.isoformat(), day.tenant_id, tenant.name, day.requests, tokens.prompt - tokens.cached, tokens.cached,
        tokens.output, day.refused, day.cancelled, day.failed, seconds, cost, "" if costs is None else currency,
        tenant.quota.daily_tokens,
    )  # fmt: skip


async def write_csv(path: Path, text: str) -> Path:
    """Raises ExportFailed; a file that was there is then as it was."""
    worker = Worker("export")
    try:
        await worker.run_to_end(write_atomically, path, text.encode())
    except OSError as error:
        raise ExportFailed(
            f"Usage was not exported: {path.parent} can't be written ({error.strerror}). Choose another folder."
        ) from error
    finally:
        await worker.aclose()
    return path
