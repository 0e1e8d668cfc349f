"""Is a new generation fit to answer? Looked at where searches look, before the switch."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from knowledge.article import Asker
from knowledge.chunking import embedded_sentences
from knowledge.errors import IndexUnavailable
from knowledge.language import base_language

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet
    from datetime import date

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.article import ArticleText
    from knowledge.index import PassageIndex
    from knowledge.point_store import VectorPoint
    from storage.records import ChunkRow

AMONG = 24
AMONG_EQUALS = 500
"""A text that stands in very many articles word for word comes back with all of them."""
ANY_TENANT = "any"
_ALIKE = 0.99


async def check(
    index: PassageIndex, text: ArticleText, chunks: Sequence[ChunkRow], points: Sequence[VectorPoint]
) -> None:
    """Are all points there, with the right texts and vectors, and does the search find them for whom they are?

    Raises IndexUnavailable with what is wrong.
    """
    kept = {point.point_id: point for point in await index.read([point.point_id for point in points])}
    if len(kept) != len(points):
        raise _refused(text, f"the index kept {len(kept)} of {len(points)} pieces")
    for number, (chunk, point) in enumerate(zip(chunks, points, strict=True), start=1):
        found = kept[point.point_id]
        if found.facts.get("text_hash") != chunk.text_hash or not _same(found.whole, point.whole):
            raise _refused(text, f"piece {number} came back from the index changed")
    asker = asker_for(text)
    language = base_language(text.language)
    findable = await index.count_findable(chunks[0].article_id, chunks[0].generation, asker, (language,))
    if findable != len(points):
        raise _refused(text, f"only {findable} of {len(points)} pieces can be found by those whom it is for")
    if language in index.languages and not await _is_found(index, points[0], asker, set(kept)):
        raise _refused(text, "its own first sentence does not find it")


def asker_for(text: ArticleText) -> Asker:
    """Somebody whom the article is for, on a day on which it is valid."""
    tenant = text.tenants[0] if text.tenants else ANY_TENANT
    return Asker(tenant, text.audience, text.language, _valid_day(text))


def first_question(title: str, text: str) -> str:
    """What finds a piece if anything does: the title and its first sentence."""
    return (embedded_sentences(title, text) or [f"{title}\n{text}"])[0]


def _valid_day(text: ArticleText) -> date:
    today = datetime.now(UTC).date()
    if text.valid_from and today < text.valid_from:
        return text.valid_from
    return text.valid_to if text.valid_to and today > text.valid_to else today


async def _is_found(index: PassageIndex, point: VectorPoint, asker: Asker, new: AbstractSet[str]) -> bool:
    """Whether the search, as it runs for a customer, brings one of the new points when it is asked what the first of
    them says: its first sentence below its heading, or all of it. Both were embedded just now."""
    for vector, among in ((point.sentences[0], AMONG), (point.whole, AMONG_EQUALS)):
        hits = await index.search_near(vector, asker, (base_language(asker.language),), among)
        if any(hit.point_id in new for hit in hits):
            return True
    return False


def _same(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    return one.shape == other.shape and float(one @ other) > _ALIKE


def _refused(text: ArticleText, reason: str) -> IndexUnavailable:
    return IndexUnavailable(f"{text.title} was not published: {reason}. Try again; what was published still answers.")
