"""The blocking work of the passage index, and the lock of its folder."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from knowledge.chunking import ChunkLimits, chunk, line_above
from knowledge.errors import IndexInUse
from knowledge.index_place import begin, folder_for, kind_of
from knowledge.point_filter import IdIn

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.article import ArticleText, Chunk
    from knowledge.embedding import Embedder
    from knowledge.point_filter import Conditions
    from knowledge.point_store import Hit, PointStore

_LOOK_EVERY_S = 0.2
_LOCK_NAME = "dabba.lock"


def opened(
    place: Path | str, load_embedder: Callable[[], Embedder], *, beside: bool = False
) -> tuple[PointStore, Embedder]:
    embedder = load_embedder()
    kind = kind_of(embedder)
    if beside and isinstance(place, Path):
        begin(place, kind)
    if isinstance(place, str):
        from knowledge.point_store_server import ServerStore, client_of  # Qdrant's client: a second

        return ServerStore(client_of(place), kind.name, kind.size), embedder
    from knowledge.point_store_edge import EdgeStore

    return EdgeStore(folder_for(place, kind), kind.size), embedder


def searched(
    store: PointStore, vector: NDArray[np.float32], conditions: Conditions, limit: int, also: Sequence[str]
) -> list[Hit]:
    hits = store.search(vector, conditions, limit)
    missing = frozenset(also) - {hit.point_id for hit in hits}
    return hits + store.search(vector, (IdIn(missing), *conditions), len(missing)) if missing else hits


def scaled(hit: Hit, unrelated: float) -> Hit:
    """Cosines counted from where texts have nothing in common, so that scores of two embedders mean the same."""
    span = 1 - unrelated
    return replace(hit, whole=(hit.whole - unrelated) / span, nearest=(hit.nearest - unrelated) / span)


def chunked(
    text: ArticleText, count_tokens: Callable[[str], int], limits: ChunkLimits
) -> tuple[tuple[str, Chunk], ...]:
    pieces = chunk(text, count_tokens, limits)
    return tuple((line_above(text.title, piece.heading_path, count_tokens, limits), piece) for piece in pieces)


def known_words(embedder: Embedder, words: Collection[str]) -> frozenset[str]:
    marks = embedder.count_tokens("")
    return frozenset(word for word in words if embedder.count_tokens(word) - marks == 1)


def within(limits: ChunkLimits, embedder: Embedder) -> ChunkLimits:
    """The limits, lowered to what the embedder reads."""
    most = min(limits.max_tokens, embedder.max_tokens)
    return ChunkLimits(most, min(limits.overlap_tokens, most - 1))


async def locked(folder: Path, wait_s: float) -> FileLock:
    """The lock of the folder; waits without blocking the loop. An embedded Qdrant allows one process only."""
    lock = FileLock(folder / _LOCK_NAME, thread_local=False)
    until = asyncio.get_running_loop().time() + wait_s
    while asyncio.get_running_loop().time() < until:
        with suppress(Timeout):
            lock.acquire(timeout=0)
            return lock
        await asyncio.sleep(_LOOK_EVERY_S)
    raise IndexInUse(
        "The article index is in use: an open console or a running command holds it. Close it or wait, then try again."
    )
