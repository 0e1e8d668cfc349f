"""Every article, in memory once it was asked for: of 5,000 only those that changed are read again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from knowledge.rows import article_of
from storage.queries.articles import article_marks, articles_of
from storage.queries.shelf import shelf_revision

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from knowledge.article import Article
    from storage.database import Database
    from storage.queries.articles import ArticleMark


class Listing:
    """What the table of articles shows. An article that did not change is the same object as before."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._reading = asyncio.Lock()
        self._taken: int | None = None
        self._kept: dict[str, tuple[ArticleMark, Article]] = {}

    async def articles(self) -> tuple[Article, ...]:
        """By title, as the database says now, also what another process changed there."""
        async with self._reading:
            self._taken, self._kept = await self._db.run(self._read)
            return tuple(article for _, article in self._kept.values())

    def _read(self, session: Session) -> tuple[int, dict[str, tuple[ArticleMark, Article]]]:
        revision = shelf_revision(session)
        if revision == self._taken:
            return revision, self._kept
        marks = article_marks(session)
        changed = [name for name, mark in marks.items() if name not in self._kept or self._kept[name][0] != mark]
        read = {row.article_id: article_of(row) for row in articles_of(session, changed)}
        return revision, {
            name: (mark, read[name]) if name in read else self._kept[name] for name, mark in marks.items()
        }
