"""Searches of the library: the catalogue brought up to date, then one question's search in it."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from knowledge.article import Retrieved
from knowledge.catalogue import Catalogue
from knowledge.explain import explain
from knowledge.ranking import Way
from knowledge.retrieve import Search, Shelf, find_passages
from storage.queries.shelf import shelf_revision
from storage.text import storable

if TYPE_CHECKING:
    from knowledge.article import Asker
    from knowledge.explain import Explained
    from knowledge.index import PassageIndex
    from storage.database import Database
    from storage.worker import Worker


class Finder:
    """Finds passages in an index that is open. `worker` is the thread in which words are compared."""

    def __init__(self, db: Database, worker: Worker, threshold: float) -> None:
        self._db = db
        self._worker = worker
        self._threshold = threshold
        self._catalogue = Catalogue()
        self._reading = asyncio.Lock()
        self._taken: int | None = None

    async def retrieve(
        self, index: PassageIndex, question: str, asker: Asker, limit: int, way: Way = Way.HYBRID
    ) -> Retrieved:
        """The passages nearest to a question among those that this asker may see, at most `limit`, best first."""
        began = time.perf_counter()
        catalogue = await self.catalogue()
        view = catalogue.view(asker)
        search = Search(storable(question), asker, view, limit, self._threshold, way)
        shelf = Shelf(self._db, index, catalogue, self._worker)
        passages = await find_passages(shelf, search) if view.articles and question.strip() else ()
        return Retrieved(passages, self._threshold, view.chunks, 1000 * (time.perf_counter() - began))

    async def explain(self, index: PassageIndex, question: str, asker: Asker, limit: int) -> tuple[Explained, ...]:
        """See `knowledge.explain`: every passage near the question, whoever may see it. For staff only."""
        catalogue = await self.catalogue()
        search = Search(storable(question), asker, catalogue.view(asker), limit, self._threshold)
        return await explain(Shelf(self._db, index, catalogue, self._worker), search) if question.strip() else ()

    async def catalogue(self) -> Catalogue:
        """The catalogue as the database says now, also what another process changed there."""
        async with self._reading:
            revision = await self._db.run(shelf_revision)
            if revision != self._taken:
                catalogue = Catalogue() if self._catalogue.wasteful else self._catalogue
                news = await self._db.run(catalogue.news)
                await self._worker.run_to_end(catalogue.take, news)
                self._catalogue = catalogue
                self._taken = revision
            return self._catalogue
