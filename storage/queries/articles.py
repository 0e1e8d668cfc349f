"""Help articles and their chunks."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import delete, select, update

from storage.article_records import ArticleStamp
from storage.errors import RecordRefused
from storage.models import ArticleTable, ChunkTable, ShelfRevisionTable
from storage.queries.rows import existing
from storage.records import ArticleRow, ChunkRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session


AT_ONCE = 500
"""Ids in one query: databases allow only so many values in one."""


def upsert_article(session: Session, article: ArticleRow, chunks: Sequence[ChunkRow]) -> ArticleRow:
    """Keep the article and exactly these chunks of it; others that it had are deleted. `chunk_count` is set to theirs.

    Raises RecordRefused when a chunk names another article.
    """
    strangers = [chunk.ordinal for chunk in chunks if chunk.article_id != article.article_id]
    if strangers:
        raise RecordRefused(f"Article {article.title} can't be kept: chunk {strangers[0]} is another article's.")
    values = asdict(article) | {"tenants": list(article.tenants), "chunk_count": len(chunks)}
    row = session.merge(ArticleTable(**values))
    session.flush()
    session.execute(delete(ChunkTable).where(ChunkTable.article_id == article.article_id))
    session.add_all(ChunkTable(**(asdict(chunk) | {"heading_path": list(chunk.heading_path)})) for chunk in chunks)
    session.flush()
    _count_change(session)
    return _article_of(row)


def list_articles(session: Session) -> tuple[ArticleRow, ...]:
    """Every article, by title."""
    rows = session.scalars(select(ArticleTable).order_by(ArticleTable.title, ArticleTable.article_id))
    return tuple(_article_of(row) for row in rows)


ArticleMark: TypeAlias = "tuple[object, ...]"
"""Another one whenever anything that is kept of an article is another."""


def article_marks(session: Session) -> dict[str, ArticleMark]:
    """The mark of every article by its id, in the order of `list_articles`, at a tenth of its cost."""
    table = ArticleTable
    kept = (table.generation, table.status, table.chunk_count, table.updated_at)
    hashes = (table.source_name, table.source_hash, table.meta_hash, table.text_hash)
    rows = session.execute(select(table.article_id, *kept, *hashes).order_by(table.title, table.article_id))
    return {article_id: tuple(mark) for article_id, *mark in rows}


def articles_of(session: Session, article_ids: Sequence[str]) -> Iterator[ArticleRow]:
    """Those of the articles that there are, in no order."""
    for start in range(0, len(article_ids), AT_ONCE):
        chosen = ArticleTable.article_id.in_(article_ids[start : start + AT_ONCE])
        yield from (_article_of(row) for row in session.scalars(select(ArticleTable).where(chosen)))


def get_article(session: Session, article_id: str) -> ArticleRow:
    """Raises NoSuchRecord."""
    return _article_of(existing(session, ArticleTable, article_id, "article"))


def article_by_source(session: Session, source_name: str) -> ArticleRow | None:
    """The article that came from the file of this name, if there is one."""
    row = session.scalars(
        select(ArticleTable).where(ArticleTable.source_name == source_name).order_by(ArticleTable.updated_at.desc())
    ).first()
    return _article_of(row) if row else None


def article_stamp(session: Session, source_name: str) -> ArticleStamp | None:
    """As `article_stamps`, of one source."""
    return _stamps(session, ArticleTable.source_name == source_name).get(source_name)


def article_stamps(session: Session) -> dict[str, ArticleStamp]:
    """Every article's stamp by the name of its source; of two articles from one source the newer one's."""
    return _stamps(session)


def _stamps(session: Session, *chosen: ColumnElement[bool]) -> dict[str, ArticleStamp]:
    table = ArticleTable
    query = select(table.source_name, table.article_id, table.source_hash, table.status, table.chunk_count)
    rows = session.execute(query.where(*chosen).order_by(table.updated_at, table.article_id))
    return {name: ArticleStamp(key, digest, status, chunks) for name, key, digest, status, chunks in rows}


def keep_article(session: Session, article: ArticleRow) -> ArticleRow:
    """Keep what the row says of an article; its chunks stay as they are."""
    row = session.merge(ArticleTable(**(asdict(article) | {"tenants": list(article.tenants)})))
    session.flush()
    _count_change(session)
    return _article_of(row)


def twin_of(session: Session, text_hash: str, source_name: str) -> ArticleRow | None:
    """Another file's article with the text of this hash, if there is one; `source_name` is the file not meant."""
    query = select(ArticleTable).where(ArticleTable.text_hash == text_hash, ArticleTable.source_name != source_name)
    row = session.scalars(query.order_by(ArticleTable.title, ArticleTable.article_id)).first()
    return _article_of(row) if row else None


def delete_article(session: Session, article_id: str) -> tuple[ChunkRow, ...]:
    """Delete the article and its chunks; returns them, so that their vectors can go too. Raises NoSuchRecord."""
    row = existing(session, ArticleTable, article_id, "article", lock=True)
    chunks = chunks_of(session, article_id)
    session.execute(delete(ChunkTable).where(ChunkTable.article_id == article_id))
    session.delete(row)
    _count_change(session)
    return chunks


def chunks_of(session: Session, article_id: str) -> tuple[ChunkRow, ...]:
    """The chunks of one article in the order of its text; empty for an unknown one."""
    query = select(ChunkTable).where(ChunkTable.article_id == article_id)
    rows = session.scalars(query.order_by(ChunkTable.generation, ChunkTable.ordinal))
    return tuple(_chunk_of(row) for row in rows)


def all_chunks(session: Session) -> tuple[ChunkRow, ...]:
    """The chunks of every article, article by article."""
    query = select(ChunkTable).order_by(ChunkTable.article_id, ChunkTable.generation, ChunkTable.ordinal)
    return tuple(_chunk_of(row) for row in session.scalars(query))


def _count_change(session: Session) -> None:
    session.execute(update(ShelfRevisionTable).values(number=ShelfRevisionTable.number + 1))


def _article_of(row: ArticleTable) -> ArticleRow:
    values: dict[str, Any] = {field.name: getattr(row, field.name) for field in fields(ArticleRow)}
    values["tenants"] = tuple(row.tenants)
    return ArticleRow(**values)


def _chunk_of(row: ChunkTable) -> ChunkRow:
    values: dict[str, Any] = {field.name: getattr(row, field.name) for field in fields(ChunkRow)}
    values["heading_path"] = tuple(row.heading_path)
    return ChunkRow(**values)
