"""Days, times and names as the Articles page writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime, tzinfo

    from knowledge.article import ArticleText
    from storage.records import Tenant

NEAR_DAYS: Final = 183
"""A day that is further away than this is written with its year."""
MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
LANGUAGES: Final = {"en": "English", "hi": "Hindi", "mr": "Marathi"}


def day_text(day: date, today: date) -> str:
    """`18 Nov`, or `1 Jan 2025` when that is not near today."""
    year = f" {day.year}" if abs((day - today).days) > NEAR_DAYS else ""
    return f"{day.day} {MONTHS[day.month - 1]}{year}"


def moment_text(moment: datetime, now: datetime, zone: tzinfo) -> str:
    """`12:39` for today in the kitchen's zone, else the day."""
    there, today = moment.astimezone(zone), now.astimezone(zone).date()
    return f"{there:%H:%M}" if there.date() == today else day_text(there.date(), today)


def validity_text(text: ArticleText, today: date) -> str:
    first, last = text.valid_from, text.valid_to
    if first and last:
        return f"{day_text(first, today)} to {day_text(last, today)}"
    if last:
        return f"until {day_text(last, today)}"
    return f"from {day_text(first, today)}" if first else "always"


def readers_text(text: ArticleText, tenants: Mapping[str, Tenant]) -> str:
    """For whom it is: `Customers, all`, `Staff`, or the tenants' names, after `Staff, ` when it is for staff."""
    staff = text.audience.value == "staff"
    if not text.tenants:
        return "Staff" if staff else "Customers, all"
    names = ", ".join(tenants[key].name if key in tenants else key for key in text.tenants)
    return f"Staff, {names}" if staff else names


def language_text(code: str) -> str:
    return LANGUAGES.get(code, code)


def count_text(number: int, one: str, many: str = "") -> str:
    """`1 chunk`, `1,262 chunks`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def short_hash(digest: str) -> str:
    return f"{digest[:4]}…{digest[-4:]}" if len(digest) > 9 else digest
