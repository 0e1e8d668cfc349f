"""Everything that is published, in memory: what the search by words reads. Made anew after every change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from knowledge.article import ArticleStatus
from knowledge.chunking import PATH_MARK
from knowledge.language import base_language
from knowledge.lexical import WordIndex
from knowledge.permission import permits
from knowledge.rows import article_of
from storage.queries.articles import chunks_of, list_articles

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

    from knowledge.article import Article, Asker
    from storage.records import ChunkRow


@dataclass(frozen=True, slots=True)
class Shelved:
    """Where a chunk belongs: its article and the language it is in, without script or region.

    `own` = the article names the asker's tenant, so it was written for few and not for all.
    """

    article_id: str
    language: str
    own: bool = False


class Catalogue:
    """The published articles with their chunks. Word indexes are made at the first search in their language."""

    def __init__(self, articles: Iterable[tuple[Article, tuple[ChunkRow, ...]]]) -> None:
        self._articles = tuple(articles)
        self._words: dict[str, WordIndex] = {}

    @classmethod
    def read(cls, session: Session) -> Catalogue:
        rows = [row for row in list_articles(session) if row.status == ArticleStatus.PUBLISHED]
        return cls((article_of(row), chunks_of(session, row.article_id)) for row in rows)

    def allowed(self, asker: Asker) -> dict[str, Shelved]:
        """The chunks that this asker may see, by point id."""
        return {
            chunk.point_id: Shelved(
                article.article_id, base_language(article.text.language), asker.tenant_id in article.text.tenants
            )
            for article, chunks in self._articles
            if permits(article, asker)
            for chunk in chunks
        }

    def words(self, language: str) -> WordIndex:
        """The word index of all chunks in a language, by point id. Costs about 0.1 ms a chunk the first time."""
        if language not in self._words:
            self._words[language] = WordIndex(
                (chunk.point_id, f"{PATH_MARK.join((article.text.title, *chunk.heading_path))}\n{chunk.text}")
                for article, chunks in self._articles
                if base_language(article.text.language) == language
                for chunk in chunks
            )
        return self._words[language]
