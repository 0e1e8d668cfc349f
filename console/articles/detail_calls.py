"""What the pane of one article asks of the library and the database, as coroutines that hold no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from knowledge.evaluate.book import QuestionBook
from knowledge.evaluate.questions import names_of
from knowledge.evaluate.runs import RunBook

if TYPE_CHECKING:
    from console.house import House
    from knowledge.article import Article, Chunk
    from knowledge.article_history import Version
    from knowledge.evaluate.questions import KnownQuestion
    from knowledge.evaluate.runs import QuestionResult


@dataclass(frozen=True, slots=True)
class Detail:
    """All that is kept of one article beside its text. `results` are of the newest evaluation, by question."""

    article_id: str
    chunks: tuple[Chunk, ...] = ()
    versions: tuple[Version, ...] = ()
    questions: tuple[KnownQuestion, ...] = ()
    results: tuple[QuestionResult, ...] = ()


async def read_detail(house: House, article: Article) -> Detail:
    article_id, names = article.article_id, names_of(article.text.source_name)
    questions = [one for one in await QuestionBook(house.database).questions() if names & one.articles]
    known = {one.question_id for one in questions}
    runs = await RunBook(house.database).runs(limit=1)
    return Detail(
        article_id=article_id,
        chunks=await house.library.chunks(article_id),
        versions=await house.library.versions(article_id),
        questions=tuple(questions),
        results=tuple(one for run in runs for one in run.results if one.question_id in known),
    )
