"""The passage index as the event loop sees it: two threads, one folder lock, nothing heavy imported before it opens.

It joins an embedder with the store of the points that it made.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from filelock import FileLock, Timeout

from knowledge.chunking import ChunkLimits, chunk, line_above
from knowledge.errors import IndexInUse
from knowledge.index_place import folder_for, forget_others, kind_of
from knowledge.point_filter import IdIn, findable, points_of
from storage.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.article import ArticleText, Asker, Chunk
    from knowledge.embedding import Embedder
    from knowledge.point_filter import Conditions, Facts
    from knowledge.point_store import Hit, Point, PointStore, VectorPoint

T = TypeVar("T")
WAIT_S = 10.0
_LOOK_EVERY_S = 0.2
_LOCK_NAME = "dabba.lock"


class PassageIndex:
    """Points in Qdrant and the embedder that made them, each with a thread of its own. Use `open`."""

    def __init__(
        self, place: Path | str, store: PointStore, embedder: Embedder, worker: Worker, lock: FileLock | None
    ) -> None:
        self._place = place
        self._store = store
        self._embedder = embedder
        self._worker = worker
        self._embedding = Worker("embedder")
        self._lock = lock
        self._limits = ChunkLimits(embedder.max_tokens, 0)

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
            store, embedder = await asyncio.shield(opening)
        except BaseException:
            await asyncio.wait({opening})
            if not opening.cancelled() and opening.exception() is None:
                await worker.run(opening.result()[0].close)
            await worker.aclose()
            if lock:
                lock.release()
            raise
        index = cls(place, store, embedder, worker, lock)
        index._limits = _within(limits, embedder)
        return index

    @property
    def languages(self) -> frozenset[str]:
        """Languages in which the embedder's scores mean something."""
        return self._embedder.languages

    async def chunk(self, text: ArticleText) -> tuple[tuple[str, Chunk], ...]:
        """The article's pieces, each with the line that is embedded above it."""
        return await self._embedding.run(_chunked, text, self._embedder.count_tokens, self._limits)

    async def embed(self, points: Sequence[Point]) -> list[VectorPoint]:
        """The points with their vectors; nothing is kept yet. Raises TextTooLong."""
        return await self._embedding.run(_embedded, self._embedder, points)

    async def store(self, points: Sequence[VectorPoint]) -> None:
        """Keep points; one with the same id is replaced. Raises IndexUnavailable."""
        await self._worker.run_to_end(self._store.write, points)

    async def write(self, points: Sequence[Point]) -> None:
        """Embed and keep points. Raises TextTooLong, IndexUnavailable."""
        await self.store(await self.embed(points))

    async def read(self, point_ids: Sequence[str]) -> list[VectorPoint]:
        """Those of the points that are there, with their vectors."""
        return await self._worker.run(self._store.read, point_ids)

    async def search(
        self, question: str, asker: Asker, languages: Sequence[str], limit: int, *, also: Sequence[str] = ()
    ) -> list[Hit]:
        """The nearest passages that the asker may see, and those of the points `also` that they may see."""
        vector = await self.meaning(question)
        hits = await self._worker.run(_search, self._store, vector, findable(asker, languages), limit, also)
        return [_scaled(hit, self._embedder.unrelated) for hit in hits]

    async def nearest_of_all(self, question: str, limit: int) -> list[Hit]:
        """The nearest of all passages, whoever may see them: to explain to staff what was not shown."""
        vector = await self.meaning(question)
        hits = await self._worker.run(self._store.search, vector, (), limit)
        return [_scaled(hit, self._embedder.unrelated) for hit in hits]

    async def meaning(self, question: str) -> NDArray[np.float32]:
        return await self._embedding.run(self._embedder.embed_question, question)

    async def with_embedder(self, work: Callable[[Embedder], T]) -> T:
        """Run `work` in the embedder's thread."""
        return await self._embedding.run(work, self._embedder)

    async def known(self, words: Collection[str]) -> frozenset[str]:
        """Those of `words` that the embedder reads in one piece: ordinary words, no slips of the pen."""
        return await self._embedding.run(_known, self._embedder, words)

    async def count(self, article_id: str, generation: int | None = None) -> int:
        """The article's points, of all generations or of one."""
        return await self._worker.run(self._store.count, points_of(article_id, only=generation))

    async def count_findable(self, article_id: str, generation: int, asker: Asker, languages: Sequence[str]) -> int:
        """How many of the article's points this asker may find."""
        chosen = (*points_of(article_id, only=generation), *findable(asker, languages))
        return await self._worker.run(self._store.count, chosen)

    async def delete_article(self, article_id: str, *, keep: int | None = None, only: int | None = None) -> None:
        """Delete the article's points: all, all but those of generation `keep`, or those of generation `only`."""
        await self._worker.run_to_end(self._store.delete, points_of(article_id, keep=keep, only=only))

    async def set_facts(self, article_id: str, generation: int, facts: Facts) -> None:
        """Change what the filter reads of an article's points, such as status, audience or days: at once, and nothing
        is embedded again. Facts that are not named stay; see `point_store.facts_of` for their names and forms."""
        await self._worker.run_to_end(self._store.set_facts, points_of(article_id, only=generation), facts)

    async def delete_points(self, point_ids: Sequence[str]) -> None:
        await self._worker.run_to_end(self._store.delete_points, point_ids)

    async def facts(self) -> dict[str, Facts]:
        """The facts of every point, by its id."""
        return await self._worker.run(self._store.facts)

    async def point_ids(self) -> frozenset[str]:
        return frozenset(await self.facts())

    async def forget_others(self) -> None:
        """Delete what is left of indexes that this one replaces. Only of a folder: a server may be shared."""
        if isinstance(self._place, Path):
            await self._worker.run_to_end(forget_others, self._place, kind_of(self._embedder))

    async def close(self) -> None:
        """Finish what was given, close Qdrant and give the folder back. A second call does nothing."""
        if self._worker.closed:
            return
        await self._embedding.aclose()
        await self._worker.run_to_end(self._store.close)
        await self._worker.aclose()
        if self._lock:
            self._lock.release()


def _open(place: Path | str, load_embedder: Callable[[], Embedder]) -> tuple[PointStore, Embedder]:
    embedder = load_embedder()
    kind = kind_of(embedder)
    if isinstance(place, str):
        from knowledge.point_store_server import ServerStore, client_of  # Qdrant's client: a second

        return ServerStore(client_of(place), kind.name, kind.size), embedder
    from knowledge.point_store_edge import EdgeStore

    return EdgeStore(folder_for(place, kind), kind.size), embedder


def _embedded(embedder: Embedder, points: Sequence[Point]) -> list[VectorPoint]:
    from knowledge.llama_parts import embedded  # LlamaIndex: a second

    return embedded(embedder, points)


def _search(
    store: PointStore, vector: NDArray[np.float32], conditions: Conditions, limit: int, also: Sequence[str]
) -> list[Hit]:
    hits = store.search(vector, conditions, limit)
    missing = frozenset(also) - {hit.point_id for hit in hits}
    return hits + store.search(vector, (IdIn(missing), *conditions), len(missing)) if missing else hits


def _scaled(hit: Hit, unrelated: float) -> Hit:
    """Cosines counted from where texts have nothing in common, so that scores of two embedders mean the same."""
    span = 1 - unrelated
    return replace(hit, whole=(hit.whole - unrelated) / span, nearest=(hit.nearest - unrelated) / span)


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
