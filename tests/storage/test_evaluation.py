"""Known questions and runs: kept, replaced, seeded once, listed by age."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from storage.errors import NoSuchRecord
from storage.evaluation_records import EvaluationQuestionRow, EvaluationRunRow
from storage.queries.evaluation import (
    delete_question,
    find_question,
    get_run,
    keep_new_questions,
    keep_questions,
    keep_run,
    list_questions,
    list_runs,
)

if TYPE_CHECKING:
    from storage.database import Database

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
QUESTION = EvaluationQuestionRow(
    "q1", "देर?", "hi", "kamala", (("late", "Free."), ("late", "Half.")), ("prices",), "sample", None, NOW
)
RUN = EvaluationRunRow("r1", "run", NOW, "0.1", {"chunk_tokens": 200}, {"all": {"mrr": 0.9}}, ({"id": "q1"},))


async def test_that_questions_come_back_as_kept_and_are_replaced_by_their_id(db: Database) -> None:
    other = replace(QUESTION, question_id="q0", supports=(), also=(), turn_id="t1")
    await db.run(lambda session: keep_questions(session, (QUESTION, other)))
    assert await db.run(list_questions) == (other, QUESTION)
    new = replace(QUESTION, text="how late?", supports=())
    await db.run(lambda session: keep_questions(session, (new,)))
    assert await db.run(lambda session: find_question(session, "q1")) == new


async def test_that_only_questions_that_are_not_there_are_seeded(db: Database) -> None:
    own = replace(QUESTION, text="corrected", source="edited")
    await db.run(lambda session: keep_questions(session, (own,)))
    new = replace(QUESTION, question_id="q2")
    assert await db.run(lambda session: keep_new_questions(session, (QUESTION, new, new))) == 1
    assert await db.run(list_questions) == (own, new)


async def test_that_a_deleted_question_is_gone(db: Database) -> None:
    await db.run(lambda session: keep_questions(session, (QUESTION,)))
    await db.run(lambda session: delete_question(session, "q1"))
    assert await db.run(lambda session: find_question(session, "q1")) is None
    with pytest.raises(NoSuchRecord, match="no question q1"):
        await db.run(lambda session: delete_question(session, "q1"))


async def test_that_runs_come_back_whole_and_the_newest_of_their_kind_first(db: Database) -> None:
    later = replace(RUN, run_id="r2", at=NOW + timedelta(hours=1))
    sweep = replace(RUN, run_id="s1", kind="sweep")
    for run in (RUN, later, sweep):
        await db.run(lambda session, run=run: keep_run(session, run))
    assert await db.run(lambda session: list_runs(session, "run")) == (later, RUN)
    assert await db.run(lambda session: list_runs(session, "run", limit=1)) == (later,)
    assert await db.run(lambda session: get_run(session, "s1")) == sweep
    with pytest.raises(NoSuchRecord, match="no evaluation run r9"):
        await db.run(lambda session: get_run(session, "r9"))
