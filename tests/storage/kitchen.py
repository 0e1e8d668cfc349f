"""Records that the tests of this floor begin with."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from storage.database import Database
from storage.queries.conversations import start_conversation
from storage.queries.tenants import upsert_tenant
from storage.queries.turns import open_turn, settle_turn
from storage.records import NewTurn, Quota, SettledTurn, Tenant, TokenUse, TurnOutcome, TurnTimes

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.paths import Home

NOON = datetime(2026, 11, 30, 6, 30, tzinfo=UTC)  # 12:00 in Pune
KAMALA = Tenant(
    "kamala", "Kamala Dabba", "own", 1, "Asia/Kolkata", "KD", Quota(20_000, 240, 12, 1024, 512), "020 5550 0142"
)
PORTLAND = replace(KAMALA, tenant_id="portland", name="Portland", colour=2, timezone="America/Los_Angeles")


def furnish(session: Session) -> None:
    """Two tenants, far apart, with one conversation each."""
    for tenant in (KAMALA, PORTLAND):
        upsert_tenant(session, tenant)
        start_conversation(session, tenant.tenant_id, "C-1", "Meera Joshi", NOON, f"talk-{tenant.tenant_id}")


def question(turn_id: str, tenant: Tenant = KAMALA, minutes: float = 0, text: str = "Where is my dabba?") -> NewTurn:
    asked_at = NOON + timedelta(minutes=minutes)
    talk = f"talk-{tenant.tenant_id}"
    return NewTurn(turn_id, talk, tenant.tenant_id, "C-1", "Meera Joshi", text, asked_at, "run-1")


def ending(
    turn_id: str,
    outcome: TurnOutcome = TurnOutcome.ANSWERED,
    tokens: TokenUse = TokenUse(100, 60, 20),  # noqa: B008 - frozen
    withheld: int = 0,
) -> SettledTurn:
    times = TurnTimes(queue=1.5, ttft=98.25, total=4000.0)
    events: tuple[dict[str, object], ...] = (
        {"kind": "routed", "rule": "where is my"},
        {"kind": "text", "text": "टिफ़िन", "citations": [1]},
    )
    return SettledTurn(turn_id, outcome, "en", "It is on its way.", tokens, times, events, withheld)


def whole_turn(session: Session, turn_id: str, outcome: TurnOutcome, tokens: TokenUse) -> None:
    open_turn(session, question(turn_id))
    settle_turn(session, ending(turn_id, outcome, tokens))


async def furnished(home: Home) -> None:
    """A database file in `home` with the two tenants, closed again."""
    database = await Database.open(home)
    await database.run(furnish)
    await database.close()
