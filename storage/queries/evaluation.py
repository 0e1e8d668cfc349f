"""Known questions and the runs that asked them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from storage.evaluation_records import EvaluationQuestionRow, EvaluationRunRow
from storage.models import EvaluationQuestionTable, EvaluationRunTable, TurnTable
from storage.queries.rows import existing, turn_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

    from storage.records import Turn


def list_questions(session: Session) -> tuple[EvaluationQuestionRow, ...]:
    """Every question, by its id."""
    rows = session.scalars(select(EvaluationQuestionTable).order_by(EvaluationQuestionTable.question_id))
    return tuple(_question_of(row) for row in rows)


def find_question(session: Session, question_id: str) -> EvaluationQuestionRow | None:
    row = session.get(EvaluationQuestionTable, question_id)
    return _question_of(row) if row else None


def keep_questions(session: Session, questions: Iterable[EvaluationQuestionRow]) -> None:
    """Keep questions; one with the same id is replaced."""
    for question in questions:
        session.merge(_question_table(question))


def keep_new_questions(session: Session, questions: Iterable[EvaluationQuestionRow]) -> int:
    """Keep those whose id is not there yet; returns how many."""
    known = set(session.scalars(select(EvaluationQuestionTable.question_id)))
    new = {question.question_id: question for question in questions if question.question_id not in known}
    session.add_all(_question_table(question) for question in new.values())
    return len(new)


def delete_question(session: Session, question_id: str) -> None:
    """Raises NoSuchRecord."""
    session.delete(existing(session, EvaluationQuestionTable, question_id, "question"))


def keep_run(session: Session, run: EvaluationRunRow) -> None:
    row = EvaluationRunTable(
        run_id=run.run_id,
        kind=run.kind,
        at=run.at,
        version=run.version,
        settings=dict(run.settings),
        figures=dict(run.figures),
        results=[dict(result) for result in run.results],
    )
    session.add(row)


def list_runs(session: Session, kind: str, limit: int = 50) -> tuple[EvaluationRunRow, ...]:
    """The newest runs of a kind, newest first."""
    query = select(EvaluationRunTable).where(EvaluationRunTable.kind == kind)
    rows = session.scalars(query.order_by(EvaluationRunTable.at.desc(), EvaluationRunTable.run_id).limit(limit))
    return tuple(_run_of(row) for row in rows)


def get_run(session: Session, run_id: str) -> EvaluationRunRow:
    """Raises NoSuchRecord."""
    return _run_of(existing(session, EvaluationRunTable, run_id, "evaluation run"))


def turn_to_measure(session: Session, turn_id: str) -> Turn:
    """The turn that a question is made of. Raises NoSuchRecord."""
    return turn_of(existing(session, TurnTable, turn_id, "turn"))


def _question_table(question: EvaluationQuestionRow) -> EvaluationQuestionTable:
    return EvaluationQuestionTable(
        question_id=question.question_id,
        text=question.text,
        language=question.language,
        tenant_id=question.tenant_id,
        supports=[list(support) for support in question.supports],
        also=list(question.also),
        source=question.source,
        turn_id=question.turn_id,
        changed_at=question.changed_at,
    )


def _question_of(row: EvaluationQuestionTable) -> EvaluationQuestionRow:
    return EvaluationQuestionRow(
        question_id=row.question_id,
        text=row.text,
        language=row.language,
        tenant_id=row.tenant_id,
        supports=tuple((article, passage) for article, passage in row.supports),
        also=tuple(row.also),
        source=row.source,
        turn_id=row.turn_id,
        changed_at=row.changed_at,
    )


def _run_of(row: EvaluationRunTable) -> EvaluationRunRow:
    return EvaluationRunRow(
        run_id=row.run_id,
        kind=row.kind,
        at=row.at,
        version=row.version,
        settings=row.settings,
        figures=row.figures,
        results=tuple(row.results),
    )
