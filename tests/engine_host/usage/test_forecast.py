"""Forecasts of a day, worked out by hand, and days on which the clocks change."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from engine_host.usage.day import day_bounds, hours_so_far, slot_marks
from engine_host.usage.forecast import Basis, Forecast, TooLittle, ended_at, forecast
from engine_host.usage.words import basis_words, end_words
from storage.usage_records import SlotUse

PUNE, BERLIN = ZoneInfo("Asia/Kolkata"), ZoneInfo("Europe/Berlin")
MONDAY = date(2026, 11, 30)


def at(clock: str, day: date = MONDAY, zone: ZoneInfo = PUNE) -> datetime:
    return datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=zone).astimezone(UTC)


def slot(clock: str, tokens: int, requests: int = 10, day: date = MONDAY, zone: ZoneInfo = PUNE) -> SlotUse:
    return SlotUse(day, at(clock, day, zone), requests, tokens)


def weeks(back: int, day: date = MONDAY) -> date:
    return day - timedelta(weeks=back)


def outlook(now: str, *slots: SlotUse, quota: int = 10_000) -> Forecast:
    found = forecast(MONDAY, PUNE, at(now), slots, quota)
    assert isinstance(found, Forecast)
    return found


def test_that_without_earlier_days_the_own_pace_goes_on_to_midnight() -> None:
    found = outlook("12:00", slot("08:00", 1000, 20), slot("10:00", 1000, 20), quota=3000)
    assert (found.basis, found.days) == (Basis.PACE, ())
    assert found.at_midnight == 2000 + 500 * 12
    assert found.ends_at == at("14:00")
    assert end_words(found, PUNE, at("12:00")) == "ends 14:00"


def test_that_the_same_weekday_gives_the_shape() -> None:
    """By 12:45 half of a usual Monday is used, by 18:00 all of it: 4,000 now are 8,000 at midnight."""
    earlier = [slot(clock, 600, day=weeks(back)) for back in (1, 3) for clock in ("12:00", "17:45")]
    found = outlook("13:00", slot("12:15", 4000, 40), *earlier, quota=6000)
    assert (found.basis, found.days) == (Basis.SHAPE, (weeks(3), weeks(1)))
    assert found.at_midnight == 8000
    # The second half comes between 17:45 and 18:00: half of it by half of that.
    assert found.ends_at == at("17:52:30")
    assert basis_words(found) == "Today's own amount on the shape of 2 Mondays before."


def test_that_another_weekday_and_a_day_with_few_questions_give_no_shape() -> None:
    other = slot("12:00", 600, day=MONDAY - timedelta(days=1))
    found = outlook(
        "12:00", slot("08:00", 1000, 20), other, slot("12:00", 900, 9, weeks(1)), slot("12:00", 9, day=weeks(5))
    )
    assert found.basis is Basis.PACE


def test_that_early_in_the_day_the_rest_is_as_on_the_days_before() -> None:
    found = outlook("07:00", slot("06:45", 30, 3), slot("06:00", 10, 1, weeks(1)), slot("12:00", 990, 30, weeks(1)))
    assert found.basis is Basis.BEFORE
    assert found.at_midnight == 30 + 990
    assert basis_words(found) == "Too early for today's own pace: the rest as on the Monday before."


def test_that_a_quota_that_lasts_has_no_end() -> None:
    found = outlook("12:00", slot("08:00", 1000, 20), quota=1_000_000)
    assert found.ends_at is None
    assert end_words(found, PUNE, at("12:00")) == ""


def test_that_a_quota_that_is_used_up_ended_in_its_quarter_of_an_hour() -> None:
    slots = (slot("09:00", 400), slot("12:30", 700), slot("08:00", 100))
    assert ended_at(slots, 1200, at("13:00")) == at("12:45")
    assert ended_at(slots, 1201, at("13:00")) is None
    # Of a quarter that has not passed it is known by now.
    assert ended_at(slots, 1200, at("12:41")) == at("12:41")
    assert end_words(outlook("13:00", *slots, quota=1000), PUNE, at("13:00")) == "ended 12:45"


@pytest.mark.parametrize(
    ("slots", "words"),
    [
        ((), "Nobody has asked today yet."),
        ((("11:45", 100, 30),), "Too little of today to tell: 30 questions in 15 minutes."),
        ((("09:00", 100, 1),), "Too little of today to tell: 1 question in 180 minutes."),
    ],
)
def test_that_too_little_is_told_and_not_guessed(slots: tuple[tuple[str, int, int], ...], words: str) -> None:
    found = forecast(MONDAY, PUNE, at("12:00"), [slot(*one) for one in slots], 100)
    assert isinstance(found, TooLittle)
    assert basis_words(found).startswith(words)


def test_that_a_path_never_falls_and_begins_with_what_is_used() -> None:
    found = outlook("12:07", slot("08:00", 1000, 20), slot("07:00", 3, day=weeks(1)), slot("20:00", 97, day=weeks(1)))
    assert found.path[0] == (at("12:07"), 1000)
    assert all(before[0] < after[0] and before[1] <= after[1] for before, after in pairwise(found.path))
    assert found.path[-1][0] == at("00:00", MONDAY + timedelta(days=1))


@pytest.mark.parametrize(
    ("day", "hours"), [(date(2026, 10, 25), 25), (date(2026, 3, 29), 23), (date(2026, 10, 26), 24)]
)
def test_that_a_day_is_as_long_as_its_clocks_make_it(day: date, hours: int) -> None:
    begin, end = day_bounds(day, BERLIN)
    assert (end - begin) == timedelta(hours=hours)
    assert len(slot_marks(day, BERLIN)) == hours * 4 + 1
    assert hours_so_far(day, BERLIN, end + timedelta(days=3)) == hours
    assert hours_so_far(day, BERLIN, begin) == 0


@pytest.mark.parametrize(("day", "hours"), [(date(2026, 10, 25), 25), (date(2026, 3, 29), 23)])
def test_that_the_shape_of_a_common_day_holds_on_one_whose_clocks_change(day: date, hours: int) -> None:
    """A usual Sunday uses a 24th of its tokens each hour by the wall's clock."""
    usual = [
        slot(f"{hour:02}:{quarter:02}", 25, 5, weeks(1, day), BERLIN)
        for hour in range(24)
        for quarter in (0, 15, 30, 45)
    ]
    noon = at("12:00", day, BERLIN)
    found = forecast(day, BERLIN, noon, [*usual, slot("08:00", 1200, 50, day, BERLIN)], 10_000)
    assert isinstance(found, Forecast)
    assert found.at_midnight == 2400
    assert found.path[-1][0] - noon == timedelta(hours=12)
    early = forecast(day, BERLIN, day_bounds(day, BERLIN)[0], usual, 10_000)
    assert isinstance(early, Forecast)
    assert len(early.path) == hours * 4 + 1
    assert all(before[1] <= after[1] for before, after in pairwise(early.path))
    assert early.at_midnight == 2400
