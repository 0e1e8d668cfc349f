from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from engine_host.usage.cost import cost_by_day, cost_text
from storage.errors import SettingsError
from storage.records import TokenUse, UsageDay
from storage.settings import parse_settings
from storage.usage_records import KvDay
from storage.usage_settings import Prices

PUNE = ZoneInfo("Asia/Kolkata")
MONDAY, SUNDAY = date(2026, 11, 30), date(2026, 11, 29)
NOW = datetime(2026, 11, 30, 6, 30, tzinfo=UTC)  # 12:00 in Pune
DAYS = (
    UsageDay("kamala", MONDAY, 9, tokens=TokenUse(3_000_000, 2_000_000, 500_000)),
    UsageDay("meridian", MONDAY, 1, tokens=TokenUse(1_000_000, 0, 0)),
)
KV = (KvDay("kamala", MONDAY, 300.0), KvDay("meridian", MONDAY, 100.0), KvDay("kamala", SUNDAY, 0.0))


def test_that_without_a_price_there_is_no_cost() -> None:
    assert cost_by_day(DAYS, KV, Prices(), PUNE, NOW) is None
    assert cost_text(None, "₹") == "–"


def test_that_computed_cached_and_written_tokens_have_a_price_each() -> None:
    prices = Prices(in_per_million=20.0, cached_per_million=2.0, out_per_million=60.0)
    assert cost_by_day(DAYS, KV, prices, PUNE, NOW) == {
        ("kamala", MONDAY): 20.0 + 4.0 + 30.0,
        ("meridian", MONDAY): 20.0,
    }


def test_that_the_hours_of_the_machine_are_shared_by_the_memory_that_was_held() -> None:
    """12 hours at 100 an hour, three parts of four to the one who held three of four; an idle day is nobody's."""
    found = cost_by_day(DAYS, KV, Prices(machine_per_hour=100.0), PUNE, NOW)
    assert found == {("kamala", MONDAY): pytest.approx(900.0), ("meridian", MONDAY): pytest.approx(300.0)}


def test_that_two_ways_of_pricing_are_refused_with_a_sentence() -> None:
    with pytest.raises(SettingsError, match="not both: set one of them to 0"):
        parse_settings("[prices]\nout_per_million = 3.0\nmachine_per_hour = 9.0\n")


@pytest.mark.parametrize(("cost", "text"), [(118.4, "₹ 118"), (0.424, "₹ 0.42"), (1234.5, "₹ 1,234"), (0.0, "₹ 0.00")])
def test_that_a_cost_is_told_as_exactly_as_it_matters(cost: float, text: str) -> None:
    assert cost_text(cost, "₹") == text
