"""What a search reads of articles: who may see them and their chunks, without whole texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from storage.models import ArticleTable, ChunkTable, ShelfRevisionTable
from storage.queries.articles import AT_ONCE

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date

    from sqlalchemy.orm import Session


@dataclass(frozen=True, slots=True)
class ShelfArticle:
    """An article without its text."""

    article_id: str
    generation: int
    title: str
    status: str
    audience: str
    tenants: tuple[str, ...]
    language: str
    valid_from: date | None
    valid_to: date | None


@dataclass(frozen=True, slots=True)
class ShelfChunk:
    """A chunk of an article, by its point."""

    point_id: str
    article_id: str
    heading_path: tuple[str, ...]
    text: str
    start: int
    end: int


_ARTICLE = (
    ArticleTable.article_id,
    ArticleTable.generation,
    ArticleTable.title,
    ArticleTable.status,
    ArticleTable.audience,
    ArticleTable.tenants,
    ArticleTable.language,
    ArticleTable.valid_from,
    ArticleTable.valid_to,
)
_CHUNK = (
    ChunkTable.point_id,
    ChunkTable.article_id,
    ChunkTable.heading_path,
    ChunkTable.text,
    ChunkTable.start,
    ChunkTable.end,
)


def shelf_revision(session: Session) -> int:
    """Another number after every change of any article, whichever process made it."""
    return session.scalars(select(ShelfRevisionTable.number)).one()


def shelf_articles(session: Session, status: str | None = None) -> tuple[ShelfArticle, ...]:
    """Every article of this status, or every one, by its id."""
    query = select(*_ARTICLE).order_by(ArticleTable.article_id)
    rows = session.execute(query.where(ArticleTable.status == status) if status else query)
    return tuple(_article(tuple(row)) for row in rows)


def shelf_chunks(session: Session, article_ids: Sequence[str]) -> tuple[ShelfChunk, ...]:
    """The chunks of these articles, in the order of their texts."""
    found: list[ShelfChunk] = []
    for start in range(0, len(article_ids), AT_ONCE):
        query = select(*_CHUNK).where(ChunkTable.article_id.in_(article_ids[start : start + AT_ONCE]))
        rows = session.execute(query.order_by(ChunkTable.article_id, ChunkTable.generation, ChunkTable.ordinal))
        found += [_chunk(tuple(row)) for row in rows]
    return tuple(found)


def chunks_at(session: Session, point_ids: Collection[str]) -> dict[str, tuple[ShelfArticle, ShelfChunk]]:
    """Those of the chunks that there are, each with its article as it is now."""
    query = select(*_CHUNK, *_ARTICLE).join(ArticleTable, ArticleTable.article_id == ChunkTable.article_id)
    rows = session.execute(query.where(ChunkTable.point_id.in_(point_ids)))
    width = len(_CHUNK)
    return {row[0]: (_article(tuple(row)[width:]), _chunk(tuple(row)[:width])) for row in rows}


def _article(row: Sequence[Any]) -> ShelfArticle:
    article_id, generation, title, status, audience, tenants, *rest = row
    return ShelfArticle(article_id, generation, title, status, audience, tuple(tenants), *rest)


def _chunk(row: Sequence[Any]) -> ShelfChunk:
    point_id, article_id, heading_path, *rest = row
    return ShelfChunk(point_id, article_id, tuple(heading_path), *rest)
