"""What is kept beside an article: its draft, its published versions, and what is left when it is deleted."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from storage.models.article import TextColumns
from storage.models.base import Base


class ArticleDraftTable(TextColumns, Base):
    __tablename__ = "article_draft"

    article_id: Mapped[str] = mapped_column(ForeignKey("article.article_id", ondelete="CASCADE"), primary_key=True)
    saved_at: Mapped[datetime]
    saved_by: Mapped[str]


class ArticleVersionTable(TextColumns, Base):
    __tablename__ = "article_version"

    article_id: Mapped[str] = mapped_column(ForeignKey("article.article_id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    how: Mapped[str]
    made_at: Mapped[datetime]
    made_by: Mapped[str]


class DeletionReceiptTable(Base):
    """`points_after` is empty until the index was seen without the article."""

    __tablename__ = "deletion_receipt"

    receipt_id: Mapped[str] = mapped_column(primary_key=True)
    article_id: Mapped[str]
    title: Mapped[str]
    source_name: Mapped[str]
    points_before: Mapped[int]
    points_after: Mapped[int | None]
    probes: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    deleted_at: Mapped[datetime] = mapped_column(index=True)
    deleted_by: Mapped[str]
