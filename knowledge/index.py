"""The passage index as the event loop sees it: two threads, one folder lock, nothing heavy imported before it opens.

It joins an embedder with the store of the points that it made.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from knowledge.chunking import ChunkLimits, line_above
from knowledge.embed_pool import EmbedPool
from knowledge.errors import IndexUnavailable
from knowledge.index_parts import chunked, known_words, locked, opened, scaled, searched, within
from knowledge.index_place import choose, forget_others, kind_of
from knowledge.point_filter import findable, points_of
from storage.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    import numpy as np
    from filelock import FileLock
    from numpy.typing import NDArray

    from knowledge.article import ArticleText, Asker, Chunk
    from knowledge.embedding import Embedder
    from knowledge.index_place import Choice
    from knowledge.point_filter import Facts
    from knowledge.point_store import Hit, Point, PointStore, VectorPoint

T = TypeVar("T")
WAIT_S = 10.0


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
        self._pool = EmbedPool(embedder, self._embedding)
        self._lock = lock
        self._limits = self._asked = ChunkLimits(embedder.max_tokens, 0)

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
        lock = await locked(place, wait_s) if isinstance(place, Path) else None
        worker = Worker("passage-index")
        opening = asyncio.ensure_future(worker.run_to_end(opened, place, load_embedder))
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
        index._asked = limits
        index._limits = within(limits, embedder)
        return index

    async def beside(self, load_embedder: Callable[[], Embedder]) -> PassageIndex:
        """An index of another embedder in the same place, to be filled while this one serves. Raises as `open`."""
        worker = Worker("passage-index-beside")
        try:
            store, embedder = await worker.run(opened, self._place, load_embedder, beside=True)
        except BaseException:
            await worker.aclose()
            raise
        index = PassageIndex(self._place, store, embedder, worker, None)
        index._asked = self._asked
        index._limits = within(self._asked, embedder)
        return index

    async def at_server(self, url: str) -> PassageIndex:
        """An index of the same embedder at a Qdrant server, to be filled while this one serves. Raises as `open`."""
        worker = Worker("passage-index-elsewhere")
        try:
            store, embedder = await worker.run(opened, url, lambda: self._embedder)
        except BaseException:
            await worker.aclose()
            raise
        return PassageIndex(url, store, embedder, worker, None)

    async def serve(self, choice: Choice, folder: Path) -> None:
        """Write down that this index serves from now on."""
        await self._worker.run_to_end(choose, folder, choice)

    @property
    def model(self) -> str:
        return self._embedder.name

    @property
    def languages(self) -> frozenset[str]:
        """Languages in which the embedder's scores mean something."""
        return self._embedder.languages

    async def chunk(self, text: ArticleText) -> tuple[tuple[str, Chunk], ...]:
        """The article's pieces, each with the line that is embedded above it."""
        return await self._embedding.run(chunked, text, self._embedder.count_tokens, self._limits)

    async def line_above(self, title: str, heading_path: tuple[str, ...]) -> str:
        """What is embedded above a piece with these headings."""
        count = self._embedder.count_tokens
        return await self._embedding.run(line_above, title, heading_path, count, self._limits)

    async def embed(self, points: Sequence[Point]) -> list[VectorPoint]:
        """The points with their vectors; nothing is kept yet. Raises TextTooLong."""
        return await self._pool.embed(points)

    async def store(self, points: Sequence[VectorPoint]) -> None:
        """Keep points; one with the same id is replaced. Raises IndexUnavailable, also for vectors of another kind."""
        mine = kind_of(self._embedder).name
        if any(point.kind not in ("", mine) for point in points):
            raise IndexUnavailable(
                "The article was not written: it was embedded just before another embedder took over. Try again."
            )
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
        return await self.search_near(await self.meaning(question), asker, languages, limit, also=also)

    async def search_near(
        self,
        vector: NDArray[np.float32],
        asker: Asker,
        languages: Sequence[str],
        limit: int,
        *,
        also: Sequence[str] = (),
    ) -> list[Hit]:
        """As `search`, of a question whose vector is known."""
        hits = await self._worker.run(searched, self._store, vector, findable(asker, languages), limit, also)
        return [scaled(hit, self._embedder.unrelated) for hit in hits]

    async def nearest_of_all(self, question: str, limit: int) -> list[Hit]:
        """The nearest of all passages, whoever may see them: to explain to staff what was not shown."""
        vector = await self.meaning(question)
        hits = await self._worker.run(self._store.search, vector, (), limit)
        return [scaled(hit, self._embedder.unrelated) for hit in hits]

    async def meaning(self, question: str) -> NDArray[np.float32]:
        return await self._embedding.run(self._embedder.embed_question, question)

    async def with_embedder(self, work: Callable[[Embedder], T]) -> T:
        """Run `work` in the embedder's thread."""
        return await self._embedding.run(work, self._embedder)

    async def known(self, words: Collection[str]) -> frozenset[str]:
        """Those of `words` that the embedder reads in one piece: ordinary words, no slips of the pen."""
        return await self._embedding.run(known_words, self._embedder, words)

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
