"""How well the right passage is found: questions with known answers, asked of a library and counted."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from knowledge.article import Asker, Audience

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date
    from pathlib import Path

    from knowledge.article import Passage
    from knowledge.library import Library

AMONG = 5


@dataclass(frozen=True, slots=True)
class KnownQuestion:
    """A question and what answers it: `article` is a source name without its ending, `sentence` a text in it.

    Both are None when no article answers the question. `also` are other articles that say the same.
    """

    question_id: str
    text: str
    language: str
    tenant_id: str
    article: str | None
    sentence: str | None
    also: tuple[str, ...] = ()

    @property
    def articles(self) -> frozenset[str]:
        """Every article that answers it; none for a question that none does."""
        return frozenset((self.article, *self.also)) if self.article else frozenset()


@dataclass(frozen=True, slots=True)
class Asked:
    """One question's result. `place` is where the right passage came, 1 = first, None = not among the first five;
    `article_place` the same for any passage of an article that answers. `given` counts passages over the threshold,
    `answered` = the first passage is of an article that answers, and over the threshold."""

    question: KnownQuestion
    place: int | None
    article_place: int | None
    right_given: bool
    answered: bool
    given: int
    best_score: float | None
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class LanguageFigures:
    """Shares are 0 to 1 of the questions that an article answers; `refused` of those that none does."""

    language: str
    questions: int
    recall_at_1: float
    recall_at_5: float
    article_at_1: float
    right_given: float
    answered: float
    unanswerable: int
    refused: int
    elapsed_p50_ms: float


def read_questions(path: Path) -> tuple[KnownQuestion, ...]:
    """Questions from a JSON Lines file with id, question, language, tenant, article and passage."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return tuple(_question(line) for line in lines)


def _question(line: dict[str, Any]) -> KnownQuestion:
    return KnownQuestion(
        question_id=line["id"],
        text=line["question"],
        language=line["language"],
        tenant_id=line["tenant"],
        article=line.get("article"),
        sentence=line.get("passage"),
        also=tuple(line.get("also", ())),
    )


async def evaluate(
    library: Library, questions: Iterable[KnownQuestion], on: date, audience: Audience = Audience.CUSTOMERS
) -> tuple[Asked, ...]:
    """Ask every question as its tenant's customer on this day, and look where the right passage comes."""
    names = {
        article.article_id: article.text.source_name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
        for article in await library.articles()
    }
    asked: list[Asked] = []
    for question in questions:
        asker = Asker(question.tenant_id, audience, question.language, on)
        found = await library.retrieve(question.text, asker, AMONG)
        of_article = [names.get(passage.article_id) in question.articles for passage in found.passages]
        right = [names.get(p.article_id) == question.article and _holds(p, question) for p in found.passages]
        asked.append(
            Asked(
                question=question,
                place=_place(right),
                article_place=_place(of_article),
                right_given=any(here and p.given for here, p in zip(right, found.passages, strict=True)),
                answered=any(here and p.given for here, p in zip(of_article[:1], found.passages, strict=False)),
                given=sum(passage.given for passage in found.passages),
                best_score=max((passage.score for passage in found.passages), default=None),
                elapsed_ms=found.elapsed_ms,
            )
        )
    return tuple(asked)


def figures_by_language(asked: Iterable[Asked]) -> tuple[LanguageFigures, ...]:
    """One line of figures for each language, in the order of their names."""
    groups: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        groups[one.question.language].append(one)
    return tuple(_figures(language, groups[language]) for language in sorted(groups))


def _figures(language: str, asked: list[Asked]) -> LanguageFigures:
    known = [one for one in asked if one.question.article]
    open_ones = [one for one in asked if not one.question.article]
    times = sorted(one.elapsed_ms for one in asked)
    return LanguageFigures(
        language=language,
        questions=len(known),
        recall_at_1=_share(one.place == 1 for one in known),
        recall_at_5=_share(one.place is not None for one in known),
        article_at_1=_share(one.article_place == 1 for one in known),
        right_given=_share(one.right_given for one in known),
        answered=_share(one.answered for one in known),
        unanswerable=len(open_ones),
        refused=sum(one.given == 0 for one in open_ones),
        elapsed_p50_ms=times[len(times) // 2],
    )


def _holds(passage: Passage, question: KnownQuestion) -> bool:
    return " ".join((question.sentence or "").split()) in " ".join(passage.text.split())


def _place(right: Sequence[bool]) -> int | None:
    return right.index(True) + 1 if True in right else None


def _share(values: Iterable[bool]) -> float:
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0
