"""Usage as a CSV file: RFC 4180, UTF-8 without a byte order mark, one line for each tenant and day."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

from console.tenants.period import days_of
from storage.files import write_atomically
from storage.worker import Worker

if TYPE_CHECKING:
    from pathlib import Path

    from console.tenants.reading import UsageRead

HEADS: Final = (
    "day", "tenant", "name", "requests", "tokens_in_computed", "tokens_in_cached", "tokens_out", "refused",
    "cancelled", "failed", "daily_quota_now",
)  # fmt: skip


class ExportFailed(Exception):
    """The file was not written; `str(e)` is a sentence."""


def derive_csv(read: UsageRead, period: str) -> str:
    """Lines in the order of days and then tenants; a tenant without use on a day has none."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(HEADS)
    tenants = {tenant.tenant_id: tenant for tenant in read.tenants}
    for one in read.days:
        tenant = tenants.get(one.tenant_id)
        if tenant is None:
            continue
        first, last = days_of(period, read.today(tenant))
        if first <= one.day <= last:
            tokens = one.tokens
            writer.writerow(
                (one.day.isoformat(), one.tenant_id, tenant.name, one.requests, tokens.prompt - tokens.cached,
                 tokens.cached, tokens.output, one.refused, one.cancelled, one.failed, tenant.quota.daily_tokens)
            )  # fmt: skip
    return text.getvalue()


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
