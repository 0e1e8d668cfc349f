"""Table rows to records and back, for the queries of this room."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, TypeVar

from storage.errors import NoSuchRecord
from storage.records import (
    Conversation,
    NewTurn,
    Quota,
    SettledTurn,
    Tenant,
    TokenUse,
    Turn,
    TurnOutcome,
    TurnTimes,
    UsageDay,
)

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.models import Base, ConversationTable, TenantTable, TurnTable, UsageDayTable

Row = TypeVar("Row", bound="Base")
TIMES = tuple(field.name for field in fields(TurnTimes))
QUOTA = tuple(field.name for field in fields(Quota))


def existing(session: Session, table: type[Row], key: str, what: str, *, lock: bool = False) -> Row:
    """The row; `lock` keeps it from other writers until the transaction ends. Raises NoSuchRecord."""
    row = session.get(table, key, with_for_update=lock or None)
    if row is None:
        raise NoSuchRecord(f"There is no {what} {key} in the database. Refresh the list and choose one that is there.")
    return row


def tenant_of(row: TenantTable) -> Tenant:
    quota = Quota(**{name: getattr(row, name) for name in QUOTA})
    return Tenant(
        tenant_id=row.tenant_id,
        name=row.name,
        note=row.note,
        colour=row.colour,
        timezone=row.timezone,
        order_prefix=row.order_prefix,
        phone=row.phone,
        quota=quota,
        ttft_target_ms=row.ttft_target_ms,
    )


def conversation_of(row: ConversationTable) -> Conversation:
    return Conversation(
        conversation_id=row.conversation_id,
        tenant_id=row.tenant_id,
        customer_id=row.customer_id,
        customer_name=row.customer_name,
        started_at=row.started_at,
        last_at=row.last_at,
        last_question=row.last_question,
        turns=row.turns,
        has_withheld=row.has_withheld,
        flagged=row.flagged,
    )


def tokens_of(row: TurnTable | UsageDayTable) -> TokenUse:
    return TokenUse(row.prompt_tokens, row.cached_tokens, row.output_tokens)


def usage_day_of(row: UsageDayTable) -> UsageDay:
    return UsageDay(row.tenant_id, row.day, row.requests, row.refused, row.failed, row.cancelled, tokens_of(row))


def turn_of(row: TurnTable) -> Turn:
    opened = NewTurn(
        turn_id=row.turn_id,
        conversation_id=row.conversation_id,
        tenant_id=row.tenant_id,
        customer_id=row.customer_id,
        customer_name=row.customer_name,
        question=row.question,
        asked_at=row.asked_at,
        engine_run=row.engine_run,
    )
    return Turn(opened, _settled_of(row), row.feedback)


def write_times(row: TurnTable, times: TurnTimes) -> None:
    for name, value in asdict(times).items():
        setattr(row, f"{name}_ms", value)


def _settled_of(row: TurnTable) -> SettledTurn | None:
    outcome = TurnOutcome(row.outcome)
    if outcome is TurnOutcome.OPEN:
        return None
    return SettledTurn(
        turn_id=row.turn_id,
        outcome=outcome,
        language=row.language,
        answer=row.answer,
        tokens=tokens_of(row),
        times=TurnTimes(**{name: getattr(row, f"{name}_ms") for name in TIMES}),
        events=tuple(row.events),
        withheld=row.withheld,
    )
