"""`dabba usage`: what each tenant used and what it costs, today against the quota, and the ledger against the engines'
own counters."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated
from zoneinfo import ZoneInfo

import typer

from console.commands.output import print_json, run

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from console.commands.usage_said import UsageSaid
    from engine_host.answering.reconcile import Comparison
    from engine_host.usage.forecast import Outlook
    from storage.database import Database
    from storage.records import Tenant, UsageDay
    from storage.settings import Settings


class Grain(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


def usage(
    days: Annotated[int, typer.Option(help="How many days, weeks or months that have any use.", min=1, max=3660)] = 1,
    by: Annotated[Grain, typer.Option(help="Add up by day, week (from Monday) or month.")] = Grain.DAY,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show what each tenant used, what it costs, and where today leads."""
    run(_usage(days, by, as_json))


async def _usage(days: int, by: Grain, as_json: bool) -> None:
    from console.commands.usage_said import as_object, print_people
    from console.house import open_house
    from engine_host.answering.reconcile import compare
    from storage.paths import home_from_environment

    house = await open_house(home_from_environment())
    try:
        await house.engines.join()
        # First, for it may add tokens to a broken turn and its day.
        found = [
            (session.state.value.name, await compare(house.database, session)) for session in house.engines.sessions
        ]
        said = await _read(house.database, house.settings, by, days, found)
    finally:
        await house.close()
    if as_json:
        print_json(as_object(said))
    else:
        print_people(said)


async def _read(
    database: Database, settings: Settings, by: Grain, count: int, found: list[tuple[str, Comparison | None]]
) -> UsageSaid:
    from console.commands.usage_said import UsageSaid, added_up
    from engine_host.usage.cost import cost_by_day
    from storage.queries.tenants import all_tenants
    from storage.queries.usage import usage_by_day
    from storage.queries.usage_turns import kv_by_day

    now, zone = datetime.now(UTC), ZoneInfo(settings.kitchen.timezone)
    width = {Grain.DAY: 1, Grain.WEEK: 7, Grain.MONTH: 31}[by]
    today = now.date()

    def read(session: Session) -> UsageSaid:
        tenants = all_tenants(session)
        days = usage_by_day(session, today - timedelta(count * width + width), today + timedelta(days=1))
        kept = _newest(days, by, count)
        kv = kv_by_day(session, kept[0].day, kept[-1].day) if kept else ()
        costs = cost_by_day(kept, kv, settings.prices, zone, now)
        rows = added_up(kept, kv, costs, by.value)
        outlooks = {one.tenant_id: _outlook(session, one, now) for one in tenants}
        compared = tuple((name, one) for name, one in found if one is not None)
        return UsageSaid(by.value, now, tenants, rows, outlooks, settings.prices, compared)

    return await database.run(read)


def _newest(days: tuple[UsageDay, ...], by: Grain, count: int) -> tuple[UsageDay, ...]:
    """The days of the last `count` days, weeks or months that have any."""
    from engine_host.usage.day import begin_of

    begins = sorted({begin_of(by.value, one.day) for one in days})[-count:]
    return tuple(one for one in days if begin_of(by.value, one.day) in begins)


def _outlook(session: Session, tenant: Tenant, now: datetime) -> Outlook:
    from engine_host.usage.forecast import forecast, same_weekday
    from storage.queries.usage_turns import tokens_by_slot

    zone = ZoneInfo(tenant.timezone)
    today = now.astimezone(zone).date()
    slots = tokens_by_slot(session, tenant.tenant_id, (today, *same_weekday(today)))
    return forecast(today, zone, now, slots, tenant.quota.daily_tokens)
