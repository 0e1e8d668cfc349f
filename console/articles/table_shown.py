"""What the table of articles shows: rows, counts, the filter, and the one line of truth. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from console.articles.words import count_text, moment_text, readers_text, validity_text
from console.widgets.pill import PillMark
from knowledge.article import ArticleStatus
from knowledge.permission import ArticleState, derive_state

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from datetime import date, datetime, tzinfo

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

    `haystack` is what the filter looks in, case-folded; `drafted` = a draft waits beside what it says now.
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
    drafted: bool = False

    @property
    def mark(self) -> PillMark:
        return PillMark(*STATES[self.state])


@dataclass(frozen=True, slots=True)
class Shelf:
    """Everything that was read, with the rows that show it on the day it was read."""

    articles: tuple[Article, ...] = ()
    tenants: tuple[Tenant, ...] = ()
    rows: tuple[ArticleRow, ...] = ()
    day: date | None = None

    def rows_by_article(self) -> dict[str, tuple[Article, ArticleRow]]:
        return {row.article_id: (article, row) for article, row in zip(self.articles, self.rows, strict=True)}

    def article(self, article_id: str) -> Article | None:
        return next((article for article in self.articles if article.article_id == article_id), None)

    def row(self, article_id: str) -> ArticleRow | None:
        return next((row for row in self.rows if row.article_id == article_id), None)


def derive_shelf(
    articles: Sequence[Article], tenants: Sequence[Tenant], now: datetime, zone: tzinfo,
    drafted: Collection[str] = (), before: Shelf | None = None,
) -> Shelf:  # fmt: skip
    """`drafted` are the ids of articles that have a draft. Rows that nothing changed are those of `before`."""
    known = {tenant.tenant_id: tenant for tenant in tenants}
    day = now.astimezone(zone).date()
    kept = before.rows_by_article() if before and (before.day, before.tenants) == (day, tuple(tenants)) else {}
    rows: list[ArticleRow] = []
    for article in articles:
        same, row = kept.get(article.article_id, (None, None))
        row = row if row and same == article else _row(article, known, now, zone)
        has_draft = _has_draft(article, drafted)
        rows.append(row if row.drafted == has_draft else replace(row, drafted=has_draft))
    return Shelf(tuple(articles), tuple(tenants), tuple(rows), day)


def derive_counts(rows: Iterable[ArticleRow]) -> dict[str, int]:
    """How many articles each segment has; a segment that has none is left out, but All and Published."""
    states = [row.state for row in rows]
    counts: dict[str, int] = {ALL: len(states)} | {state: states.count(state) for state in STATES}
    return {key: count for key, count in counts.items() if count or key in ALWAYS_SHOWN}


def segment_text(key: str) -> str:
    return next((text for state, (text, _) in STATES.items() if state == key), "All")


def derive_truth(rows: Sequence[ArticleRow]) -> str:
    """`54 articles, 262 chunks`: those in the index. How many are in which state stands in the segments."""
    if not rows:
        return "Nothing in service yet"
    chunks = count_text(sum(row.chunks for row in rows), "chunk")
    return f"{count_text(len(rows), 'article')}, {chunks}"


def derive_filter(segment: str, words: str) -> Callable[[ArticleRow], bool] | None:
    """Accepts a row of the segment with every one of the words in title, owner, file name or text; None = every row."""
    wanted = sorted(words.casefold().split(), key=len, reverse=True)
    if segment == ALL and not wanted:
        return None
    if not wanted:
        return lambda row: row.state == segment
    first, rest = wanted[0], wanted[1:]
    if segment == ALL and not rest:
        return lambda row: first in row.haystack
    return lambda row: segment in (ALL, row.state) and all(word in row.haystack for word in wanted)


def derive_empty(segment: str, words: str) -> str:
    """What the table says when nothing is left to show."""
    if words.strip():
        return f'No article matches "{words.strip()}".'
    return NO_ARTICLES if segment == ALL else f"No article is {segment_text(segment).lower()} now."


def find_by_name(articles: Iterable[Article], name: str) -> Article | None:
    """The article whose file is called so, without its folder and its last ending."""
    return next((article for article in articles if _stem(article.text.source_name) == name), None)


def _has_draft(article: Article, drafted: Collection[str]) -> bool:
    return article.article_id in drafted and article.status is not ArticleStatus.DRAFT


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
