"""What the table of articles shows: rows, counts, the filter, and the one line of truth. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from console.articles.words import count_text, moment_text, readers_text, validity_text
from console.widgets.pill import PillMark
from knowledge.article import ArticleStatus
from knowledge.permission import ArticleState, derive_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime, tzinfo

    from console.widgets.pill import PillKind
    from knowledge.article import Article
    from storage.records import Tenant

NO_ARTICLES: Final = "No articles yet. Add a folder or drop files here."
ALL: Final = "all"
ALWAYS_SHOWN: Final = (ALL, "published")
STATES: Final[dict[ArticleState, tuple[str, PillKind]]] = {
    "published": ("Published", "ok"),
    "not yet valid": ("Not yet valid", "info"),
    "expired": ("Expired", "warn"),
    "draft": ("Draft", "neutral"),
    "retired": ("Retired", "neutral"),
}
RANKS: Final = {state: number for number, state in enumerate(STATES)}


@dataclass(frozen=True, slots=True)
class ArticleRow:
    """One line. `chunks` are those in the index now; `series` colours the tenant when it is for one alone, else 0.

    `haystack` is what the filter looks in, case-folded.
    """

    article_id: str
    state: ArticleState
    title: str
    language: str
    audience: str
    series: int
    valid: str
    valid_from: int
    chunks: int
    updated: str
    updated_at: datetime
    haystack: str

    @property
    def mark(self) -> PillMark:
        return PillMark(*STATES[self.state])


@dataclass(frozen=True, slots=True)
class Shelf:
    """Everything that was read, with the rows that show it on the day it was read."""

    articles: tuple[Article, ...] = ()
    tenants: tuple[Tenant, ...] = ()
    rows: tuple[ArticleRow, ...] = ()

    def article(self, article_id: str) -> Article | None:
        return next((article for article in self.articles if article.article_id == article_id), None)

    def row(self, article_id: str) -> ArticleRow | None:
        return next((row for row in self.rows if row.article_id == article_id), None)


def derive_shelf(articles: Sequence[Article], tenants: Sequence[Tenant], now: datetime, zone: tzinfo) -> Shelf:
    known = {tenant.tenant_id: tenant for tenant in tenants}
    rows = tuple(_row(article, known, now, zone) for article in articles)
    return Shelf(tuple(articles), tuple(tenants), rows)


def derive_counts(rows: Iterable[ArticleRow]) -> dict[str, int]:
    """How many articles each segment has; a segment that has none is left out, but All and Published."""
    states = [row.state for row in rows]
    counts: dict[str, int] = {ALL: len(states)} | {state: states.count(state) for state in STATES}
    return {key: count for key, count in counts.items() if count or key in ALWAYS_SHOWN}


def segment_text(key: str) -> str:
    return next((text for state, (text, _) in STATES.items() if state == key), "All")


def derive_truth(rows: Sequence[ArticleRow]) -> str:
    """`54 articles, 262 chunks, 46 published`; chunks are those in the index."""
    if not rows:
        return "Nothing in service yet"
    published = sum(row.state == "published" for row in rows)
    chunks = count_text(sum(row.chunks for row in rows), "chunk")
    return f"{count_text(len(rows), 'article')}, {chunks}, {published:,} published"


def matches(row: ArticleRow, segment: str, words: str) -> bool:
    """Whether a row is in the segment and has every one of the words in title, owner, file name or text."""
    return segment in (ALL, row.state) and all(word in row.haystack for word in words.casefold().split())


def derive_empty(segment: str, words: str) -> str:
    """What the table says when nothing is left to show."""
    if words.strip():
        return f'No article matches "{words.strip()}".'
    return NO_ARTICLES if segment == ALL else f"No article is {segment_text(segment).lower()} now."


def find_by_name(articles: Iterable[Article], name: str) -> Article | None:
    """The article whose file is called so, without its folder and its last ending."""
    return next((article for article in articles if _stem(article.text.source_name) == name), None)


def _stem(source_name: str) -> str:
    return source_name.rsplit("/", 1)[-1].rsplit(".", 1)[0]


def _row(article: Article, tenants: dict[str, Tenant], now: datetime, zone: tzinfo) -> ArticleRow:
    text, today = article.text, now.astimezone(zone).date()
    only = tenants.get(text.tenants[0]) if len(text.tenants) == 1 else None
    return ArticleRow(
        article_id=article.article_id,
        state=derive_state(article, today),
        title=text.title,
        language=text.language,
        audience=readers_text(text, tenants),
        series=only.colour if only else 0,
        valid=validity_text(text, today),
        valid_from=text.valid_from.toordinal() if text.valid_from else 0,
        chunks=article.chunk_count if article.status is ArticleStatus.PUBLISHED else 0,
        updated=moment_text(article.updated_at, now, zone),
        updated_at=article.updated_at,
        haystack=f"{text.title}\n{text.owner}\n{text.source_name}\n{text.body}".casefold(),
    )
