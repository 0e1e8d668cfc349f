from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from knowledge.errors import QuestionRefused
from knowledge.evaluate.book import QuestionBook
from knowledge.evaluate.questions import KnownQuestion, QuestionSource, Support
from storage.queries.conversations import start_conversation
from storage.queries.tenants import upsert_tenant
from storage.queries.turns import open_turn, settle_turn
from storage.records import NewTurn, Quota, SettledTurn, Tenant, TokenUse, TurnOutcome, TurnTimes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy.orm import Session

    from knowledge.library import Library
    from storage.database import Database

KNOWN = KnownQuestion("", "is it free?", "en", "kamala", (Support("late.md", "It is free."),))
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def book(db: Database) -> QuestionBook:
    return QuestionBook(db)


@pytest.fixture(autouse=True)
async def late(library: Library, write: Callable[..., Path]) -> None:
    await library.add_file(write("late.md", "It is free."))


async def test_that_a_question_is_added_changed_and_removed(book: QuestionBook) -> None:
    added = await book.add(replace(KNOWN, text="  is it free? "))
    assert (added.text, bool(added.question_id)) == (KNOWN.text, True)
    changed = await book.change(replace(added, supports=()))
    assert await book.questions() == (changed,)
    await book.remove(added.question_id)
    assert await book.questions() == ()


async def test_that_the_same_question_is_not_added_twice(book: QuestionBook) -> None:
    await book.add(KNOWN)
    with pytest.raises(QuestionRefused, match="it is among the questions"):
        await book.add(KNOWN)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (replace(KNOWN, text=" "), "it has no text"),
        (replace(KNOWN, tenant_id=""), "it has no tenant"),
        (replace(KNOWN, language=""), "it has no language"),
        (replace(KNOWN, supports=(Support("late.md", " "),)), "a right passage has no article or no text"),
        (replace(KNOWN, supports=(Support("late.md", "It costs."),)), "late.md has no such text"),
        (replace(KNOWN, supports=(Support("early.md", "It is free."),)), "there is no article early.md"),
    ],
)
async def test_that_a_question_with_a_gap_is_refused(book: QuestionBook, wrong: KnownQuestion, reason: str) -> None:
    with pytest.raises(QuestionRefused, match=reason):
        await book.add(wrong)
    assert await book.questions() == ()


async def test_that_what_is_not_there_is_neither_changed_nor_removed(book: QuestionBook) -> None:
    with pytest.raises(QuestionRefused, match="no question q9"):
        await book.change(replace(KNOWN, question_id="q9"))
    with pytest.raises(QuestionRefused, match="no question q9"):
        await book.remove("q9")


async def test_that_seeding_leaves_a_corrected_sample_question_alone(book: QuestionBook) -> None:
    sample = replace(KNOWN, question_id="en-001", source=QuestionSource.SAMPLE)
    assert await book.add_missing((sample,)) == 1
    corrected = await book.change(replace(sample, text="is it really free?"))
    assert await book.add_missing((sample, replace(sample, question_id="en-002"))) == 1
    first, second = await book.questions()
    assert (first, first.source, second.source) == (corrected, QuestionSource.EDITED, QuestionSource.SAMPLE)


async def test_that_questions_go_out_and_come_back(book: QuestionBook, tmp_path: Path) -> None:
    added = await book.add(KNOWN)
    assert await book.export_file(tmp_path / "mine.jsonl") == 1
    await book.change(replace(added, text="other"))
    assert await book.import_file(tmp_path / "mine.jsonl") == (added,)
    assert await book.questions() == (added,)


def turn(session: Session) -> None:
    quota = Quota(1000, 10, 2, 100, 100)
    upsert_tenant(session, Tenant("kamala", "Kamala", "", 1, "Asia/Kolkata", "KD", quota, ""))
    start_conversation(session, "kamala", None, "", NOW, "c1")
    open_turn(session, NewTurn("t1", "c1", "kamala", None, "", "der hui to paisa milega?", NOW, None))
    settle_turn(session, SettledTurn("t1", TurnOutcome.ANSWERED, "hi-Latn", "", TokenUse(), TurnTimes()))


async def test_that_a_question_is_made_of_a_turn_and_the_text_that_was_marked(
    book: QuestionBook, db: Database, library: Library, write: Callable[..., Path]
) -> None:
    await db.run(turn)
    row = await library.add_file(write("late.hi.md", "देर हुई तो पैसे वापस।", language="hi"))
    assert row.article_id is not None
    made = await book.from_turn("t1", [(row.article_id, "देर हुई तो पैसे वापस।")])
    assert (made.text, made.language, made.tenant_id) == ("der hui to paisa milega?", "hi-Latn", "kamala")
    assert (made.source, made.turn_id) == (QuestionSource.CONVERSATION, "t1")
    again = await book.from_turn("t1", [(row.article_id, "देर हुई तो पैसे वापस।"), (row.article_id, "पैसे")])
    assert again.supports == (Support("late.hi.md", "देर हुई तो पैसे वापस।"), Support("late.hi.md", "पैसे"))
    assert await book.questions() == (again,)


async def test_that_no_question_is_made_of_what_is_gone(book: QuestionBook, db: Database) -> None:
    await db.run(turn)
    with pytest.raises(QuestionRefused, match="no article a9"):
        await book.from_turn("t1", [("a9", "x")])
    with pytest.raises(QuestionRefused, match="no turn t9"):
        await book.from_turn("t9", [])
    assert await book.questions() == ()
