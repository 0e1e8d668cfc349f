"""Drafts and published versions of articles."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, select

from storage.article_records import DraftRow, TextRow, VersionRow
from storage.errors import NoSuchRecord
from storage.models import ArticleDraftTable, ArticleVersionTable

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

NAMES = tuple(field.name for field in fields(TextRow))


def keep_draft(session: Session, draft: DraftRow) -> None:
    """Keep the draft of an article in the place of the one before."""
    session.merge(
        ArticleDraftTable(
            article_id=draft.article_id, saved_at=draft.saved_at, saved_by=draft.saved_by, **_values(draft.text)
        )
    )
    session.flush()


def draft_of(session: Session, article_id: str) -> DraftRow | None:
    row = session.get(ArticleDraftTable, article_id)
    return DraftRow(article_id, _text_of(row), row.saved_at, row.saved_by) if row else None


def drafted(session: Session) -> frozenset[str]:
    """The ids of the articles that have a draft."""
    return frozenset(session.scalars(select(ArticleDraftTable.article_id)))


def drop_draft(session: Session, article_id: str) -> bool:
    """Whether there was one."""
    row = session.get(ArticleDraftTable, article_id)
    if row:
        session.delete(row)
    return row is not None


def add_version(
    session: Session, article_id: str, text: TextRow, how: str, made_at: datetime, made_by: str, *, keep: int
) -> int:
    """Keep a text as the article's newest version; of older ones the newest `keep` - 1 stay. Returns its number."""
    table = ArticleVersionTable
    number = (session.scalar(select(func.max(table.number)).where(table.article_id == article_id)) or 0) + 1
    session.add(table(article_id=article_id, number=number, how=how, made_at=made_at, made_by=made_by, **_values(text)))
    session.execute(delete(table).where(table.article_id == article_id, table.number <= number - keep))
    session.flush()
    return number


def drop_version(session: Session, article_id: str, number: int) -> None:
    """Take back a version that was added for a change which failed."""
    table = ArticleVersionTable
    session.execute(delete(table).where(table.article_id == article_id, table.number == number))


def versions_of(session: Session, article_id: str) -> tuple[VersionRow, ...]:
    """The kept versions of an article, newest first."""
    table = ArticleVersionTable
    rows = session.scalars(select(table).where(table.article_id == article_id).order_by(table.number.desc()))
    return tuple(_version_of(row) for row in rows)


def version(session: Session, article_id: str, number: int) -> VersionRow:
    """Raises NoSuchRecord."""
    row = session.get(ArticleVersionTable, (article_id, number))
    if row is None:
        raise NoSuchRecord(f"Article {article_id} has no version {number}. List its versions and choose one of them.")
    return _version_of(row)


def _values(text: TextRow) -> dict[str, Any]:
    return asdict(text) | {"tenants": list(text.tenants)}


def _text_of(row: ArticleDraftTable | ArticleVersionTable) -> TextRow:
    values: dict[str, Any] = {name: getattr(row, name) for name in NAMES}
    values["tenants"] = tuple(row.tenants)
    return TextRow(**values)


def _version_of(row: ArticleVersionTable) -> VersionRow:
    return VersionRow(row.article_id, row.number, _text_of(row), row.how, row.made_at, row.made_by)
