"""Who may see an article, when, and whether it answers: changed in its row and then on its points, embedding nothing.

The row has the last word in every search, so what it takes away is gone with its transaction. What it grants is found
as soon as the points say it too; after a crash between the two `repair` makes them agree.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from knowledge.errors import IndexUnavailable
from knowledge.publish import kept, refuse_if_moved, served_facts
from knowledge.publish_hands import Step, nothing, to_the_end
from knowledge.rows import article_row, text_row
from storage.queries.article_history import add_version, drop_version
from storage.queries.articles import chunks_of, keep_article

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from knowledge.article import ArticleStatus, ArticleText
    from knowledge.article_history import How
    from knowledge.publish_hands import Hands
    from storage.records import ArticleRow


async def set_facts(
    hands: Hands,
    before: ArticleRow,
    text: ArticleText,
    status: ArticleStatus,
    how: How | None,
    also: Callable[[Session], object] = nothing,
) -> ArticleRow:
    """Give an article other facts or another status; its title and body are the same. Returns its row.

    `also` is done in the transaction that changes the row. When the points can't be changed, the row is as it was
    before. Raises ArticleMoved, IndexUnavailable, StorageError.
    """
    now = datetime.now(UTC)
    row = article_row(text, before.article_id, status, before.generation, before.chunk_count, now)
    return await to_the_end(_set(hands, before, row, text, how, also))


async def are_all_there(hands: Hands, row: ArticleRow) -> bool:
    """Whether every piece of the article has its point, so that it need not be embedded to answer again."""
    chunks = await hands.db.run(lambda session: chunks_of(session, row.article_id))
    points = {point.point_id: point.facts for point in await hands.index.read([chunk.point_id for chunk in chunks])}
    return bool(chunks) and all(points.get(chunk.point_id, {}).get("text_hash") == chunk.text_hash for chunk in chunks)


async def _set(
    hands: Hands,
    before: ArticleRow,
    row: ArticleRow,
    text: ArticleText,
    how: How | None,
    also: Callable[[Session], object],
) -> ArticleRow:
    def write(session: Session) -> int:
        refuse_if_moved(session, before, row.source_name)
        keep_article(session, row)
        also(session)
        if how is None:
            return 0
        return add_version(session, row.article_id, text_row(text), how, row.updated_at, hands.by, keep=hands.keep)

    number = await kept(hands, write, row) or 0
    hands.switched()
    hands.reached(Step.CHANGED)
    try:
        await hands.index.set_facts(row.article_id, row.generation, served_facts(row))
    except IndexUnavailable as error:
        await hands.db.run(partial(_undo, replace(before, updated_at=row.updated_at), number))
        hands.switched()
        with suppress(IndexUnavailable):  # some points may have been changed; the opening looks at all of them
            await hands.index.set_facts(before.article_id, before.generation, served_facts(before))
        raise IndexUnavailable(f"{row.source_name} was not changed. {error}") from error
    hands.reached(Step.FACTS_SET)
    return row


def _undo(before: ArticleRow, number: int, session: Session) -> None:
    keep_article(session, before)
    drop_version(session, before.article_id, number)
