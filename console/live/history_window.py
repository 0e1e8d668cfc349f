"""Which span of the past is looked at, and what it is compared with. Pure; moments are epoch s."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from engine_host.metrics.history import DAY_S, HOUR_S, LEVELS

if TYPE_CHECKING:
    from datetime import time, tzinfo

LENGTHS: Final = {
    "900": "15 minutes", "3600": "1 hour", "21600": "6 hours", "86400": "24 hours", "604800": "7 days",
    "2592000": "30 days",
}  # fmt: skip
SLOTS_S: Final = (5, 10, 60, 300, 600, 1800, 3600, 7200)
MOST_SLOTS: Final = 360


@dataclass(frozen=True, slots=True)
class Span:
    """`last` None = until now, and it moves on. `against`: the day of the same hour beside it, None = nothing."""

    length_s: int = HOUR_S
    last: float | None = None
    against: date | None = None

    def ends(self, now: float) -> tuple[float, float]:
        """First and last moment; a span never ends later than now."""
        last = now if self.last is None else min(self.last, now)
        return last - self.length_s, last

    def slot_s(self, now: float, shift_s: float = 0.0) -> int:
        """How long one point of a chart is: no shorter than what is kept of that time, and of `shift_s` before."""
        first = self.ends(now)[0] - shift_s
        kept = next((level.step_s for level in LEVELS if now - first <= level.kept_s), LEVELS[-1].step_s)
        return next(slot for slot in SLOTS_S if slot >= kept and self.length_s <= slot * MOST_SLOTS)

    def moved(self, lengths: int, now: float) -> Span:
        """So many lengths further back (negative) or on; what reaches now follows it."""
        last = self.ends(now)[1] + lengths * self.length_s
        return replace(self, last=None if last >= now else last)

    def until_now(self) -> Span:
        return replace(self, last=None)

    def of_day(self, day: date, clock: time, zone: tzinfo, now: float) -> Span:
        """Beginning at this time of the day on the kitchen's clock."""
        last = datetime.combine(day, clock.replace(tzinfo=zone)).timestamp() + self.length_s
        return replace(self, last=None if last >= now else last)

    def begins(self, zone: tzinfo, now: float) -> datetime:
        return datetime.fromtimestamp(self.ends(now)[0], zone)

    def shift_s(self, zone: tzinfo, now: float) -> float | None:
        """How much earlier (s) the span beside it is; the same hour by the clock, also over a change of summer time."""
        if self.against is None:
            return None
        begins = self.begins(zone, now)
        beside = datetime.combine(self.against, begins.timetz().replace(tzinfo=zone))
        return begins.timestamp() - beside.timestamp()


def oldest_day(now: float, zone: tzinfo) -> date:
    """The first day of which something may be kept."""
    return datetime.fromtimestamp(now - LEVELS[-1].kept_s, zone).date()


def day_before(begins: datetime, days: int = 1) -> date:
    return begins.date() - timedelta(days=days)


def span_words(first: float, last: float, zone: tzinfo) -> str:
    """ "Mon 30 Nov 12:00 to 13:00", the second day only when it is another one."""
    begin, end = (datetime.fromtimestamp(moment, zone) for moment in (first, last))
    clock = f"{begin:%a} {begin.day} {begin:%b %H:%M}"
    if end.date() == begin.date():
        return f"{clock} to {end:%H:%M}"
    return f"{clock} to {end:%a} {end.day} {end:%b %H:%M}"


def step_words(slot_s: int) -> str:
    if slot_s < 60:
        return f"{slot_s} s"
    return f"{slot_s // 60} min" if slot_s < HOUR_S else f"{slot_s // HOUR_S} h"


def kept_words(first: float, now: float) -> str:
    """How finely the beginning of a span is kept."""
    age = now - first
    if age > LEVELS[-1].kept_s:
        return f"Samples are kept for {LEVELS[-1].kept_s // DAY_S} days."
    level = next(level for level in LEVELS if age <= level.kept_s)
    return f"kept every {step_words(level.step_s)}"
