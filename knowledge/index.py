"""The passage index as the event loop sees it: one thread, one folder lock, nothing heavy imported before it opens."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from knowledge.chunking import ChunkLimits, chunk, line_above
from knowledge.errors import IndexInUse
from knowledge.meanings import kept_meanings
from storage.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.article import ArticleText, Asker, Chunk
    from knowledge.embedding import Embedder
    from knowledge.llama_parts import Point
    from knowledge.point_store import Hit, PointStore

WAIT_S = 10.0
_LOOK_EVERY_S = 0.2
_LOCK_NAME = "dabba.lock"


class PassageIndex:
    """Points in Qdrant and the embedder that made them. Use `open`; every method runs in the index's thread."""

    def __init__(self, store: PointStore, worker: Worker, lock: FileLock | None, limits: ChunkLimits) -> None:
        self._store = store
        self._worker = worker
        self._lock = lock
        self._limits = limits

    @classmethod
    async def open(
        cls,
        place: Path | str,
        load_embedder: Callable[[], Embedder],
        limits: ChunkLimits,
        *,
        wait_s: float = WAIT_S,
    ) -> PassageIndex:
        """Open the index in a folder or at a Qdrant URL; imports and loads everything heavy in its own thread.

        Waits up to `wait_s` seconds for another process that has the folder. Raises IndexInUse, IndexUnavailable,
        ModelMissing; nothing stays open then.
        """
        lock = await _locked(place, wait_s) if isinstance(place, Path) else None
        worker = Worker("passage-index")
        opening = asyncio.ensure_future(worker.run_to_end(_open, place, load_embedder))
        try:
            store = await asyncio.shield(opening)
        except BaseException:
            await asyncio.wait({opening})
            if not opening.cancelled() and opening.exception() is None:
                await worker.run(opening.result().close)
            await worker.aclose()
            if lock:
                lock.release()
            raise
        return cls(store, worker, lock, _within(limits, store.embedder))

    @property
    def languages(self) -> frozenset[str]:
        """Languages in which the embedder's scores mean something."""
        return self._store.embedder.languages

    async def chunk(self, text: ArticleText) -> tuple[tuple[str, Chunk], ...]:
        """The article's pieces, each with the line that is embedded above it."""
        return await self._worker.run(_chunked, text, self._store.embedder.count_tokens, self._limits)

    async def write(self, points: Sequence[Point]) -> None:
        await self._worker.run_to_end(self._store.write, points)

    async def search(self, question: str, asker: Asker, languages: Sequence[str], limit: int) -> list[Hit]:
        return await self._worker.run(self._store.search, question, asker, languages, limit)

    async def meaning(self, question: str) -> NDArray[np.float32]:
        return await self._worker.run(self._store.embedder.embed_question, question)

    async def meanings(self, texts: Sequence[str], folder: Path) -> NDArray[np.float32]:
        return await self._worker.run(kept_meanings, self._store.embedder, texts, folder)

    async def known(self, words: Collection[str]) -> frozenset[str]:
        """Those of `words` that the embedder reads in one piece: ordinary words, no slips of the pen."""
        return await self._worker.run(_known, self._store.embedder, words)

    async def count(self, article_id: str, generation: int) -> int:
        return await self._worker.run(self._store.count, article_id, generation)

    async def delete_article(self, article_id: str, *, keep: int | None = None, only: int | None = None) -> None:
        await self._worker.run_to_end(self._store.delete_article, article_id, keep=keep, only=only)

    async def set_facts(self, article_id: str, generation: int, facts: Mapping[str, object]) -> None:
        """Change what the filter reads of an article's points, such as status, audience or days: at once, and nothing
        is embedded again. Facts that are not named stay; see `point_store.facts_of` for their names and forms."""
        await self._worker.run_to_end(self._store.set_facts, article_id, generation, facts)

    async def delete_points(self, point_ids: Sequence[str]) -> None:
        await self._worker.run_to_end(self._store.delete_points, point_ids)

    async def point_ids(self) -> frozenset[str]:
        return await self._worker.run(self._store.point_ids)

    async def close(self) -> None:
        """Finish what was given, close Qdrant and give the folder back. A second call does nothing."""
        if self._worker.closed:
            return
        await self._worker.run_to_end(self._store.close)
        await self._worker.aclose()
        if self._lock:
            self._lock.release()


def _open(place: Path | str, load_embedder: Callable[[], Embedder]) -> PointStore:
    from knowledge.point_store import PointStore  # LlamaIndex and Qdrant: seconds

    return PointStore(place, load_embedder())


def _chunked(
    text: ArticleText, count_tokens: Callable[[str], int], limits: ChunkLimits
) -> tuple[tuple[str, Chunk], ...]:
    pieces = chunk(text, count_tokens, limits)
    return tuple((line_above(text.title, piece.heading_path, count_tokens, limits), piece) for piece in pieces)


def _known(embedder: Embedder, words: Collection[str]) -> frozenset[str]:
    marks = embedder.count_tokens("")
    return frozenset(word for word in words if embedder.count_tokens(word) - marks == 1)


def _within(limits: ChunkLimits, embedder: Embedder) -> ChunkLimits:
    """The limits, lowered to what the embedder reads."""
    most = min(limits.max_tokens, embedder.max_tokens)
    return ChunkLimits(most, min(limits.overlap_tokens, most - 1))


async def _locked(folder: Path, wait_s: float) -> FileLock:
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
