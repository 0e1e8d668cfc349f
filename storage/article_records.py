"""Frozen records of what is kept beside an article: its draft, its published versions, receipts of deleted ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class TextRow:
    """An article as its author gives it; see `ArticleRow`."""

    source_name: str
    title: str
    owner: str
    audience: str
    tenants: tuple[str, ...]
    language: str
    valid_from: date | None
    valid_to: date | None
    body: str
    source_hash: str


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A text that is not published yet; an article has one at most."""

    article_id: str
    text: TextRow
    saved_at: datetime
    saved_by: str


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A text that was published. Versions are numbered from 1 in the order in which they were; `how` is one word."""

    article_id: str
    number: int
    text: TextRow
    how: str
    made_at: datetime
    made_by: str


@dataclass(frozen=True, slots=True)
class ReceiptRow:
    """A deletion. `points_after` None = the index was not yet seen without the article. `probes` as JSON objects."""

    receipt_id: str
    article_id: str
    title: str
    source_name: str
    points_before: int
    points_after: int | None
    probes: tuple[dict[str, object], ...]
    deleted_at: datetime
    deleted_by: str


@dataclass(frozen=True, slots=True)
class ArticleStamp:
    """What an import needs to know of an article to see that its file has not changed."""

    article_id: str
    source_hash: str
    status: str
    chunk_count: int
