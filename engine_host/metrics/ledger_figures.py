"""What the ledger says for counters: read again and again, the days that are over only once.

A turn is settled within minutes, so days that are older than `OPEN_DAYS` are added up once and kept. Should one of
their turns be put right later, its counters rise when the days move on: they never fall.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from storage.queries.engine_runs import engine_run_names
from storage.queries.tenants import all_tenants
from storage.queries.usage import usage_today
from storage.queries.usage_totals import share_totals, turn_totals

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

    from sqlalchemy.orm import Session

    from storage.database import Database
    from storage.records import Tenant, UsageDay
    from storage.usage_records import ShareTotals, TurnTotals

OPEN_DAYS: Final = 3
EDGES_S: Final = (0.05, 0.1, 0.25, 0.5, 0.8, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Edges of the histograms, in s; 0.8 s is what is promised for the first token."""


@dataclass(frozen=True, slots=True)
class LedgerFigures:
    """`totals` and `shares` may name one tenant, run and outcome several times: they are to be added up.

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
        self._until: date | None = None
        self._over: tuple[tuple[TurnTotals, ...], tuple[ShareTotals, ...]] = ((), ())

    async def read(self) -> LedgerFigures:
        """Raises StorageError."""
        now = self._clock()
        until = now.date() - timedelta(days=OPEN_DAYS)
        if until != self._until:
            self._over = await self._database.run(
                lambda session: (turn_totals(session, EDGES_S, before=until), share_totals(session, before=until))
            )
            self._until = until
        totals, shares = self._over

        def read(session: Session) -> LedgerFigures:
            tenants = all_tenants(session)
            return LedgerFigures(
                tenants=tenants,
                engines=engine_run_names(session),
                totals=(*totals, *turn_totals(session, EDGES_S, first=until)),
                shares=(*shares, *share_totals(session, first=until)),
                today=tuple(usage_today(session, tenant.tenant_id, now) for tenant in tenants),
            )

        return await self._database.run(read)
