"""How many turns of a span ended how, by tenant: numbers, no words of a customer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from storage.models import TenantTable, TurnTable
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


@dataclass(frozen=True, slots=True)
class TurnCount:
    """Turns of one tenant with one outcome; `withheld` sentences, tokens as the engine counted them."""

    tenant: str
    outcome: TurnOutcome
    turns: int
    withheld: int
    prompt: int
    cached: int
    output: int


def turn_counts(session: Session, first: datetime, last: datetime) -> tuple[TurnCount, ...]:
    """Of the turns asked from `first` to `last`, by the tenant's name and the outcome."""
    totals = [func.count(), *(func.coalesce(func.sum(column), 0) for column in _COLUMNS)]
    query = (
        select(TenantTable.name, TurnTable.outcome, *totals)
        .join(TenantTable, TenantTable.tenant_id == TurnTable.tenant_id)
        .where(TurnTable.asked_at.between(first, last))
        .group_by(TenantTable.name, TurnTable.outcome)
        .order_by(TenantTable.name, TurnTable.outcome)
    )
    return tuple(
        TurnCount(name, TurnOutcome(outcome), *(int(total) for total in found))
        for name, outcome, *found in session.execute(query)
    )


def turns_since(session: Session, since: datetime, outcome: TurnOutcome) -> int:
    """How many turns asked at or after `since` ended so."""
    query = select(func.count()).where(TurnTable.asked_at >= since, TurnTable.outcome == outcome.value)
    return session.scalar(query) or 0


_COLUMNS = (TurnTable.withheld, TurnTable.prompt_tokens, TurnTable.cached_tokens, TurnTable.output_tokens)
