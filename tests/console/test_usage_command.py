"""`dabba usage`: what it reads and what it says."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from typer.testing import CliRunner

from console.cli import app
from console.commands.usage_said import UsageSaid, added_up, as_object, print_people
from engine_host.usage.forecast import Basis, Forecast, TooLittle
from storage.database import Database
from storage.paths import Home
from storage.queries.usage import add_usage
from storage.records import TokenUse, UsageDay
from storage.settings import Settings, save_settings
from storage.usage_records import KvDay
from storage.usage_settings import Prices
from tests.console.tenants.house import KAMALA, MERIDIAN, open_house

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

NOW = datetime(2026, 11, 30, 7, 14, tzinfo=UTC)
MONDAY = date(2026, 11, 30)
DAYS = (
    UsageDay("kamala", date(2026, 11, 29), 3, 1, 1, 1, TokenUse(1_000_000, 0, 0)),
    UsageDay("kamala", MONDAY, 2, tokens=TokenUse(500_000, 200_000, 100_000)),
    UsageDay("meridian", MONDAY, 1, tokens=TokenUse(50, 0, 50)),
)
ENDS = Forecast(Basis.PACE, (), ((NOW, 600_000.0), (NOW + timedelta(hours=11), 9e6)), NOW + timedelta(minutes=36))


def said(by: str = "day", prices: Prices | None = None) -> UsageSaid:
    kv = (KvDay("kamala", MONDAY, 7_200.0), KvDay("gone", MONDAY, 5.0))
    costs = {("kamala", MONDAY): 4.5, ("kamala", date(2026, 11, 29)): 2.0} if prices else None
    outlooks = {"kamala": ENDS, "meridian": TooLittle(1, timedelta(minutes=12))}
    return UsageSaid(by, NOW, (KAMALA, MERIDIAN), added_up(DAYS, kv, costs, by), outlooks, prices or Prices())


def test_that_days_are_added_up_by_week_and_month() -> None:
    weeks = [(row.begin, row.tenant_id, row.use.requests) for row in said("week").rows]
    assert weeks == [(date(2026, 11, 23), "kamala", 3), (MONDAY, "kamala", 2), (MONDAY, "meridian", 1)]
    kamala, meridian = said("month", Prices(in_per_million=1.0)).rows
    assert (kamala.begin, kamala.use.requests, kamala.use.tokens) == (
        date(2026, 11, 1), 5, TokenUse(1_500_000, 200_000, 100_000),
    )  # fmt: skip
    assert (kamala.cost, kamala.kv_token_seconds, meridian.cost) == (6.5, 7_200.0, 0.0)


def test_that_without_a_price_no_cost_is_told_and_how_to_set_one_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert {row["cost"] for row in as_object(said())["days"]} == {None}
    print_people(said())
    told = capsys.readouterr().out
    assert "No price is set, so no cost is told. Set one in Settings, section Prices." in told


def test_that_the_outlook_of_every_tenant_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    print_people(said(prices=Prices(in_per_million=1.0)))
    told = capsys.readouterr().out.splitlines()
    assert told[-2].startswith("Kamala Dabba: its quota of 20,000,000 tokens ends 13:20. Today's own pace")
    assert told[-1].startswith("Meridian Offices: Too little of today to tell: 1 question in 12 minutes.")
    assert "₹ 4.50" in told[2]
    kamala, meridian = as_object(said())["today"]
    assert (kamala["at_midnight"], kamala["quota_ends_at"]) == (9_000_000, "2026-11-30T07:50:00+00:00")
    assert (meridian["at_midnight"], meridian["why"][:10]) == (None, "Too little")


def test_that_the_command_tells_days_weeks_and_months_of_a_home(home_folder: Path) -> None:
    today = datetime.now(UTC).astimezone(ZoneInfo("Asia/Kolkata")).date()

    async def furnish() -> None:
        await (await open_house(Home(home_folder), KAMALA)).database.close()
        database = await Database.open(Home(home_folder))
        for back in (0, 1, 400):
            use = UsageDay("kamala", today - timedelta(days=back), 1, tokens=TokenUse(1_000_000, 0, 0))
            await database.run(lambda session, use=use: add_usage(session, use))
        await database.close()

    asyncio.run(furnish())
    save_settings(Home(home_folder), Settings(prices=Prices(in_per_million=20.0)))
    (day,) = _told("usage", "--json")["days"]
    assert (day["day"], day["cost"], day["currency"]) == (today.isoformat(), 20.0, "₹")
    assert [row["tokens"]["total"] for row in _told("usage", "--days", "9", "--json")["days"]] == [1_000_000] * 2
    months = _told("usage", "--by", "month", "--days", "24", "--json")["months"]
    assert sum(row["cost"] for row in months) == 60.0
    assert months[0]["month"].endswith("-01")


def _told(*arguments: str) -> dict[str, list[dict[str, Any]]]:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)
