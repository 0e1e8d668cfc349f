"""With which earlier day a span can be compared, in the words of the choice. Pure."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from console.live.history_window import day_before, oldest_day
from console.widgets.fields import Choice

if TYPE_CHECKING:
    from datetime import tzinfo

    from console.live.history_window import Span

NOTHING: Final = ""


def compare_choices(span: Span, zone: tzinfo, now: float) -> tuple[Choice, ...]:
    """Nothing, the day before, the week before, then every day of which something may be kept, the newest first."""
    begins = span.begins(zone, now)
    yesterday, week = day_before(begins), day_before(begins, 7)
    named = {yesterday: "the day before", week: "a week before"}
    last = day_before(begins)
    days = [last - timedelta(days=number) for number in range((last - oldest_day(now, zone)).days + 1)]
    known = [Choice(day.isoformat(), f"{named[day]}, {day_words(day)}") for day in (yesterday, week) if day in days]
    rest = [Choice(day.isoformat(), day_words(day)) for day in days if day not in named]
    return (Choice(NOTHING, "nothing"), *known, *rest)


def chosen_day(key: str) -> date | None:
    return date.fromisoformat(key) if key else None


def key_of(day: date | None) -> str:
    return day.isoformat() if day else NOTHING


def day_words(day: date) -> str:
    """ "Mon 30 Nov"."""
    return f"{day:%a} {day.day} {day:%b}"
