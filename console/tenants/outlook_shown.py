"""The forecasts of the tenants' days in words, and the panel of one tenant's day. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from console.tenants.amounts import VISIBLE_SHARE, amount_text, round_text, tokens_of
from engine_host.usage.day import SLOT, day_bounds
from engine_host.usage.forecast import Forecast
from engine_host.usage.words import basis_words, end_words

if TYPE_CHECKING:
    from datetime import datetime

    from console.tenants.reading import UsageRead
    from console.theme.tokens import ColorToken
    from engine_host.usage.forecast import Outlook
    from storage.records import Tenant

Points = tuple[tuple[float, float], ...]
"""Times in epoch s, tokens."""


@dataclass(frozen=True, slots=True)
class DayShown:
    """One tenant's day by its own clock. `quota` None = its line would be far above the curve. `end` is where the quota
    ends or ended, with the time's words."""

    name: str
    series: int
    zone: ZoneInfo
    value: str
    window: tuple[float, float]
    now: float
    used: Points
    path: Points
    quota: int | None
    end: tuple[float, float, str] | None
    at_midnight: str
    fact: str
    why: str
    color: ColorToken


def derive_day(read: UsageRead, tenant: Tenant) -> DayShown:
    outlook = read.outlooks[tenant.tenant_id]
    zone, today, quota = ZoneInfo(tenant.timezone), read.today(tenant), tenant.quota.daily_tokens
    begin, end = day_bounds(today, zone)
    used = _curve(read, tenant, begin)
    path = tuple((at.timestamp(), tokens) for at, tokens in outlook.path) if isinstance(outlook, Forecast) else ()
    highest = max(tokens for _, tokens in (*used, *path))
    of_today = sum(tokens_of(one) for one in read.days if one.tenant_id == tenant.tenant_id and one.day == today)
    fact, color = _fact(outlook, read.now, zone, quota)
    return DayShown(
        name=tenant.name,
        series=tenant.colour,
        zone=zone,
        value=f"{amount_text(of_today)} of {round_text(quota)}",
        window=(begin.timestamp(), end.timestamp()),
        now=read.now.timestamp(),
        used=used,
        path=path,
        quota=quota if highest >= VISIBLE_SHARE * quota else None,
        end=_end(outlook, zone, quota),
        at_midnight=f"{amount_text(outlook.at_midnight)} at midnight" if isinstance(outlook, Forecast) else "",
        fact=fact,
        why=_why(outlook, read.now, end.astimezone(zone)),
        color=color,
    )


def _curve(read: UsageRead, tenant: Tenant, begin: datetime) -> Points:
    """What was used by each moment: it rises evenly over the quarter of an hour in which questions came."""
    total = 0.0
    points = [(begin.timestamp(), 0.0)]
    today = read.today(tenant)
    for slot in sorted(read.slots.get(tenant.tenant_id, ()), key=lambda one: one.start):
        if slot.day == today:
            points.append((slot.start.timestamp(), total))
            total += slot.tokens
            points.append((min(slot.start + SLOT, read.now).timestamp(), total))
    return (*points, (read.now.timestamp(), total))


def _end(outlook: Outlook, zone: ZoneInfo, quota: int) -> tuple[float, float, str] | None:
    if not isinstance(outlook, Forecast) or outlook.ends_at is None:
        return None
    return outlook.ends_at.timestamp(), float(quota), f"{outlook.ends_at.astimezone(zone):%H:%M}"


def _fact(outlook: Outlook, now: datetime, zone: ZoneInfo, quota: int) -> tuple[str, ColorToken]:
    if not isinstance(outlook, Forecast):
        return "No forecast yet.", "text"
    if outlook.ends_at is None:
        return f"The quota lasts today: {amount_text(outlook.at_midnight)} of {round_text(quota)} at midnight.", "text"
    clock = f"{outlook.ends_at.astimezone(zone):%H:%M}"
    if outlook.ends_at <= now:
        return f"The quota was used up by {clock}.", "error"
    return f"The quota ends at {clock} at this pace.", "text"


def _why(outlook: Outlook, now: datetime, midnight: datetime) -> str:
    basis = basis_words(outlook)
    if not isinstance(outlook, Forecast) or outlook.ends_at is None:
        return basis
    until = f"refused until {midnight:%H:%M} {midnight.tzname()}; other tenants are not affected."
    if outlook.ends_at <= now:
        return f"Its questions are {until}"
    return f"From then on its questions are {until} {basis}"


NO_FORECAST: Final = "–"


def outlook_text(outlook: Outlook | None, zone: ZoneInfo, now: datetime) -> tuple[str, ColorToken | None]:
    """For the table: what will be used by midnight, or when the quota ends, with a colour when it does."""
    if not isinstance(outlook, Forecast):
        return NO_FORECAST, None
    words = end_words(outlook, zone, now)
    if not words:
        return amount_text(outlook.at_midnight), None
    return words, "error" if outlook.ends_at is not None and outlook.ends_at <= now else "warn"


def rest_of_today(read: UsageRead, zone: ZoneInfo) -> float:
    """What all tenants may still use today, by the kitchen's calendar; 0 when it is not known of one that uses some."""
    rest = 0.0
    today = read.now.astimezone(zone).date()
    for tenant in read.tenants:
        outlook = read.outlooks.get(tenant.tenant_id)
        if isinstance(outlook, Forecast):
            used = outlook.path[0][1]
            rest += outlook.at_midnight - used if read.today(tenant) == today else 0.0
        elif outlook is None or outlook.since is not None:
            return 0.0
    return rest if rest >= 1 else 0.0
