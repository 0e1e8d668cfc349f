"""The known questions as they are kept: added, corrected, removed, made of a customer's turn, imported and exported."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from knowledge.errors import QuestionRefused
from knowledge.evaluate.question_files import read_questions, write_questions
from knowledge.evaluate.questions import KnownQuestion, QuestionSource, Support, names_of, question_id_of
from knowledge.evaluate.relevance import holds
from knowledge.language import guess_language
from storage.errors import NoSuchRecord
from storage.evaluation_records import EvaluationQuestionRow
from storage.queries.articles import get_article, list_articles
from storage.queries.evaluation import (
    delete_question,
    find_question,
    keep_new_questions,
    keep_questions,
    list_questions,
    turn_to_measure,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from sqlalchemy.orm import Session

    from storage.database import Database


class QuestionBook:
    """The user's own set of questions, in the database. Every method raises StorageError as the database does."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def questions(self) -> tuple[KnownQuestion, ...]:
        """Every question, by its id."""
        return tuple(_question_of(row) for row in await self._db.run(list_questions))

    async def question(self, question_id: str) -> KnownQuestion:
        """Raises QuestionRefused."""
        row = await self._db.run(lambda session: find_question(session, question_id))
        if row is None:
            raise QuestionRefused(f"There is no question {question_id}: it was removed, or never was. Reload the list.")
        return _question_of(row)

    async def add(self, question: KnownQuestion) -> KnownQuestion:
        """Keep a new question; an empty id is filled in.

        Raises QuestionRefused, also when it is there already or when no article has what is said to answer it.
        """
        new = _checked(question)
        if await self._db.run(lambda session: find_question(session, new.question_id)):
            raise QuestionRefused(f'"{new.text}" was not added: it is among the questions. Change that one instead.')
        await self._db.run(partial(_refuse_unfound, new))
        await self._keep((new,))
        return new

    async def change(self, question: KnownQuestion) -> KnownQuestion:
        """Keep a question as it reads now: a sample one becomes the user's own. Raises QuestionRefused as `add`."""
        new = _checked(question)
        if new.source is QuestionSource.SAMPLE:
            new = replace(new, source=QuestionSource.EDITED)
        await self.question(new.question_id)
        await self._db.run(partial(_refuse_unfound, new))
        await self._keep((new,))
        return new

    async def remove(self, question_id: str) -> None:
        """Raises QuestionRefused."""
        try:
            await self._db.run(lambda session: delete_question(session, question_id))
        except NoSuchRecord as error:
            raise QuestionRefused(f"There is no question {question_id}. Reload the list.") from error

    async def add_missing(self, questions: Iterable[KnownQuestion]) -> int:
        """Keep those whose id is not there yet, so that corrected ones stay; returns how many."""
        rows = [_row_of(_checked(question)) for question in questions]
        return await self._db.run(lambda session: keep_new_questions(session, rows))

    async def from_turn(self, turn_id: str, marked: Sequence[tuple[str, str]]) -> KnownQuestion:
        """Make a question of what a customer asked; `marked` are pairs of an article's id and the right text in it.

        Nothing marked = no article answers it. Marks of a question that is there already are added to it.
        Raises QuestionRefused when turn or article is gone.
        """
        try:
            question = await self._db.run(partial(_from_turn, turn_id, tuple(marked)))
        except NoSuchRecord as error:
            raise QuestionRefused(f"No question was made: {error}") from error
        await self._keep((_checked(question),))
        return question

    async def import_file(self, path: Path) -> tuple[KnownQuestion, ...]:
        """Keep the questions of a JSON Lines file; one with a known id is replaced. Raises QuestionRefused."""
        questions = tuple(_checked(question) for question in read_questions(path))
        await self._keep(questions)
        return questions

    async def export_file(self, path: Path) -> int:
        """Write every question to a JSON Lines file; returns how many. Raises OSError."""
        questions = await self.questions()
        write_questions(path, questions)
        return len(questions)

    async def _keep(self, questions: Sequence[KnownQuestion]) -> None:
        rows = [_row_of(question) for question in questions]
        await self._db.run(lambda session: keep_questions(session, rows))


def _checked(question: KnownQuestion) -> KnownQuestion:
    """The question with an id and without white space around its texts. Raises QuestionRefused for empty ones."""
    text, language, tenant_id = question.text.strip(), question.language.strip(), question.tenant_id.strip()
    for value, what in ((text, "text"), (language, "language"), (tenant_id, "tenant")):
        if not value:
            raise QuestionRefused(f'The question "{text}" was not kept: it has no {what}. Fill it in.')
    supports = tuple(Support(one.article.strip(), one.passage.strip()) for one in question.supports)
    if not all(support.article and support.passage for support in supports):
        raise QuestionRefused(
            f'The question "{text}" was not kept: a right passage has no article or no text. Mark the sentence that '
            "answers it, or say that no article does."
        )
    question_id = question.question_id.strip() or question_id_of(text, language, tenant_id)
    return replace(
        question, question_id=question_id, text=text, language=language, tenant_id=tenant_id, supports=supports
    )


def _refuse_unfound(question: KnownQuestion, session: Session) -> None:
    articles = list_articles(session) if question.supports else ()
    for support in question.supports:
        named = [article for article in articles if support.article in names_of(article.source_name)]
        if not any(holds(article.body, support.passage) for article in named):
            fact = f"{support.article} has no such text" if named else f"there is no article {support.article}"
            raise QuestionRefused(
                f'The question "{question.text}" was not kept: {fact}. Mark the sentence in the article as it stands.'
            )


def _from_turn(turn_id: str, marked: Sequence[tuple[str, str]], session: Session) -> KnownQuestion:
    turn = turn_to_measure(session, turn_id)
    text, tenant_id = turn.opened.question.strip(), turn.opened.tenant_id
    language = turn.settled.language if turn.settled and turn.settled.language else guess_language(text)
    question_id = question_id_of(text, language, tenant_id)
    new = tuple(Support(get_article(session, article_id).source_name, passage) for article_id, passage in marked)
    known = find_question(session, question_id)
    before = _question_of(known).supports if known else ()
    return KnownQuestion(
        question_id=question_id,
        text=text,
        language=language,
        tenant_id=tenant_id,
        supports=tuple(dict.fromkeys((*before, *new))),
        source=QuestionSource.CONVERSATION,
        turn_id=turn_id,
    )


def _row_of(question: KnownQuestion) -> EvaluationQuestionRow:
    return EvaluationQuestionRow(
        question_id=question.question_id,
        text=question.text,
        language=question.language,
        tenant_id=question.tenant_id,
        supports=tuple((support.article, support.passage) for support in question.supports),
        also=question.also,
        source=question.source.value,
        turn_id=question.turn_id,
        changed_at=datetime.now(UTC),
    )


def _question_of(row: EvaluationQuestionRow) -> KnownQuestion:
    return KnownQuestion(
        question_id=row.question_id,
        text=row.text,
        language=row.language,
        tenant_id=row.tenant_id,
        supports=tuple(Support(article, passage) for article, passage in row.supports),
        also=row.also,
        source=QuestionSource(row.source),
        turn_id=row.turn_id,
    )
