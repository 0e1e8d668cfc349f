"""A ledger with turns of every kind, for the tests of our own metrics."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from storage.queries.conversations import start_conversation
from storage.queries.engine_runs import keep_engine_run
from storage.queries.tenants import upsert_tenant
from storage.queries.turns import open_turn, settle_turn
from storage.records import NewTurn, Quota, RunShare, SettledTurn, Tenant, TokenUse, TurnOutcome, TurnTimes

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

NOW = datetime(2026, 11, 30, 7, 14, tzinfo=UTC)
SECRET = "MySecretDabba"
KAMALA = Tenant("kamala", 'Kamala "Dabba"', "", 1, "Asia/Kolkata", "KD", Quota(20_000, 240, 12, 1024, 512), "020")
MERIDIAN = replace(KAMALA, tenant_id="meridian", name="Meridian", colour=3)
TIMES = TurnTimes(prefill=500.0, decode=1500.0, ttft=700.0, lookup=120.0)


def furnish(session: Session) -> None:
    for tenant in (KAMALA, MERIDIAN):
        upsert_tenant(session, tenant)
        start_conversation(session, tenant.tenant_id, SECRET, SECRET, NOW, tenant.tenant_id)
    for run, name in (("r1", "cpu-demo"), ("r2", "cpu-demo"), ("r3", "10.0.0.5:8000")):
        keep_engine_run(session, run, name)


def turn(
    session: Session, turn_id: str, run: str | None = "r1", outcome: TurnOutcome = TurnOutcome.ANSWERED,
    tokens: TokenUse = TokenUse(100, 60, 20), *, back: timedelta = timedelta(), tenant: str = "kamala",  # noqa: B008
    unknown: str = "", withheld: int = 0, times: TurnTimes = TIMES, elsewhere: tuple[RunShare, ...] = (),
) -> None:  # fmt: skip
    open_turn(session, NewTurn(turn_id, tenant, tenant, SECRET, SECRET, SECRET, NOW - back, run))
    ending = SettledTurn(turn_id, outcome, "en", SECRET, tokens, times, (), withheld, None, elsewhere, unknown)
    settle_turn(session, ending)


def day_of_work(session: Session) -> None:
    """Over three engine runs, two of which are one engine's, and ten days."""
    furnish(session)
    turn(session, "a", "r1", back=timedelta(days=10), withheld=2)
    turn(session, "b", "r2")
    turn(session, "c", "r2", TurnOutcome.DOES_NOT_KNOW, TokenUse(10, 0, 1), unknown="no_passage")
    turn(session, "d", None, TurnOutcome.REFUSED, TokenUse(), times=TurnTimes())
    turn(session, "e", "r3", tokens=TokenUse(100, 0, 30), elsewhere=(RunShare("r2", TokenUse(40, 0, 12)),))
    turn(session, "f", "r3", tenant="meridian", times=replace(TIMES, ttft=45.0, lookup=None))
