"""The days that a period means, and the words for them."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

PERIODS: Final = {
    "today": "Today",
    "yesterday": "Yesterday",
    "7": "Last 7 days",
    "14": "Last 14 days",
    "30": "Last 30 days",
}


def days_of(period: str, today: date) -> tuple[date, date]:
    """The first and the last day of a period, both included."""
    match period:
        case "today":
            return today, today
        case "yesterday":
            return today - timedelta(days=1), today - timedelta(days=1)
        case _:
            return today - timedelta(days=int(period) - 1), today


def truth_of(period: str, now: datetime, zone: ZoneInfo) -> str:
    """ "Monday 30 November 2026, 00:00 to 12:44 IST", by the kitchen's clock."""
    local = now.astimezone(zone)
    first, last = days_of(period, local.date())
    until = f"{local:%H:%M} {local.tzname()}"
    if first == last:
        return f"{long_day(first)}, 00:00 to {until}" if period == "today" else long_day(first)
    return f"{span_words(first, last)} {last.year}, until {until}"


def long_day(day: date) -> str:
    return f"{day:%A} {day.day} {day:%B %Y}"


def span_words(first: date, last: date) -> str:
    """ "17 to 30 November", "24 October to 6 November"."""
    begin = str(first.day) if (first.year, first.month) == (last.year, last.month) else f"{first.day} {first:%B}"
    return f"{begin} to {last.day} {last:%B}"
