"""What each tenant used on each of its days, and what one engine run was asked for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import func, select
from sqlalchemy.dialects import postgresql, sqlite

from storage.models import TurnShareTable, TurnTable, UsageDayTable
from storage.queries.rows import usage_day_of
from storage.queries.tenants import tenant_day
from storage.records import EngineRunTotals, TokenUse, TurnOutcome, UsageDay

if TYPE_CHECKING:
    from datetime import date

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import InstrumentedAttribute, Session


def usage_by_day(session: Session, first: date, last: date) -> tuple[UsageDay, ...]:
    """Days from `first` to `last`, both included, oldest first. A tenant without use on a day has no row."""
    rows = session.scalars(
        select(UsageDayTable)
        .where(UsageDayTable.day.between(first, last))
        .order_by(UsageDayTable.day, UsageDayTable.tenant_id)
    )
    return tuple(usage_day_of(row) for row in rows)


def usage_today(session: Session, tenant_id: str, now: datetime | None = None) -> UsageDay:
    """Use on the day that it is now where the tenant is; zeros before its first turn. Raises NoSuchRecord."""
    day = tenant_day(session, tenant_id, now or datetime.now(UTC))
    row = session.get(UsageDayTable, (tenant_id, day))
    return usage_day_of(row) if row else UsageDay(tenant_id, day)


def engine_run_totals(session: Session, engine_run: str) -> EngineRunTotals:
    """All turns that this engine run worked on, open ones included, and what it did for them."""
    still_open = func.count().filter(TurnTable.outcome == TurnOutcome.OPEN.value)
    turns = select(func.count(), still_open, *_tokens(TurnTable)).where(TurnTable.engine_run == engine_run)
    requests, open_turns, *own = session.execute(turns).one()
    shares = select(func.count(), *_tokens(TurnShareTable))
    helped, *brought = session.execute(shares.where(TurnShareTable.engine_run == engine_run)).one()
    of_own = shares.join(TurnTable, TurnTable.turn_id == TurnShareTable.turn_id)
    _, *taken = session.execute(of_own.where(TurnTable.engine_run == engine_run)).one()
    tokens = TokenUse(*(mine + more - less for mine, more, less in zip(own, brought, taken, strict=True)))
    return EngineRunTotals(engine_run, requests + helped, open_turns, tokens)


def _tokens(table: type[TurnTable | TurnShareTable]) -> tuple[ColumnElement[int], ...]:
    return (_total(table.prompt_tokens), _total(table.cached_tokens), _total(table.output_tokens))


def _total(column: InstrumentedAttribute[int]) -> ColumnElement[int]:
    return func.coalesce(func.sum(column), 0)


def add_usage(session: Session, change: UsageDay) -> None:
    """Add `change` to its tenant's day in one statement, so that writers on one day never lose each other's."""
    counts = {
        "requests": change.requests,
        "refused": change.refused,
        "failed": change.failed,
        "cancelled": change.cancelled,
        "prompt_tokens": change.tokens.prompt,
        "cached_tokens": change.tokens.cached,
        "output_tokens": change.tokens.output,
    }
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    columns = UsageDayTable.__table__.c
    session.execute(
        insert(UsageDayTable)
        .values(tenant_id=change.tenant_id, day=change.day, **counts)
        .on_conflict_do_update(
            index_elements=["tenant_id", "day"],
            set_={name: columns[name] + value for name, value in counts.items()},
        )
    )
