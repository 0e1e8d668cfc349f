"""An article into the index and out of it: write the new generation, check it, switch, delete the old one.

The switch is one database transaction. Before it the old generation answers, after it the new one; points that no row
names are dropped by every search and deleted by `repair`, so a crash at any line leaves nothing wrong to read.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from knowledge.article import ArticleStatus
from knowledge.embedding import BATCH
from knowledge.errors import IndexUnavailable
from knowledge.point_store import Point, facts_of
from knowledge.rows import article_row, chunk_row, text_of
from storage.queries.articles import chunks_of, delete_article, list_articles, set_article_status, upsert_article

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from sqlalchemy.orm import Session

    from knowledge.article import ArticleText
    from knowledge.index import PassageIndex
    from storage.database import Database
    from storage.records import ArticleRow, ChunkRow

T = TypeVar("T")
_log = logging.getLogger(__name__)


async def publish(
    db: Database,
    index: PassageIndex,
    text: ArticleText,
    previous: ArticleRow | None,
    progress: Callable[[int, int], None],
) -> ArticleRow:
    """Make this text the published one of its article (a new one when `previous` is None) and return its row.

    `progress` gets (pieces written, pieces in all). When it fails or is cancelled before the switch, everything is as
    it was before. Raises TextTooLong, IndexUnavailable, StorageError.
    """
    article_id = previous.article_id if previous else str(uuid.uuid4())
    generation = previous.generation + 1 if previous else 1
    chunks, points = await _prepared(index, text, article_id, generation)
    try:
        await _write(index, points, progress)
        written = await index.count(article_id, generation)
        if written != len(points):
            raise IndexUnavailable(
                f"{text.title} was not published: the index kept {written} of {len(points)} pieces. Try again."
            )
    except BaseException:
        await to_the_end(index.delete_article(article_id, only=generation))
        raise
    row = article_row(text, article_id, generation, len(chunks), datetime.now(UTC))
    return await to_the_end(_switch(db, index, row, chunks))


async def withdraw(db: Database, index: PassageIndex, article_id: str) -> None:
    """Delete the article; it stops answering with the next search. Raises NoSuchRecord."""
    await to_the_end(_delete(db, index, article_id))


async def retire(db: Database, index: PassageIndex, article_id: str) -> None:
    """Keep the article but let it answer nothing. Raises NoSuchRecord."""
    await to_the_end(_retire(db, index, article_id))


async def repair(db: Database, index: PassageIndex) -> int:
    """Make rows and points agree again after a crash: stray points go, articles that lack points are written anew.

    Returns how many articles and stray points were put right.
    """
    articles, chunks = await db.run(_everything)
    points = await index.point_ids()
    stray = points - {chunk.point_id for chunk in chunks}
    if stray:
        _log.warning("Deleting %d points of the article index that belong to no article", len(stray))
        await index.delete_points(sorted(stray))
    lacking = {chunk.article_id for chunk in chunks if chunk.point_id not in points}
    anew = [row for row in articles if row.article_id in lacking and row.status == ArticleStatus.PUBLISHED]
    for row in anew:
        _log.warning("Writing %s to the article index again: points of it were missing", row.source_name)
        await publish(db, index, text_of(row), row, lambda _done, _total: None)
    return len(stray) + len(anew)


async def to_the_end(work: Coroutine[object, object, T]) -> T:
    """Finish `work` even when the caller is cancelled, and only then let the cancellation go on."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


async def _prepared(
    index: PassageIndex, text: ArticleText, article_id: str, generation: int
) -> tuple[tuple[ChunkRow, ...], tuple[Point, ...]]:
    pieces = await index.chunk(text)
    facts = facts_of(text, article_id, generation)
    rows = tuple(chunk_row(article_id, generation, piece, f"{above}\n{piece.text}") for above, piece in pieces)
    points = tuple(Point(row.point_id, above, row.text, facts) for row, (above, _) in zip(rows, pieces, strict=True))
    return rows, points


async def _write(index: PassageIndex, points: Sequence[Point], progress: Callable[[int, int], None]) -> None:
    progress(0, len(points))
    for start in range(0, len(points), BATCH):  # a question may be searched between two batches
        await index.write(points[start : start + BATCH])
        progress(min(start + BATCH, len(points)), len(points))


async def _switch(db: Database, index: PassageIndex, row: ArticleRow, chunks: tuple[ChunkRow, ...]) -> ArticleRow:
    kept = await db.run(lambda session: upsert_article(session, row, chunks))
    await index.delete_article(row.article_id, keep=row.generation)
    return kept


async def _delete(db: Database, index: PassageIndex, article_id: str) -> None:
    await db.run(lambda session: delete_article(session, article_id))
    await index.delete_article(article_id)


async def _retire(db: Database, index: PassageIndex, article_id: str) -> None:
    await db.run(lambda session: set_article_status(session, article_id, ArticleStatus.RETIRED.value))
    await index.delete_article(article_id)


def _everything(session: Session) -> tuple[tuple[ArticleRow, ...], tuple[ChunkRow, ...]]:
    articles = list_articles(session)
    return articles, tuple(chunk for row in articles for chunk in chunks_of(session, row.article_id))
