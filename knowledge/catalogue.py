"""Everything that is published, in memory: who may see which article, and the words of its chunks.

Kept up to date article by article: a change costs what it changed.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from knowledge.article import Article, ArticleStatus, ArticleText, Audience
from knowledge.chunking import PATH_MARK
from knowledge.language import base_language
from knowledge.permission import permits
from storage.queries.shelf import shelf_articles, shelf_chunks

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from sqlalchemy.orm import Session

    from knowledge.article import Asker
    from knowledge.lexical import WordIndex
    from storage.queries.shelf import ShelfArticle, ShelfChunk

VIEWS_KEPT = 64
INDIC = frozenset({"hi", "mr"})
_Version = tuple[int, str, str]
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Shelved:
    """Where an article stands: the language it is in, without script or region, and how many chunks it has.

    `own` = it names the asker's tenant, so it was written for few and not for all.
    """

    language: str
    own: bool = False
    chunks: int = 0


class View:
    """The articles that an asker may see, by id."""

    def __init__(self, articles: Mapping[str, Shelved]) -> None:
        self.articles = articles
        self.chunks = sum(article.chunks for article in articles.values())
        self._by_language: defaultdict[str, set[str]] = defaultdict(set)
        for name, article in articles.items():
            self._by_language[article.language].add(name)

    @property
    def languages(self) -> frozenset[str]:
        return frozenset(self._by_language)

    def written_in(self, language: str) -> AbstractSet[str]:
        return self._by_language.get(language, frozenset[str]())


@dataclass(frozen=True, slots=True)
class News:
    """What the database says: every published article, and the chunks of those that are new or changed."""

    articles: Mapping[str, ShelfArticle]
    chunks: Mapping[str, tuple[ShelfChunk, ...]] = field(default_factory=dict[str, "tuple[ShelfChunk, ...]"])


@dataclass(frozen=True, slots=True)
class _Published:
    article: Article
    language: str
    chunks: int


class _Shown:
    """The published articles at one time, and the views of them that were asked for."""

    def __init__(self, published: Mapping[str, _Published]) -> None:
        self._published = published
        self._views: dict[tuple[str, str, date], View] = {}

    def view(self, asker: Asker) -> View:
        who = (asker.tenant_id, asker.audience, asker.on)
        if who not in self._views:
            if len(self._views) >= VIEWS_KEPT:
                self._views.pop(next(iter(self._views)))
            self._views[who] = View(
                {
                    name: Shelved(one.language, asker.tenant_id in one.article.text.tenants, one.chunks)
                    for name, one in self._published.items()
                    if permits(one.article, asker)
                }
            )
        return self._views[who]


class Catalogue:
    """`view` may be asked at any time; everything else belongs to one thread."""

    def __init__(self) -> None:
        self._versions: dict[str, _Version] = {}
        self._sizes: dict[str, int] = {}
        self._words: dict[str, WordIndex] = {}
        self._shown = _Shown({})

    def news(self, session: Session) -> News:
        """What has changed since the last `take`; everything at first."""
        articles = {row.article_id: row for row in shelf_articles(session, ArticleStatus.PUBLISHED.value)}
        changed = [name for name, row in articles.items() if self._versions.get(name) != _version(row)]
        chunks: defaultdict[str, list[ShelfChunk]] = defaultdict(list)
        for chunk in shelf_chunks(session, changed):
            chunks[chunk.article_id].append(chunk)
        return News(articles, {name: tuple(chunks[name]) for name in changed})

    def take(self, news: News) -> None:
        """Make the words those of the news. Costs about 0.1 ms for each chunk in them."""
        for gone in self._versions.keys() - news.articles.keys():
            self._forget(gone)
        for name, chunks in news.chunks.items():
            self._forget(name)
            self._add(news.articles[name], chunks)
        self._shown = _Shown(
            {
                name: _Published(without_text(row), base_language(row.language), self._sizes[name])
                for name, row in news.articles.items()
            }
        )

    def view(self, asker: Asker) -> View:
        """What this asker may see."""
        return self._shown.view(asker)

    def words(self, language: str) -> WordIndex:
        """The words of all chunks in a language; an article's id is the group of its chunks."""
        from knowledge.lexical import WordIndex  # numpy

        return self._words.setdefault(language, WordIndex(sounds=language in INDIC))

    @property
    def wasteful(self) -> bool:
        """Whether a new catalogue would be much smaller."""
        return any(words.wasteful for words in self._words.values())

    def _add(self, row: ShelfArticle, chunks: tuple[ShelfChunk, ...]) -> None:
        words = self.words(base_language(row.language))
        for chunk in chunks:
            text = f"{PATH_MARK.join((row.title, *chunk.heading_path))}\n{chunk.text}"
            words.add(chunk.point_id, row.article_id, text)
        self._versions[row.article_id] = _version(row)
        self._sizes[row.article_id] = len(chunks)

    def _forget(self, article_id: str) -> None:
        version = self._versions.pop(article_id, None)
        if version:
            self._words[version[1]].remove(article_id)


def _version(row: ShelfArticle) -> _Version:
    """What decides over an article's words and where they are kept."""
    return row.generation, base_language(row.language), row.title


def without_text(row: ShelfArticle) -> Article:
    """The article as far as permissions need it."""
    text = ArticleText(
        source_name="",
        title=row.title,
        owner="",
        audience=Audience(row.audience),
        tenants=row.tenants,
        language=row.language,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        body="",
        source_hash="",
    )
    return Article(row.article_id, text, ArticleStatus(row.status), row.generation, 0, _NEVER)
