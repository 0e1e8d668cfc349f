"""Help articles and their chunks. Vectors are in Qdrant, under each chunk's point id."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import JSON, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from storage.models.base import Base


class TextColumns:
    """An article as its author gives it: the same columns wherever a text is kept."""

    source_name: Mapped[str]
    title: Mapped[str]
    owner: Mapped[str]
    audience: Mapped[str]
    tenants: Mapped[list[str]] = mapped_column(JSON)
    language: Mapped[str]
    valid_from: Mapped[date | None]
    valid_to: Mapped[date | None]
    body: Mapped[str]
    source_hash: Mapped[str]


class ArticleTable(TextColumns, Base):
    __tablename__ = "article"

    article_id: Mapped[str] = mapped_column(primary_key=True)
    source_name: Mapped[str] = mapped_column(index=True)
    meta_hash: Mapped[str]
    text_hash: Mapped[str] = mapped_column(index=True)
    status: Mapped[str]
    generation: Mapped[int]
    chunk_count: Mapped[int]
    updated_at: Mapped[datetime]


class ChunkTable(Base):
    __tablename__ = "chunk"

    article_id: Mapped[str] = mapped_column(ForeignKey("article.article_id", ondelete="CASCADE"), primary_key=True)
    generation: Mapped[int] = mapped_column(primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    heading_path: Mapped[list[str]] = mapped_column(JSON)
    text: Mapped[str]
    start: Mapped[int]
    end: Mapped[int]
    tokens: Mapped[int]
    text_hash: Mapped[str]
    point_id: Mapped[str] = mapped_column(unique=True)


class ShelfRevisionTable(Base):
    """One row, whose number grows in every transaction that changes an article: no clock can step back over it."""

    __tablename__ = "shelf_revision"

    row_id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int]
