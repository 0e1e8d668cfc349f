"""An outlook in words, by the tenant's own clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_host.usage.forecast import LEAST_REQUESTS, Basis, Forecast, TooLittle

if TYPE_CHECKING:
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from engine_host.usage.forecast import Outlook


def basis_words(outlook: Outlook) -> str:
    """What the outlook rests on, or why there is none."""
    match outlook:
        case TooLittle(_, None):
            return "Nobody has asked today yet."
        case TooLittle(requests, since) if since is not None:
            asked = f"{requests} question{'' if requests == 1 else 's'} in {since.total_seconds() / 60:.0f} minutes"
            return (
                f"Too little of today to tell: {asked}. It takes an hour and {LEAST_REQUESTS} questions, or a day "
                "of the same weekday in the four weeks before."
            )
        case Forecast():
            return _of_forecast(outlook)
        case _:
            raise ValueError(outlook)


def _of_forecast(forecast: Forecast) -> str:
    if forecast.basis is Basis.PACE:
        return "Today's own pace since its first question: no earlier day of this weekday is known."
    count, name = len(forecast.days), f"{forecast.days[0]:%A}"
    days = f"the {name} before" if count == 1 else f"{count} {name}s before"
    if forecast.basis is Basis.SHAPE:
        return f"Today's own amount on the shape of {days}."
    return f"Too early for today's own pace: the rest as on {days}."


def end_words(forecast: Forecast, zone: ZoneInfo, now: datetime) -> str:
    """ "ends 13:20", "ended 12:45"; empty when the quota lasts."""
    if forecast.ends_at is None:
        return ""
    verb = "ended" if forecast.ends_at <= now else "ends"
    return f"{verb} {forecast.ends_at.astimezone(zone):%H:%M}"
