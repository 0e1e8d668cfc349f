"""Between this floor's records and the rows of the storage floor. Pure."""

from __future__ import annotations

import hashlib
import json
import uuid
from typing import TYPE_CHECKING

from knowledge.article import Article, ArticleStatus, ArticleText, Audience, Chunk
from storage.records import ArticleRow, ChunkRow

if TYPE_CHECKING:
    from datetime import datetime

_POINTS = uuid.UUID("5b1f4c0e-2a63-4c55-9c1b-0d2f6a7a9e11")


def article_of(row: ArticleRow) -> Article:
    return Article(
        article_id=row.article_id,
        text=text_of(row),
        status=ArticleStatus(row.status),
        generation=row.generation,
        chunk_count=row.chunk_count,
        updated_at=row.updated_at,
    )


def text_of(row: ArticleRow) -> ArticleText:
    return ArticleText(
        source_name=row.source_name,
        title=row.title,
        owner=row.owner,
        audience=Audience(row.audience),
        tenants=row.tenants,
        language=row.language,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        body=row.body,
        source_hash=row.source_hash,
    )


def chunk_of(row: ChunkRow) -> Chunk:
    return Chunk(row.ordinal, row.heading_path, row.text, row.start, row.end, row.tokens)


def article_row(text: ArticleText, article_id: str, generation: int, chunk_count: int, now: datetime) -> ArticleRow:
    """The row of a published article."""
    return ArticleRow(
        article_id=article_id,
        source_name=text.source_name,
        title=text.title,
        owner=text.owner,
        audience=text.audience.value,
        tenants=text.tenants,
        language=text.language,
        valid_from=text.valid_from,
        valid_to=text.valid_to,
        body=text.body,
        source_hash=text.source_hash,
        meta_hash=meta_hash(text),
        status=ArticleStatus.PUBLISHED.value,
        generation=generation,
        chunk_count=chunk_count,
        updated_at=now,
    )


def chunk_row(article_id: str, generation: int, piece: Chunk, embedded: str) -> ChunkRow:
    """The row of a chunk; its point id follows from article, generation and ordinal."""
    return ChunkRow(
        article_id=article_id,
        generation=generation,
        ordinal=piece.ordinal,
        heading_path=piece.heading_path,
        text=piece.text,
        start=piece.start,
        end=piece.end,
        tokens=piece.tokens,
        text_hash=hashlib.sha256(embedded.encode()).hexdigest(),
        point_id=str(uuid.uuid5(_POINTS, f"{article_id}/{generation}/{piece.ordinal}")),
    )


def is_same(row: ArticleRow, text: ArticleText) -> bool:
    """Whether this row already publishes this very file."""
    kept = (row.status, row.source_hash, row.meta_hash)
    return kept == (ArticleStatus.PUBLISHED.value, text.source_hash, meta_hash(text))


def meta_hash(text: ArticleText) -> str:
    """The sha256 of what is kept beside an article's text: who may see it, when, in which language."""
    days = (str(text.valid_from), str(text.valid_to))
    facts = (text.title, text.owner, text.audience, text.tenants, text.language, days)
    return hashlib.sha256(json.dumps(facts, ensure_ascii=False).encode()).hexdigest()
