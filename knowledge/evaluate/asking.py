"""Known questions asked of a library, one after the other, and what came of each."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from knowledge.article import Asker, Audience
from knowledge.evaluate.metrics import place_of
from knowledge.evaluate.questions import names_of
from knowledge.evaluate.relevance import gains_of, holds
from knowledge.ranking import Way

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from datetime import date

    from knowledge.article import Article, Passage
    from knowledge.evaluate.questions import KnownQuestion
    from knowledge.library import Library

_log = logging.getLogger(__name__)
DEPTH: Final = 10
"""So many passages are looked at: recall is told up to here, and a right passage behind it has no rank."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of one question, a value for each passage found, best first.

    `gains` count the supports that a passage is the first to hold, `answering` says that it is of an article that
    answers, `given` that a prompt would get it, and `tokens` are the embedder's for title, headings and text.
    `failure` is why the question could not be run. `outdated` = no article has one of its supports any more.
    """

    question: KnownQuestion
    gains: tuple[int, ...] = ()
    answering: tuple[bool, ...] = ()
    given: tuple[bool, ...] = ()
    tokens: tuple[int, ...] = ()
    elapsed_ms: float | None = None
    failure: str = ""
    outdated: bool = False

    @property
    def known(self) -> int:
        """How many supports there are to find."""
        return len(self.question.supports)

    @property
    def place(self) -> int | None:
        """Where the first right passage came, 1 = first; None = nowhere."""
        return place_of(self.gains)

    @property
    def answered(self) -> bool:
        """Whether the first passage is of an article that answers, and given."""
        return self.answering[:1] == (True,) and self.given[0]

    @property
    def refused(self) -> bool:
        """Whether it was run and nothing was given."""
        return not self.failure and not any(self.given)


@dataclass(frozen=True, slots=True)
class Conditions:
    """As on which day questions are asked, how passages are found, and how many over the threshold a prompt takes."""

    on: date
    passages: int
    way: Way = Way.HYBRID


async def ask_all(
    library: Library,
    questions: Sequence[KnownQuestion],
    conditions: Conditions,
    on_asked: Callable[[int], None] | None = None,
) -> tuple[Asked, ...]:
    """Ask every question as a customer of its tenant; `on_asked` hears how many are done.

    A question that fails is a miss with its reason. Raises KnowledgeError only when the library can't be opened.
    """
    await library.warm()
    desk = _Desk(library, {article.article_id: article for article in await library.articles()}, conditions)
    asked: list[Asked] = []
    for question in questions:
        asked.append(await desk.ask(question))
        if on_asked:
            on_asked(len(asked))
    return tuple(asked)


class _Desk:
    """A library to ask, with what is known of its articles."""

    def __init__(self, library: Library, articles: dict[str, Article], conditions: Conditions) -> None:
        self._library = library
        self._articles = articles
        self._conditions = conditions
        self._tokens: dict[str, dict[tuple[int, int], int]] = {}

    async def ask(self, question: KnownQuestion) -> Asked:
        asker = Asker(question.tenant_id, Audience.CUSTOMERS, question.language, self._conditions.on)
        outdated = self._is_outdated(question)
        try:
            found = await self._library.retrieve(question.text, asker, DEPTH, way=self._conditions.way)
            tokens = [await self._tokens_of(passage) for passage in found.passages]
        except Exception as error:  # noqa: BLE001 - whatever keeps a customer from the passage is a miss
            _log.warning("Question %s could not be run: %s", question.question_id, error)
            return Asked(question, failure=str(error) or type(error).__name__, outdated=outdated)
        names = [self._names(passage.article_id) for passage in found.passages]
        texts = [passage.text for passage in found.passages]
        return Asked(
            question=question,
            gains=gains_of(list(zip(names, texts, strict=True)), question.supports),
            answering=tuple(not question.articles.isdisjoint(here) for here in names),
            given=tuple(self._is_given(place, passage) for place, passage in enumerate(found.passages)),
            tokens=tuple(tokens),
            elapsed_ms=found.elapsed_ms,
            outdated=outdated,
        )

    def _is_given(self, place: int, passage: Passage) -> bool:
        return passage.given and place < self._conditions.passages

    def _names(self, article_id: str) -> Collection[str]:
        article = self._articles.get(article_id)
        return names_of(article.text.source_name) if article else frozenset[str]()

    def _is_outdated(self, question: KnownQuestion) -> bool:
        return not all(
            any(
                support.article in names_of(article.text.source_name) and holds(article.text.body, support.passage)
                for article in self._articles.values()
            )
            for support in question.supports
        )

    async def _tokens_of(self, passage: Passage) -> int:
        if passage.article_id not in self._tokens:
            chunks = await self._library.chunks(passage.article_id)
            self._tokens[passage.article_id] = {(chunk.start, chunk.end): chunk.tokens for chunk in chunks}
        return self._tokens[passage.article_id].get((passage.start, passage.end), 0)
