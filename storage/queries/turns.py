"""Opening and settling turns. A turn's tokens and its tenant's usage always change in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, or_, select

from storage.errors import NoSuchRecord, RecordRefused
from storage.models import ConversationTable, TurnShareTable, TurnTable
from storage.queries.rows import existing, turn_of, write_times
from storage.queries.tenants import tenant_day
from storage.queries.usage import add_usage
from storage.records import RunShare, SettledTurn, TokenUse, Turn, TurnOutcome, TurnTimes, UsageDay

if TYPE_CHECKING:
    from datetime import date, datetime

    from sqlalchemy.orm import Session

    from storage.records import NewTurn


def open_turn(session: Session, new: NewTurn) -> Turn:
    """Keep a question before anything is done about it. Raises NoSuchRecord, or RecordRefused for a second opening."""
    conversation = existing(session, ConversationTable, new.conversation_id, "conversation", lock=True)
    if conversation.tenant_id != new.tenant_id:
        raise NoSuchRecord(
            f"Tenant {new.tenant_id} has no conversation {new.conversation_id}: it is another's. Start a new one."
        )
    if session.get(TurnTable, new.turn_id) is not None:
        raise RecordRefused(f"Turn {new.turn_id} is already open: a turn opens once. Ask again as a new turn.")
    row = _opened(new, tenant_day(session, new.tenant_id, new.asked_at))
    session.add(row)
    conversation.turns += 1
    if new.asked_at >= conversation.last_at:
        conversation.last_at = new.asked_at
        conversation.last_question = new.question
    session.flush()
    return turn_of(row)


def settle_turn(session: Session, settled: SettledTurn) -> Turn:
    """Keep how a turn ended and add it to its day's usage. Settling again changes nothing and gives what was kept.

    Tokens that were added to the turn before stay in it. A turn that `close_abandoned` closed too early is put right.
    Raises NoSuchRecord.
    """
    row = existing(session, TurnTable, settled.turn_id, "turn", lock=True)
    if settled.outcome is TurnOutcome.OPEN:
        raise RecordRefused(f"Turn {settled.turn_id} can't be settled as open: that is no ending. Name how it ended.")
    if row.outcome == TurnOutcome.OPEN.value or row.abandoned:
        _settle(session, row, settled)
    return turn_of(row)


def close_abandoned(session: Session, before: datetime) -> tuple[Turn, ...]:
    """Settle as failed each turn that was asked before `before` and is still open: its process died. Returns them."""
    query = select(TurnTable).where(TurnTable.outcome == TurnOutcome.OPEN.value, TurnTable.asked_at < before)
    rows = session.scalars(query.order_by(TurnTable.asked_at).with_for_update()).all()
    for row in rows:
        ending = SettledTurn(row.turn_id, TurnOutcome.FAILED, row.language, row.answer, TokenUse(), TurnTimes())
        _settle(session, row, ending, abandoned=True)
    return tuple(turn_of(row) for row in rows)


def recent_turns(session: Session, since: datetime, limit: int = 1000) -> tuple[Turn, ...]:
    """The newest `limit` turns asked at or after `since`, oldest first, open ones included."""
    query = select(TurnTable).where(TurnTable.asked_at >= since)
    rows = session.scalars(query.order_by(TurnTable.asked_at.desc(), TurnTable.turn_id.desc()).limit(limit))
    return tuple(turn_of(row) for row in reversed(rows.all()))


def has_open_turns(session: Session) -> bool:
    """Whether a turn is under way, in whatever engine run: until it ends nobody knows which of them worked on it."""
    query = select(TurnTable.turn_id).where(TurnTable.outcome == TurnOutcome.OPEN.value).limit(1)
    return session.scalars(query).first() is not None


def newest_broken_turn(session: Session, engine_run: str) -> Turn | None:
    """The last turn that was cancelled, failed or moved away from an engine run: its last tokens may be unheard of."""
    broken = (TurnOutcome.CANCELLED.value, TurnOutcome.FAILED.value)
    moved = select(TurnShareTable.turn_id).where(TurnShareTable.engine_run == engine_run)
    own = and_(TurnTable.engine_run == engine_run, TurnTable.outcome.in_(broken))
    query = select(TurnTable).where(or_(own, TurnTable.turn_id.in_(moved)))
    row = session.scalars(query.order_by(TurnTable.asked_at.desc(), TurnTable.turn_id).limit(1)).first()
    return turn_of(row) if row else None


def add_output_tokens(session: Session, turn_id: str, change: TokenUse, engine_run: str | None = None) -> Turn:
    """Add tokens that the engine counted and the turn did not (or take away: negative) to the turn and its usage day.

    They were counted in `engine_run`; the turn's own run when left out. Raises NoSuchRecord, or RecordRefused when less
    than nothing would be left.
    """
    row = existing(session, TurnTable, turn_id, "turn", lock=True)
    _add_tokens(session, row, change)
    if engine_run is not None and engine_run != row.engine_run:
        _add_share(session, row, RunShare(engine_run, change))
    return turn_of(row)


def _opened(new: NewTurn, day: date) -> TurnTable:
    return TurnTable(
        turn_id=new.turn_id,
        conversation_id=new.conversation_id,
        tenant_id=new.tenant_id,
        customer_id=new.customer_id,
        customer_name=new.customer_name,
        question=new.question,
        asked_at=new.asked_at,
        usage_day=day,
        engine_run=new.engine_run,
        outcome=TurnOutcome.OPEN.value,
        abandoned=False,
        language="",
        answer="",
        events=[],
        withheld=0,
        feedback=0,
        prompt_tokens=0,
        cached_tokens=0,
        output_tokens=0,
    )


def _settle(session: Session, row: TurnTable, settled: SettledTurn, *, abandoned: bool = False) -> None:
    _count_ending(session, row, TurnOutcome(row.outcome), -1)
    _count_ending(session, row, settled.outcome, +1)
    row.outcome = settled.outcome.value
    row.abandoned = abandoned
    row.language = settled.language
    row.answer = settled.answer
    row.events = list(settled.events)
    row.withheld = settled.withheld
    row.unknown = settled.unknown
    row.engine_run = settled.engine_run or row.engine_run
    write_times(row, settled.times)
    _add_tokens(session, row, settled.tokens)
    for share in settled.elsewhere:
        _add_share(session, row, share)
    if settled.withheld:
        existing(session, ConversationTable, row.conversation_id, "conversation", lock=True).has_withheld = True
    session.flush()


def _count_ending(session: Session, row: TurnTable, outcome: TurnOutcome, by: int) -> None:
    """Count one settled turn into its day (+1), or out of it again (-1); an open turn is not counted."""
    if outcome is TurnOutcome.OPEN:
        return
    add_usage(
        session,
        UsageDay(
            row.tenant_id,
            row.usage_day,
            requests=by,
            refused=by * (outcome is TurnOutcome.REFUSED),
            failed=by * (outcome is TurnOutcome.FAILED),
            cancelled=by * (outcome is TurnOutcome.CANCELLED),
        ),
    )


def _add_share(session: Session, turn: TurnTable, share: RunShare) -> None:
    """Put `share` of the turn's tokens down to another run than its own."""
    row = session.get(TurnShareTable, (turn.turn_id, share.engine_run))
    if row is None:
        row = TurnShareTable(
            turn_id=turn.turn_id, engine_run=share.engine_run, prompt_tokens=0, cached_tokens=0, output_tokens=0
        )
        session.add(row)
    row.prompt_tokens += share.tokens.prompt
    row.cached_tokens += share.tokens.cached
    row.output_tokens += share.tokens.output
    session.flush()


def _add_tokens(session: Session, row: TurnTable, change: TokenUse) -> None:
    row.prompt_tokens += change.prompt
    row.cached_tokens += change.cached
    row.output_tokens += change.output
    if min(row.prompt_tokens, row.cached_tokens, row.output_tokens) < 0:
        raise RecordRefused(f"Tokens of turn {row.turn_id} can't be changed: fewer than none would be left.")
    add_usage(session, UsageDay(row.tenant_id, row.usage_day, tokens=change))
