"""What the ledger says for counters. Days that are over are added up once and kept; the others at each reading.

One tenant's day is read at a time, so that nobody who writes a turn waits for all of them. A turn is settled within
minutes: should one of a day that is over be put right later, it is counted when the program starts again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from storage.queries.engine_runs import engine_run_names
from storage.queries.tenants import all_tenants
from storage.queries.usage import usage_by_day, usage_today
from storage.queries.usage_totals import share_totals, turn_totals
from storage.records import TokenUse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sqlalchemy.orm import Session

    from storage.database import Database
    from storage.records import Tenant, UsageDay
    from storage.usage_records import ShareTotals, TurnTotals

OPEN_DAYS: Final = 2
"""A tenant may be half a day ahead or behind, and a turn may end after midnight."""
EDGES_S: Final = (0.05, 0.1, 0.25, 0.5, 0.8, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Edges of the histograms, in s; 0.8 s is what is promised for the first token."""

Totals = tuple["tuple[TurnTotals, ...]", "tuple[ShareTotals, ...]"]


@dataclass(frozen=True, slots=True)
class LedgerFigures:
    """`totals` by tenant, run, outcome and reason, `shares` by tenant and both runs.

    `engines` are the names of engine runs, `today` is what each tenant used on the day that it is where it is.
    """

    tenants: tuple[Tenant, ...]
    engines: Mapping[str, str]
    totals: tuple[TurnTotals, ...]
    shares: tuple[ShareTotals, ...]
    today: tuple[UsageDay, ...]


class LedgerCounts:
    def __init__(self, database: Database, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """`clock` gives aware UTC."""
        self._database = database
        self._clock = clock
        self._until = date.min
        self._over: Totals = ((), ())

    async def read(self) -> LedgerFigures:
        """Raises StorageError."""
        now = self._clock()
        until = now.date() - timedelta(days=OPEN_DAYS)
        if until > self._until:
            over = await self._read_days(self._until, until - timedelta(days=1))
            self._over, self._until = added_up([self._over, *over]), until
        totals, shares = added_up([self._over, *await self._read_days(self._until, date.max)])

        def names(session: Session) -> LedgerFigures:
            tenants = all_tenants(session)
            return LedgerFigures(
                tenants=tenants,
                engines=engine_run_names(session),
                totals=totals,
                shares=shares,
                today=tuple(usage_today(session, tenant.tenant_id, now) for tenant in tenants),
            )

        return await self._database.run(names)

    async def _read_days(self, first: date, last: date) -> list[Totals]:
        """Every day of every tenant on which a turn ended, from `first` to `last`, both included."""
        days = await self._database.run(lambda session: usage_by_day(session, first, last))
        return [await self._read_day(one.tenant_id, one.day) for one in days]

    async def _read_day(self, tenant_id: str, day: date) -> Totals:
        return await self._database.run(
            lambda session: (turn_totals(session, EDGES_S, tenant_id, day), share_totals(session, tenant_id, day))
        )


def added_up(days: Iterable[Totals]) -> Totals:
    """Of many days together."""
    totals: dict[tuple[object, ...], TurnTotals] = {}
    shares: dict[tuple[object, ...], ShareTotals] = {}
    for of_turns, of_shares in days:
        for one in of_turns:
            key = (one.tenant_id, one.engine_run, one.outcome, one.unknown)
            totals[key] = _both(totals[key], one) if key in totals else one
        for share in of_shares:
            key = (share.tenant_id, share.engine_run, share.helper)
            kept = shares.get(key)
            shares[key] = replace(share, tokens=_tokens(kept.tokens, share.tokens)) if kept else share
    return tuple(totals.values()), tuple(shares.values())


def _both(one: TurnTotals, more: TurnTotals) -> TurnTotals:
    return replace(
        one,
        turns=one.turns + more.turns,
        withheld=one.withheld + more.withheld,
        tokens=_tokens(one.tokens, more.tokens),
        kv_token_seconds=one.kv_token_seconds + more.kv_token_seconds,
        lookup=one.lookup + more.lookup,
        ttft=one.ttft + more.ttft,
    )


def _tokens(one: TokenUse, more: TokenUse) -> TokenUse:
    return TokenUse(one.prompt + more.prompt, one.cached + more.cached, one.output + more.output)
