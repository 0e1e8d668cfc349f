"""All that turns used and how they ended, added up for counters: by tenant, engine run, outcome and reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, case, false, func, select

from storage.models import TurnShareTable, TurnTable
from storage.queries.usage_turns import kv_token_seconds
from storage.records import TokenUse, TurnOutcome
from storage.usage_records import ShareTotals, Spread, TurnTotals

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import InstrumentedAttribute, Session

_BY = (TurnTable.tenant_id, TurnTable.engine_run, TurnTable.outcome, TurnTable.unknown)


def turn_totals(
    session: Session, edges_s: Sequence[float], first: date | None = None, before: date | None = None
) -> tuple[TurnTotals, ...]:
    """Ended turns of days from `first` on and before `before` (None = no limit); `edges_s` part the durations."""
    settled = TurnTable.abandoned == false()
    query = (
        select(
            *_BY,
            func.sum(case((settled, 1), else_=0)),
            func.sum(TurnTable.withheld),
            *_tokens(TurnTable),
            kv_token_seconds(),
            *_spread(TurnTable.lookup_ms, edges_s),
            *_spread(TurnTable.ttft_ms, edges_s),
        )
        .where(TurnTable.outcome != TurnOutcome.OPEN.value, *_within(first, before))
        .group_by(*_BY)
        .order_by(*_BY)
    )
    return tuple(_totals_of(tuple(row), len(edges_s) + 2) for row in session.execute(query))


def share_totals(session: Session, first: date | None = None, before: date | None = None) -> tuple[ShareTotals, ...]:
    """What engine runs made for turns of others, of the same turns as in `turn_totals`."""
    by = (TurnTable.tenant_id, TurnTable.engine_run, TurnShareTable.engine_run)
    query = (
        select(*by, *_tokens(TurnShareTable))
        .join(TurnTable, TurnTable.turn_id == TurnShareTable.turn_id)
        .where(TurnTable.outcome != TurnOutcome.OPEN.value, *_within(first, before))
        .group_by(*by)
        .order_by(*by)
    )
    return tuple(
        ShareTotals(tenant, run, helper, TokenUse(*(int(count) for count in tokens)))
        for tenant, run, helper, *tokens in session.execute(query)
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


def _within(first: date | None, before: date | None) -> list[ColumnElement[bool]]:
    return [
        *([TurnTable.usage_day >= first] if first else []),
        *([TurnTable.usage_day < before] if before else []),
    ]


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
