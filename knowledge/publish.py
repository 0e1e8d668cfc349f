"""A text into service: prepare it, write the new generation, check it, switch to it, delete the old one, see it gone.

The switch is one database transaction. Before it the old generation answers, after it the new one; points that no row
names are dropped by every search and deleted by `repair`, so a crash at any line leaves nothing wrong to read.
"""

from __future__ import annotations

import logging
import time
import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from knowledge.article import ArticleStatus
from knowledge.embedding import BATCH
from knowledge.errors import ArticleMoved, ChangeRefused, IndexUnavailable
from knowledge.point_store import Point, facts_of
from knowledge.publish_check import check
from knowledge.publish_hands import Step, nothing, to_the_end
from knowledge.rows import article_row, chunk_row, text_of, text_row
from storage.errors import NoSuchRecord, StorageError
from storage.queries.article_history import add_version
from storage.queries.articles import article_by_source, chunks_of, get_article, upsert_article
from storage.queries.notable_events import note_publish

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy.orm import Session

    from knowledge.article import ArticleText
    from knowledge.article_history import How
    from knowledge.point_store import VectorPoint
    from knowledge.publish_hands import Hands
    from storage.records import ArticleRow, ChunkRow

    Progress = Callable[[int, int], None]

T = TypeVar("T")
STORED_AT_ONCE = 64
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text cut and embedded, and the row that it shall replace."""

    text: ArticleText
    previous: ArticleRow | None
    row: ArticleRow
    chunks: tuple[ChunkRow, ...]
    points: tuple[VectorPoint, ...]


async def prepare(
    hands: Hands, text: ArticleText, previous: ArticleRow | None, progress: Progress, *, anew: bool = False
) -> Prepared:
    """Cut and embed a text; nothing is written yet. `progress` gets (pieces that have vectors, pieces in all).

    A piece that the article had before, below the same headings, keeps its vectors unless `anew`. Raises TextTooLong,
    ChangeRefused.
    """
    article_id = previous.article_id if previous else str(uuid.uuid4())
    generation = previous.generation + 1 if previous else 1
    pieces = await hands.index.chunk(text)
    if not pieces:
        raise ChangeRefused(f"{text.source_name} was not added. It has no text that could be found. Write some.")
    chunks = tuple(chunk_row(article_id, generation, piece, above) for above, piece in pieces)
    row = article_row(text, article_id, ArticleStatus.PUBLISHED, generation, len(chunks), datetime.now(UTC))
    wanted = [
        Point(chunk.point_id, above, chunk.text, point_facts(row, chunk))
        for chunk, (above, _) in zip(chunks, pieces, strict=True)
    ]
    known = {} if anew else await _known_vectors(hands, previous)
    have = {
        point.point_id: replace(known[chunk.text_hash], point_id=point.point_id, facts=point.facts)
        for chunk, point in zip(chunks, wanted, strict=True)
        if chunk.text_hash in known
    }
    progress(len(have), len(chunks))
    new = [point for point in wanted if point.point_id not in have]
    for start in range(0, len(new), BATCH):  # a question may be embedded between two batches
        have |= {point.point_id: point for point in await hands.index.embed(new[start : start + BATCH])}
        progress(len(have), len(chunks))
    hands.reached(Step.PREPARED)
    points = tuple(have[point.point_id] for point in wanted)
    return Prepared(text, previous, row, chunks, points)


async def publish(
    hands: Hands, prepared: Prepared, how: How | None, also: Callable[[Session], object] = nothing
) -> ArticleRow:
    """Make a prepared text the published one of its article and return its row. `how` None = no version is kept of it.

    `also` is done in the transaction of the switch. When it fails or is cancelled before that, everything is as it was
    before. Raises ArticleMoved when the article is not as it was when the text was prepared, IndexUnavailable,
    StorageError.
    """
    try:
        await _stage(hands, prepared.points)
        hands.reached(Step.STAGED)
        await check(hands.index, prepared.text, prepared.chunks, prepared.points)
        hands.reached(Step.CHECKED)
    except BaseException:
        await to_the_end(_take_back(hands, prepared))
        raise
    await to_the_end(_put_into_service(hands, prepared, partial(_switch, hands, prepared, how, also)))
    return prepared.row


def point_facts(row: ArticleRow, chunk: ChunkRow) -> dict[str, object]:
    """What a point carries: what a search filters by, and what tells `check` and `repair` that it is the right one."""
    return {**served_facts(row), "text_hash": chunk.text_hash, "staged_at": int(time.time())}


def served_facts(row: ArticleRow) -> dict[str, object]:
    """What the search filters by: the same for all points of an article."""
    return {**facts_of(text_of(row), row.article_id, row.generation), "status": row.status}


def refuse_if_moved(session: Session, previous: ArticleRow | None, source_name: str) -> None:
    """Raises ArticleMoved when an article is not what was read before; None = there was none from this source."""
    try:
        now = get_article(session, previous.article_id) if previous else article_by_source(session, source_name)
    except NoSuchRecord:
        now = None
    if now != previous:
        raise ArticleMoved(f"{source_name} was not changed: somebody else changed it meanwhile. Look at it, try again.")


async def kept(hands: Hands, write: Callable[[Session], T], row: ArticleRow) -> T | None:
    """Do a transaction that keeps this row. When it seems to fail, look: the answer alone may have been lost on its way
    from a server, and then the result is None."""
    try:
        return await hands.db.run(write)
    except StorageError:
        if await hands.db.run(partial(_is_kept, row)):
            return None
        raise


def _is_kept(row: ArticleRow, session: Session) -> bool:
    try:
        return get_article(session, row.article_id) == row
    except NoSuchRecord:
        return False


async def _known_vectors(hands: Hands, previous: ArticleRow | None) -> dict[str, VectorPoint]:
    """The article's points by the hash of what was embedded; a point that holds something else is not among them."""
    if previous is None or not previous.chunk_count:
        return {}
    chunks = await hands.db.run(lambda session: chunks_of(session, previous.article_id))
    points = {point.point_id: point for point in await hands.index.read([chunk.point_id for chunk in chunks])}
    return {
        chunk.text_hash: points[chunk.point_id]
        for chunk in chunks
        if chunk.point_id in points and points[chunk.point_id].facts.get("text_hash") == chunk.text_hash
    }


async def _stage(hands: Hands, points: Sequence[VectorPoint]) -> None:
    for start in range(0, len(points), STORED_AT_ONCE):
        await hands.index.store(points[start : start + STORED_AT_ONCE])


async def _put_into_service(hands: Hands, prepared: Prepared, switch: Callable[[Session], None]) -> None:
    try:
        await kept(hands, switch, prepared.row)
    except BaseException:
        await _take_back(hands, prepared)
        raise
    hands.switched()
    hands.reached(Step.SWITCHED)
    await _sweep(hands, prepared.row)


def _switch(
    hands: Hands, prepared: Prepared, how: How | None, also: Callable[[Session], object], session: Session
) -> None:
    row = prepared.row
    refuse_if_moved(session, prepared.previous, row.source_name)
    upsert_article(session, row, prepared.chunks)
    if how:
        add_version(session, row.article_id, text_row(prepared.text), how, row.updated_at, hands.by, keep=hands.keep)
    note_publish(session, row.title, row.updated_at)
    also(session)


async def _sweep(hands: Hands, row: ArticleRow) -> None:
    """Delete the old generation and see it gone. Where that fails the new one answers all the same: no row names the
    old points, and `repair` deletes them."""
    try:
        await hands.index.delete_article(row.article_id, keep=row.generation)
        hands.reached(Step.SWEPT)
        left = await hands.index.count(row.article_id)
        if left != row.chunk_count:
            _log.warning("%s has %d points instead of %d", row.source_name, left, row.chunk_count)
        hands.reached(Step.PROVEN)
    except IndexUnavailable as error:
        _log.warning("The old points of %s are deleted at the next opening: %s", row.source_name, error)


async def _take_back(hands: Hands, prepared: Prepared) -> None:
    try:
        await hands.index.delete_points([point.point_id for point in prepared.points])
    except IndexUnavailable as error:
        name = prepared.row.source_name
        _log.warning("Points of %s that nobody names are deleted at the next opening: %s", name, error)
