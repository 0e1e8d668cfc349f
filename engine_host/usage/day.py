"""A tenant's calendar day as moments: 24 hours long, 23 or 25 when the clocks change. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from storage.usage_records import SLOT_S

if TYPE_CHECKING:
    from datetime import date
    from zoneinfo import ZoneInfo

SLOT: Final = timedelta(seconds=SLOT_S)
SLOTS: Final = 86_400 // SLOT_S
"""Slots that the clock on the wall shows in a day."""


def day_bounds(day: date, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """The first moment of a day and the first one after it, in UTC."""
    begin, end = (datetime.combine(one, time(), zone).astimezone(UTC) for one in (day, day + timedelta(days=1)))
    return begin, end


def slot_marks(day: date, zone: ZoneInfo) -> tuple[datetime, ...]:
    """Every quarter of an hour from the day's first moment to its end, both included."""
    begin, end = day_bounds(day, zone)
    return tuple(begin + number * SLOT for number in range((end - begin) // SLOT + 1))


def hours_so_far(day: date, zone: ZoneInfo, now: datetime) -> float:
    """How much of a day has passed: all of an earlier one, nothing of a later one."""
    begin, end = day_bounds(day, zone)
    return max(0.0, (min(end, now) - begin) / timedelta(hours=1))


def wall_slot(moment: datetime, zone: ZoneInfo) -> float:
    """What the clock on the wall shows, in slots since midnight."""
    local = moment.astimezone(zone)
    return ((local.hour * 60 + local.minute) * 60 + local.second) / SLOT_S


def begin_of(grain: str, day: date) -> date:
    """The first day of the day, week or month that `day` is in."""
    match grain:
        case "week":
            return day - timedelta(days=day.weekday())
        case "month":
            return day.replace(day=1)
        case _:
            return day
