"""What was read, made by hand, for what the Tenants page shows of it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from console.tenants.reading import UsageRead
from storage.records import TokenUse, UsageDay
from tests.console.tenants.house import KAMALA, MERIDIAN

ZONE = ZoneInfo("Asia/Kolkata")
NOW = datetime(2026, 11, 30, 7, 14, tzinfo=UTC)
TODAY = date(2026, 11, 30)


def usage(*days: UsageDay, tenants: tuple[object, ...] = (KAMALA, MERIDIAN)) -> UsageRead:
    return UsageRead(NOW, tenants, days)  # pyright: ignore[reportArgumentType]


def day(tenant: str, back: int, prompt: int, cached: int = 0, output: int = 0, requests: int = 1) -> UsageDay:
    return UsageDay(tenant, TODAY - timedelta(days=back), requests, 1, 2, 3, TokenUse(prompt, cached, output))
