"""Rows and points made to agree again when the index opens: after a crash, another embedder, or a lost folder."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, cast

from knowledge.article import ArticleStatus
from knowledge.index import PassageIndex
from knowledge.publish import prepare, publish, served_facts
from knowledge.publish_delete import complete_receipts
from knowledge.publish_hands import to_the_end
from knowledge.rows import text_of
from storage.queries.articles import all_chunks, list_articles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from sqlalchemy.orm import Session

    from knowledge.chunking import ChunkLimits
    from knowledge.embedding import Embedder
    from knowledge.point_filter import Facts
    from knowledge.publish_hands import Hands
    from storage.records import ArticleRow, ChunkRow

OTHERS_STAGE_S = 3600.0
"""On a server that others write to, points that no row names yet may be of a publication under way."""
_log = logging.getLogger(__name__)


async def open_repaired(
    place: Path | str, load: Callable[[], Embedder], limits: ChunkLimits, hands_of: Callable[[PassageIndex], Hands]
) -> PassageIndex:
    """The index in a folder or at a URL, opened and put right. Raises as `PassageIndex.open` does."""
    index = await PassageIndex.open(place, load, limits)
    try:
        hands = hands_of(index)
        if await repair(hands, OTHERS_STAGE_S if isinstance(place, str) else 0):
            hands.switched()
        await index.forget_others()
    except BaseException:
        await to_the_end(index.close())
        raise
    return index


async def repair(hands: Hands, stray_after_s: float = 0, progress: Callable[[int, int], None] | None = None) -> int:
    """Points that no row names go, facts are set as the rows say, articles that lack points are written anew.

    A server's index may be written by others just now: points younger than `stray_after_s` are left alone there.
    `progress` gets (articles written anew, of how many). Returns how many things were put right.
    """
    receipts = await complete_receipts(hands)
    articles, chunks = await hands.db.run(_everything)
    facts = await hands.index.facts()
    strays = await _drop_strays(hands, facts, chunks, time.time() - stray_after_s)
    told = await _set_stale_facts(hands, articles, chunks, facts)
    anew = [row for row in articles if row.status == ArticleStatus.PUBLISHED and _lacks(row, chunks, facts)]
    for number, row in enumerate(anew):
        _log.warning("Writing %s to the article index again: points of it were missing", row.source_name)
        await publish(hands, await prepare(hands, text_of(row), row, _unheard), None)
        if progress:
            progress(number + 1, len(anew))
    return receipts + strays + told + len(anew)


def _unheard(_done: int, _total: int) -> None:
    """Articles are counted here, not pieces."""


_Chunks = dict[str, "tuple[ChunkRow, ...]"]


def _everything(session: Session) -> tuple[tuple[ArticleRow, ...], _Chunks]:
    articles = list_articles(session)
    grouped: dict[str, list[ChunkRow]] = {row.article_id: [] for row in articles}
    for chunk in all_chunks(session):
        grouped[chunk.article_id].append(chunk)
    return articles, {article_id: tuple(rows) for article_id, rows in grouped.items()}


async def _drop_strays(hands: Hands, facts: Mapping[str, Facts], chunks: _Chunks, before: float) -> int:
    named = {chunk.point_id for rows in chunks.values() for chunk in rows}
    stray = sorted(key for key in facts.keys() - named if cast("float", facts[key].get("staged_at", 0)) <= before)
    if stray:
        _log.warning("Deleting %d points of the article index that belong to no article", len(stray))
        await hands.index.delete_points(stray)
    return len(stray)


async def _set_stale_facts(
    hands: Hands, articles: Sequence[ArticleRow], chunks: _Chunks, facts: Mapping[str, Facts]
) -> int:
    stale = 0
    for row in articles:
        wanted = served_facts(row)
        said = [facts[chunk.point_id] for chunk in chunks[row.article_id] if chunk.point_id in facts]
        if any(one.get(name) != fact for one in said for name, fact in wanted.items()):
            _log.warning("Telling the article index again who may see %s", row.source_name)
            await hands.index.set_facts(row.article_id, row.generation, wanted)
            stale += 1
    return stale


def _lacks(row: ArticleRow, chunks: _Chunks, facts: Mapping[str, Facts]) -> bool:
    return any(facts.get(chunk.point_id, {}).get("text_hash") != chunk.text_hash for chunk in chunks[row.article_id])
