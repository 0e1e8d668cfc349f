"""All that turns used and how they ended, added up for counters: by tenant, engine run, outcome and reason."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, case, false, func, select

from storage.models import TurnShareTable, TurnTable
from storage.queries.usage_turns import kv_token_seconds
from storage.records import TokenUse, TurnOutcome
from storage.usage_records import ShareTotals, Spread, TurnTotals

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from sqlalchemy import ColumnElement, Executable
    from sqlalchemy.orm import InstrumentedAttribute, Session

_OF_A_DAY = (
    TurnTable.usage_day == bindparam("day"),
    TurnTable.tenant_id == bindparam("tenant"),
    TurnTable.outcome != TurnOutcome.OPEN.value,
)
_BY = (TurnTable.tenant_id, TurnTable.engine_run, TurnTable.outcome, TurnTable.unknown)


def turn_totals(session: Session, edges_s: Sequence[float], tenant_id: str, day: date) -> tuple[TurnTotals, ...]:
    """Ended turns of one tenant's day; `edges_s` part the durations."""
    rows = session.execute(_query(tuple(edges_s)), {"tenant": tenant_id, "day": day})
    return tuple(_totals_of(tuple(row), len(edges_s) + 2) for row in rows)


@cache
def _query(edges_s: tuple[float, ...]) -> Executable:
    """Made once: it takes longer to make than to run."""
    settled = TurnTable.abandoned == false()
    return (
        select(
            *_BY,
            func.sum(case((settled, 1), else_=0)),
            func.sum(TurnTable.withheld),
            *_tokens(TurnTable),
            kv_token_seconds(),
            *_spread(TurnTable.lookup_ms, edges_s),
            *_spread(TurnTable.ttft_ms, edges_s),
        )
        .where(*_OF_A_DAY)
        .group_by(*_BY)
        .order_by(*_BY)
    )


def share_totals(session: Session, tenant_id: str, day: date) -> tuple[ShareTotals, ...]:
    """What engine runs made for turns of others, of the same turns as in `turn_totals`."""
    rows = session.execute(_share_query(), {"tenant": tenant_id, "day": day})
    return tuple(
        ShareTotals(tenant, run, helper, TokenUse(*(int(count) for count in tokens)))
        for tenant, run, helper, *tokens in rows
    )


@cache
def _share_query() -> Executable:
    by = (TurnTable.tenant_id, TurnTable.engine_run, TurnShareTable.engine_run)
    return (
        select(*by, *_tokens(TurnShareTable))
        .join(TurnTable, TurnTable.turn_id == TurnShareTable.turn_id)
        .where(*_OF_A_DAY)
        .group_by(*by)
        .order_by(*by)
    )


def _totals_of(row: tuple[Any, ...], width: int) -> TurnTotals:
    """`width` is how many columns a spread has."""
    tenant, run, outcome, unknown, turns, withheld, prompt, cached, output, kv, *spreads = row
    return TurnTotals(
        tenant_id=tenant,
        engine_run=run,
        outcome=TurnOutcome(outcome),
        unknown=unknown,
        turns=int(turns),
        withheld=int(withheld),
        tokens=TokenUse(int(prompt), int(cached), int(output)),
        kv_token_seconds=float(kv),
        lookup=_spread_of(spreads[:width]),
        ttft=_spread_of(spreads[width:]),
    )


def _tokens(table: type[TurnTable | TurnShareTable]) -> tuple[ColumnElement[int], ...]:
    return (func.sum(table.prompt_tokens), func.sum(table.cached_tokens), func.sum(table.output_tokens))


def _spread(column: InstrumentedAttribute[float | None], edges_s: Sequence[float]) -> list[ColumnElement[float]]:
    """Of turns that were settled, as `turns` is."""
    settled = TurnTable.abandoned == false()
    below = [func.sum(case((and_(settled, column <= edge * 1000), 1), else_=0)) for edge in edges_s]
    count = func.sum(case((and_(settled, column.is_not(None)), 1), else_=0))
    total = func.sum(case((settled, func.coalesce(column, 0.0)), else_=0.0)) / 1000.0
    return [*below, count, total]


def _spread_of(figures: Sequence[float]) -> Spread:
    *below, count, total = figures
    return Spread(tuple(int(number) for number in below), int(count), float(total))
