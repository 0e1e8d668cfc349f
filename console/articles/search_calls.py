"""What the search test asks of the library, as coroutines that hold no widgets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from knowledge.evaluate.book import QuestionBook
from knowledge.evaluate.questions import KnownQuestion, Support, question_id_of

if TYPE_CHECKING:
    from console.articles.search_shown import HitShown, Probe
    from console.house import House
    from knowledge.article import Asker, Retrieved
    from knowledge.explain import Explained
    from knowledge.library import Library


@dataclass(frozen=True, slots=True)
class Tried:
    """What the bot would get, and why each passage near the question is, or is not, among it."""

    retrieved: Retrieved
    explained: tuple[Explained, ...]


async def try_search(library: Library, question: str, asker: Asker, limit: int) -> Tried:
    retrieved = await library.retrieve(question, asker, limit)
    return Tried(retrieved, await library.explain(question, asker, limit))


async def keep_as_known(house: House, probe: Probe, hit: HitShown) -> KnownQuestion:
    """Keep the question with this passage as its right answer, beside those that it had. Raises KnowledgeError."""
    book = QuestionBook(house.database)
    article = await house.library.article(hit.article_id)
    support = Support(article.text.source_name, hit.text)
    text = probe.text.strip()
    question_id = question_id_of(text, probe.language, probe.tenant_id)
    known = {question.question_id: question for question in await book.questions()}.get(question_id)
    if known is None:
        return await book.add(KnownQuestion(question_id, text, probe.language, probe.tenant_id, (support,)))
    return await book.change(replace(known, supports=tuple(dict.fromkeys((*known.supports, support)))))
