"""What a tenant will have used at the end of its day, and when its quota ends. Pure.

Where days of the same weekday are known, the day so far is laid on their mean shape: what is used by now is the share
of a day that they had used at this time. Without them the day's own mean pace since its first question goes on. Too
little of either is told as such.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from engine_host.usage.day import SLOT, SLOTS, slot_marks, wall_slot

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime
    from zoneinfo import ZoneInfo

    from storage.usage_records import SlotUse

WEEKS_BACK: Final = 4
LEAST_REQUESTS: Final = 10
LEAST_TIME: Final = timedelta(hours=1)
LEAST_SHARE: Final = 0.05
"""Less of a day than this says nothing of the rest of it."""


class Basis(Enum):
    """SHAPE: today's own amount on the shape of days before. BEFORE: too early for that, the rest as on those days.
    PACE: no such day is known, today's own pace goes on."""

    SHAPE = "shape"
    BEFORE = "before"
    PACE = "pace"


@dataclass(frozen=True, slots=True)
class Forecast:
    """`path` leads from now to the end of the day; `ends_at` is when `quota` is used up, None = not today. An amount is
    tokens in and out. It is what would be asked for: over a quota nothing is used any more."""

    basis: Basis
    days: tuple[date, ...]
    path: tuple[tuple[datetime, float], ...]
    ends_at: datetime | None

    @property
    def at_midnight(self) -> int:
        return round(self.path[-1][1])


@dataclass(frozen=True, slots=True)
class TooLittle:
    """No forecast: `requests` came within `since` the first one of the day (None = there was none)."""

    requests: int
    since: timedelta | None


Outlook = Forecast | TooLittle


def same_weekday(day: date) -> tuple[date, ...]:
    """The days whose shape is asked for, the nearest first."""
    return tuple(day - timedelta(weeks=back) for back in range(1, WEEKS_BACK + 1))


def forecast(day: date, zone: ZoneInfo, now: datetime, slots: Sequence[SlotUse], quota: int) -> Outlook:
    """Of the tenant's `day` at `now`; `slots` are those of that day and of days before it with the same weekday."""
    own = [slot for slot in slots if slot.day == day]
    used, requests = sum(slot.tokens for slot in own), sum(slot.requests for slot in own)
    known = _known_days(day, slots)
    if known:
        basis, path = _on_shape(day, zone, now, used, requests, [_shape(one, zone) for one in known.values()], known)
    else:
        first = min((slot.start for slot in own), default=None)
        since = None if first is None else now - first
        if since is None or since < LEAST_TIME or requests < LEAST_REQUESTS:
            return TooLittle(requests, since)
        basis, path = Basis.PACE, _straight(day, zone, now, used, used / (since / SLOT))
    return Forecast(basis, tuple(sorted(known)), path, ended_at(own, quota, now) or _crossing(path, quota))


def ended_at(slots: Sequence[SlotUse], quota: int, now: datetime) -> datetime | None:
    """By when the quota of a day was used up, to the quarter of an hour; None when it was not."""
    used = 0
    for slot in sorted(slots, key=lambda one: one.start):
        used += slot.tokens
        if used >= quota:
            return min(slot.start + SLOT, now)
    return None


def _known_days(day: date, slots: Sequence[SlotUse]) -> dict[date, list[SlotUse]]:
    days: dict[date, list[SlotUse]] = {}
    for slot in slots:
        if slot.day in same_weekday(day):
            days.setdefault(slot.day, []).append(slot)
    return {
        one: found
        for one, found in days.items()
        if sum(slot.requests for slot in found) >= LEAST_REQUESTS and sum(slot.tokens for slot in found) > 0
    }


def _shape(slots: Sequence[SlotUse], zone: ZoneInfo) -> list[float]:
    """The share of a day's tokens that was used when the wall's clock showed each slot's beginning, and the end."""
    by_slot = [0.0] * SLOTS
    for slot in slots:
        by_slot[min(int(wall_slot(slot.start, zone)), SLOTS - 1)] += slot.tokens
    whole, so_far = sum(by_slot), 0.0
    shares = [0.0]
    for tokens in by_slot:
        so_far += tokens
        shares.append(so_far / whole)
    return shares


def _on_shape(
    day: date, zone: ZoneInfo, now: datetime, used: int, requests: int, shapes: list[list[float]],
    known: dict[date, list[SlotUse]],
) -> tuple[Basis, tuple[tuple[datetime, float], ...]]:  # fmt: skip
    mean = [sum(shares) / len(shapes) for shares in zip(*shapes, strict=True)]
    moments = [mark for mark in slot_marks(day, zone) if mark < now] + [now, *_later(day, zone, now)]
    shares = _rising(mean, moments, zone)
    place = moments.index(now)
    share = shares[place]
    own = share >= LEAST_SHARE and requests >= LEAST_REQUESTS
    usual = sum(slot.tokens for slots in known.values() for slot in slots) / len(known)
    whole = used / share if own else usual
    rest = zip(moments[place:], shares[place:], strict=True)
    path = tuple((moment, used + (there - share) * whole) for moment, there in rest)
    return (Basis.SHAPE if own else Basis.BEFORE), path


def _rising(mean: Sequence[float], moments: Sequence[datetime], zone: ZoneInfo) -> list[float]:
    """The share at each moment. It never falls: an hour that the clocks repeat is lived through on the same share, and
    at the day's end all is used."""
    shares: list[float] = []
    highest = 0.0
    for number, moment in enumerate(moments):
        whole, part = divmod(wall_slot(moment, zone), 1)
        here = mean[int(whole)] + part * (mean[min(int(whole) + 1, SLOTS)] - mean[int(whole)])
        highest = max(highest, 1.0 if number == len(moments) - 1 else here)
        shares.append(highest)
    return shares


def _straight(day: date, zone: ZoneInfo, now: datetime, used: int, a_slot: float) -> tuple[tuple[datetime, float], ...]:
    return tuple((moment, used + (moment - now) / SLOT * a_slot) for moment in (now, *_later(day, zone, now)))


def _later(day: date, zone: ZoneInfo, now: datetime) -> list[datetime]:
    return [mark for mark in slot_marks(day, zone) if mark > now]


def _crossing(path: Sequence[tuple[datetime, float]], quota: int) -> datetime | None:
    for (before, low), (after, high) in pairwise(path):
        if low < quota <= high:
            return before + (after - before) * ((quota - low) / (high - low))
    return None
