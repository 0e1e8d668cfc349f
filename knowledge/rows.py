"""Between this floor's records and the rows of the storage floor. Pure."""

from __future__ import annotations

import hashlib
import json
import uuid
from typing import TYPE_CHECKING

from knowledge.article import Article, ArticleStatus, ArticleText, Audience, Chunk
from storage.article_records import TextRow
from storage.records import ArticleRow, ChunkRow

if TYPE_CHECKING:
    from datetime import datetime


def article_of(row: ArticleRow) -> Article:
    return Article(
        article_id=row.article_id,
        text=text_of(row),
        status=ArticleStatus(row.status),
        generation=row.generation,
        chunk_count=row.chunk_count,
        updated_at=row.updated_at,
    )


def text_of(row: ArticleRow | TextRow) -> ArticleText:
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


def text_row(text: ArticleText) -> TextRow:
    return TextRow(
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
    )


def chunk_of(row: ChunkRow) -> Chunk:
    return Chunk(row.ordinal, row.heading_path, row.text, row.start, row.end, row.tokens)


def article_row(
    text: ArticleText, article_id: str, status: ArticleStatus, generation: int, chunk_count: int, now: datetime
) -> ArticleRow:
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
        status=status.value,
        generation=generation,
        chunk_count=chunk_count,
        updated_at=now,
        text_hash=hash_of(text.body),
    )


def chunk_row(article_id: str, generation: int, piece: Chunk, above: str) -> ChunkRow:
    """The row of a chunk. Its point has an id of its own, so that two publications never write over each other."""
    return ChunkRow(
        article_id=article_id,
        generation=generation,
        ordinal=piece.ordinal,
        heading_path=piece.heading_path,
        text=piece.text,
        start=piece.start,
        end=piece.end,
        tokens=piece.tokens,
        text_hash=hash_of(f"{above}\n{piece.text}"),
        point_id=str(uuid.uuid4()),
    )


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def meta_hash(text: ArticleText) -> str:
    """The sha256 of what is kept beside an article's text: who may see it, when, in which language."""
    days = (str(text.valid_from), str(text.valid_to))
    facts = (text.title, text.owner, text.audience, text.tenants, text.language, days)
    return hash_of(json.dumps(facts, ensure_ascii=False))
