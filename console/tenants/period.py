"""The days that a period means, the bars of a chart, and the words for them. Pure."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from engine_host.usage.day import begin_of

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

PERIODS: Final = {
    "today": "Today",
    "yesterday": "Yesterday",
    "week": "This week",
    "month": "This month",
    "last month": "Last month",
    "7": "Last 7 days",
    "14": "Last 14 days",
    "30": "Last 30 days",
}
GRAINS: Final = {"day": "Day", "week": "Week", "month": "Month"}
BARS: Final = {"day": 14, "week": 13, "month": 12}
"""How many bars are shown, the last of them still under way."""


def days_of(period: str, today: date) -> tuple[date, date]:
    """The first and the last day of a period, both included. A week begins on Monday."""
    match period:
        case "today":
            return today, today
        case "yesterday":
            return today - timedelta(days=1), today - timedelta(days=1)
        case "week" | "month":
            return begin_of(period, today), today
        case "last month":
            last = begin_of("month", today) - timedelta(days=1)
            return begin_of("month", last), last
        case _:
            return today - timedelta(days=int(period) - 1), today


def bar_begins(grain: str, today: date) -> tuple[date, ...]:
    """The first day of every bar, oldest first; the last one is today's."""
    begins = [begin_of(grain, today)]
    while len(begins) < BARS[grain]:
        begins.append(begin_of(grain, begins[-1] - timedelta(days=1)))
    return tuple(reversed(begins))


def truth_of(period: str, now: datetime, zone: ZoneInfo) -> str:
    """ "Monday 30 November 2026, 00:00 to 12:44 IST", by the kitchen's clock."""
    local = now.astimezone(zone)
    first, last = days_of(period, local.date())
    until = f"{local:%H:%M} {local.tzname()}"
    if first == last:
        return f"{long_day(first)}, 00:00 to {until}" if last == local.date() else long_day(first)
    span = f"{span_words(first, last)} {last.year}"
    return f"{span}, until {until}" if last == local.date() else span


def long_day(day: date) -> str:
    return f"{day:%A} {day.day} {day:%B %Y}"


def span_words(first: date, last: date) -> str:
    """ "17 to 30 November", "24 October to 6 November", "29 December 2025 to 4 January"."""
    begin = str(first.day)
    if (first.year, first.month) != (last.year, last.month):
        begin += f" {first:%B}" if first.year == last.year else f" {first:%B %Y}"
    return f"{begin} to {last.day} {last:%B}"
