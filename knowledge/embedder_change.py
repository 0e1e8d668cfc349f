"""Another embedder for the library: its vectors are made beside those that serve, and then take their place.

The chunks stay as they are, with the same ids: only what an embedder reads of them is embedded anew.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from knowledge.errors import TextTooLong
from knowledge.point_store import Point
from storage.queries.shelf import chunks_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from knowledge.index import PassageIndex
    from knowledge.point_filter import Facts
    from storage.database import Database

_log = logging.getLogger(__name__)
AT_ONCE = 8
"""Few, so that a stop never waits long: a slow model makes 3 a second."""


@dataclass(frozen=True, slots=True)
class ChangeProgress:
    """How many of the passages the new embedder has read. `trouble` is why it goes no further until the next start."""

    model: str
    done: int
    total: int
    trouble: str = ""


async def embed_beside(
    db: Database, old: PassageIndex, new: PassageIndex, progress: Callable[[ChangeProgress], None]
) -> frozenset[str]:
    """Bring `new` to the points of `old`, with the same facts. May be stopped and run again at any time.

    Returns the articles that the new embedder can't read as they are cut: points of theirs are missing.
    """
    wanted, there = await old.facts(), await new.facts()
    stray = sorted(there.keys() - wanted.keys())
    if stray:
        await new.delete_points(stray)
    missing = sorted(name for name, facts in wanted.items() if there.get(name) != facts)
    too_long: set[str] = set()
    for start in range(0, len(missing), AT_ONCE):
        progress(ChangeProgress(new.model, len(wanted) - len(missing) + start, len(wanted)))
        batch = {name: wanted[name] for name in missing[start : start + AT_ONCE]}
        too_long |= await _embed(db, new, batch)
    progress(ChangeProgress(new.model, len(wanted), len(wanted)))
    return frozenset(too_long)


async def _embed(db: Database, new: PassageIndex, batch: Mapping[str, Facts]) -> set[str]:
    rows = await db.run(lambda session: chunks_at(session, batch.keys()))
    points: list[Point] = []
    for name, (article, chunk) in rows.items():
        above = await new.line_above(article.title, chunk.heading_path)
        points.append(Point(name, above, chunk.text, batch[name]))
    try:
        await new.write(points)
    except TextTooLong:
        return await _embed_one_by_one(new, points)
    return set()


async def _embed_one_by_one(new: PassageIndex, points: Sequence[Point]) -> set[str]:
    too_long: set[str] = set()
    for point in points:
        try:
            await new.write([point])
        except TextTooLong:
            _log.info("A passage of article %s is too long for %s", point.facts["article_id"], new.model)
            too_long.add(str(point.facts["article_id"]))
    return too_long
