"""The forecast, costs and held memory as the page tells them."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from console.tenants.amounts import kv_text
from console.tenants.bars_shown import derive_bars
from console.tenants.export import derive_csv
from console.tenants.outlook_shown import DayShown, derive_day, rest_of_today
from console.tenants.period import days_of, truth_of
from console.tenants.reading import UsageRead, derive_outlooks
from console.tenants.usage_shown import (
    derive_rows,
    derive_total,
)
from storage.records import TokenUse, UsageDay
from storage.usage_records import KvDay, SlotUse
from storage.usage_settings import Prices
from tests.console.tenants.house import KAMALA, MERIDIAN
from tests.console.tenants.made import NOW, TODAY, ZONE, day, usage


def slot(tenant_day: date, clock: str, tokens: int, requests: int = 10) -> SlotUse:
    return SlotUse(tenant_day, datetime.fromisoformat(f"{tenant_day}T{clock}+05:30"), requests, tokens)


def afternoon(quota: int = 8_000, used: int = 4_000) -> UsageRead:
    """At 12:44 half of a usual Monday is used, the rest comes from 17:45 to 18:00."""
    week = TODAY - timedelta(weeks=1)
    slots = (slot(TODAY, "11:00", used), slot(week, "11:00", 500), slot(week, "17:45", 500))
    tenant = replace(KAMALA, quota=replace(KAMALA.quota, daily_tokens=quota))
    today = UsageDay("kamala", TODAY, 10, tokens=TokenUse(used, 0, 0))
    return looked_ahead(UsageRead(NOW, (tenant,), (today,), slots={"kamala": slots}, zone=ZONE))


def looked_ahead(read: UsageRead) -> UsageRead:
    return replace(read, outlooks=derive_outlooks(read))


def day_shown(read: UsageRead) -> DayShown:
    return derive_day(read, read.tenants[0])


def test_that_the_panel_of_a_day_says_when_the_quota_ends_and_what_that_rests_on() -> None:
    shown = day_shown(afternoon(quota=6_000))
    assert (shown.value, shown.at_midnight, shown.fact) == (
        "4,000 of 6,000", "8,000 at midnight", "The quota ends at 17:52 at this pace.",
    )  # fmt: skip
    assert shown.why == (
        "From then on its questions are refused until 00:00 IST; other tenants are not affected. "
        "Today's own amount on the shape of the Monday before."
    )
    assert shown.end is not None
    assert shown.end[1:] == (6_000.0, "17:52")
    assert shown.used[-1] == (NOW.timestamp(), 4_000.0)
    assert shown.path[0] == (NOW.timestamp(), 4_000.0)


def test_that_a_quota_that_lasts_or_is_used_up_is_told_as_that() -> None:
    lasts = day_shown(afternoon(quota=20_000))
    assert (lasts.fact, lasts.end) == ("The quota lasts today: 8,000 of 20,000 at midnight.", None)
    over = day_shown(afternoon(quota=3_000))
    assert (over.fact, over.color) == ("The quota was used up by 11:15.", "error")
    assert over.why.startswith("Its questions are refused until 00:00 IST")


def test_that_a_quota_far_above_the_curve_has_no_line() -> None:
    assert day_shown(afternoon(quota=8_000)).quota == 8_000
    assert day_shown(afternoon(quota=20_000_000)).quota is None


def test_that_the_table_tells_the_amount_at_midnight_or_the_end_with_a_mark() -> None:
    def told(read: UsageRead) -> tuple[str, object]:
        (row,) = derive_rows(read, "today")
        return row.outlook, row.outlook_ink

    assert told(afternoon(quota=20_000)) == ("8,000", None)
    assert told(afternoon(quota=6_000)) == ("ends 17:52", "warn")
    assert told(afternoon(quota=3_000)) == ("ended 11:15", "error")
    assert told(usage(tenants=(KAMALA,))) == ("–", None)


def test_that_what_may_still_come_is_hatched_on_todays_bar_unless_it_is_unknown_of_one() -> None:
    read = afternoon()
    assert rest_of_today(read, ZONE) == 4_000
    bars = derive_bars(read, ZONE, "day", 4_000)
    assert [bar.forecast for bar in bars[-2:]] == [0.0, 4_000]
    assert bars[-1].tip.endswith("may still come today: 4,000")
    few = (slot(TODAY, "12:30", 9, 1),)
    young = replace(read, tenants=(*read.tenants, MERIDIAN), slots={**read.slots, "meridian": few})
    assert rest_of_today(looked_ahead(young), ZONE) == 0.0
    idle = replace(read, tenants=(*read.tenants, MERIDIAN))
    assert rest_of_today(looked_ahead(idle), ZONE) == 4_000


def test_that_bars_by_week_and_month_are_the_sums_of_their_days() -> None:
    read = usage(
        day("kamala", 0, 10), day("kamala", 1, 20), day("kamala", 7, 40), day("kamala", 29, 80), day("kamala", 30, 5)
    )
    weeks = derive_bars(read, ZONE, "week")
    assert [(bar.name, bar.second, bar.amounts[0]) for bar in weeks[-2:]] == [
        ("23 Nov", "to 29", 60.0), ("30 Nov", "this week", 10.0),
    ]  # fmt: skip
    months = derive_bars(read, ZONE, "month")
    assert [(bar.name, bar.second, bar.amounts[0]) for bar in months[-2:]] == [
        ("Oct", "2026", 5.0), ("Nov", "this month", 150.0),
    ]  # fmt: skip
    assert (len(weeks), len(months), months[0].name) == (13, 12, "Dec")


def test_that_the_tip_of_a_bar_tells_its_cost_once_it_is_known() -> None:
    read = replace(usage(day("kamala", 0, 1_000_000), day("meridian", 1, 500_000)), zone=ZONE)
    assert "cost" not in derive_bars(read, ZONE, "month")[-1].tip
    by_tokens = replace(read, prices=PRICED)
    assert derive_bars(by_tokens, ZONE, "month")[-1].tip.endswith("cost ₹ 30")
    assert "cost" not in derive_bars(by_tokens, ZONE, "month")[-2].tip
    kv = (KvDay("kamala", TODAY - timedelta(days=1), 9.0),)
    by_machine = replace(read, prices=Prices(machine_per_hour=10.0), kv=kv, kv_since=TODAY - timedelta(days=1))
    assert derive_bars(by_machine, ZONE, "day")[-2].tip.endswith("cost ₹ 240")
    assert "cost" not in derive_bars(by_machine, ZONE, "month")[-1].tip


@pytest.mark.parametrize(
    ("period", "first", "last"),
    [
        ("week", date(2026, 11, 30), TODAY),
        ("month", date(2026, 11, 1), TODAY),
        ("last month", date(2026, 10, 1), date(2026, 10, 31)),
    ],
)
def test_that_weeks_and_months_are_those_of_the_calendar(period: str, first: date, last: date) -> None:
    assert days_of(period, TODAY) == (first, last)


def test_that_a_month_that_is_over_has_no_hour() -> None:
    assert truth_of("last month", NOW, ZONE) == "1 to 31 October 2026"


PRICED = Prices(in_per_million=20.0, cached_per_million=2.0, out_per_million=60.0)


def test_that_rows_and_totals_tell_cost_and_held_memory() -> None:
    kv = (KvDay("kamala", TODAY, 7_200.0), KvDay("kamala", TODAY - timedelta(days=1), 3_600.0))
    read = usage(day("kamala", 0, 3_000_000, 2_000_000, 500_000), day("kamala", 1, 1_000_000))
    read = replace(read, kv=kv, kv_since=TODAY - timedelta(days=8), prices=PRICED, zone=ZONE)
    kamala, meridian = derive_rows(read, "today")
    assert (kamala.cost, kamala.kv_hours) == (54.0, 2.0)
    assert (meridian.cost, meridian.kv_hours) == (0.0, 0.0)
    assert derive_rows(read, "7")[0].cost == 74.0
    total = derive_total(derive_rows(read, "7"))
    assert (total.cost, total.kv_hours, total.currency) == (74.0, 3.0, "₹")


def test_that_nothing_is_told_as_free_without_a_price_nor_as_unheld_before_it_was_read() -> None:
    (kamala, _) = derive_rows(usage(day("kamala", 0, 10)), "today")
    assert (kamala.cost, kamala.kv_hours) == (None, None)
    assert kv_text(kamala.kv_hours) == "–"
    assert derive_total((kamala,)).cost is None


def test_that_the_export_has_costs_once_there_is_a_price() -> None:
    read = replace(usage(day("kamala", 0, 1_000_000)), prices=PRICED, kv=(KvDay("kamala", TODAY, 12.34),), zone=ZONE)
    line = next(csv.DictReader(io.StringIO(derive_csv(read, "today"), newline="")))
    assert (line["kv_token_seconds"], line["cost"], line["currency"]) == ("12.3", "20.000000", "₹")


def test_that_a_day_on_which_the_clocks_go_back_is_an_hour_longer_on_its_axis() -> None:
    berlin, sunday = ZoneInfo("Europe/Berlin"), date(2026, 10, 25)
    tenant = replace(KAMALA, timezone="Europe/Berlin")
    noon = datetime(2026, 10, 25, 12, 0, tzinfo=berlin)
    slots = (SlotUse(sunday, noon.astimezone(UTC) - timedelta(hours=2), 20, 1_000),)
    use = UsageDay("kamala", sunday, 20, tokens=TokenUse(1_000, 0, 0))
    read = looked_ahead(UsageRead(noon.astimezone(UTC), (tenant,), (use,), slots={"kamala": slots}, zone=ZONE))
    shown = derive_day(read, tenant)
    assert shown.window[1] - shown.window[0] == 25 * 3600
    assert shown.path[-1][0] == shown.window[1]
    # 1,000 in the two hours since the first question, and twelve more to go.
    assert shown.at_midnight == "7,000 at midnight"
