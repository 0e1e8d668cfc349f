"""The article library: what pages, commands and answers call. Nothing heavy is imported before it is needed."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from knowledge.chunking import ChunkLimits
from knowledge.embedding import FastembedEmbedder
from knowledge.embedding_model import embedding_model_folder
from knowledge.errors import ArticleUnknown, IndexUnavailable, ReadRefused, TextTooLong
from knowledge.finding import Finder
from knowledge.importing import FoundFile, ImportProgress, ImportRow, Verdict, files_below, row_of
from knowledge.index import PassageIndex
from knowledge.publish import publish, repair, retire, to_the_end, withdraw
from knowledge.ranking import Way
from knowledge.readers import Apart, read_file
from knowledge.rows import article_of, chunk_of, is_same, text_of
from storage.errors import NoSuchRecord
from storage.queries.articles import article_by_source, chunks_of, get_article, list_articles
from storage.text import one_line
from storage.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import tzinfo
    from pathlib import Path

    from knowledge.article import Article, Asker, Chunk, Retrieved
    from knowledge.embedding import Embedder
    from knowledge.explain import Explained
    from storage.database import Database
    from storage.paths import Home
    from storage.records import ArticleRow
    from storage.settings import Settings


class Library:
    """Articles in, searchable, out. Made by `open`; closed by `close`, before its database is.

    The index is opened at the first search or import, or by `warm`: only then is its folder locked.
    """

    def __init__(self, db: Database, home: Home, settings: Settings, timezone: tzinfo, load: Callable[[], Embedder]):
        self.timezone = timezone
        self._db = db
        self._place = settings.knowledge.qdrant_url or home.vectors
        self._limits = ChunkLimits(settings.knowledge.chunk_tokens, settings.knowledge.chunk_overlap)
        self._load = load
        self._worker = Worker("article-library")
        self._apart = Apart()
        self._index: PassageIndex | None = None
        self._closed = False
        self._opening = asyncio.Lock()
        self._writing = asyncio.Lock()
        self._finder = Finder(db, self._worker, settings.knowledge.threshold)
        self._revision = 0
        self._watchers: list[Callable[[], None]] = []

    @classmethod
    async def open(
        cls,
        db: Database,
        home: Home,
        settings: Settings,
        timezone: tzinfo,
        load_embedder: Callable[[], Embedder] | None = None,
    ) -> Library:
        """A library on this database; cheap. `timezone` is the kitchen's: its calendar decides what is valid today."""
        return cls(
            db, home, settings, timezone, load_embedder or partial(FastembedEmbedder, embedding_model_folder(home))
        )

    @property
    def revision(self) -> int:
        """Grows by one with every change of an article."""
        return self._revision

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Call `watcher` in the loop after each change; returns the function that ends the watch."""
        self._watchers.append(watcher)
        return partial(self._unwatch, watcher)

    async def warm(self) -> None:
        """Open the index (3 to 6 s), so that the first question doesn't wait. Raises as `index` does."""
        await self.index()

    async def close(self) -> None:
        """Finish the file that is being written, then give the index back. A second call does nothing."""
        async with self._writing, self._opening:
            self._closed = True
            if self._index:
                await self._index.close()
            await self._end_reading()
            await self._worker.aclose()

    async def add_file(
        self,
        path: Path,
        progress: Callable[[ImportProgress], None] | None = None,
        *,
        source_name: str | None = None,
        member: str = "",
    ) -> ImportRow:
        """Read, cut, embed and publish one file. A refused file is a row that says why, not an error.

        A file with the name of a known article replaces it; the same bytes again change nothing. `member` names a
        file inside the zip at `path`.
        Raises IndexInUse, IndexUnavailable, ModelMissing, StorageError.
        """
        name = one_line(source_name or member or path.name)
        try:
            read = await self._worker.run(read_file, path, name, apart=self._apart, member=member)
            text, notes = read.text, read.sentences
            async with self._writing:
                previous = await self._db.run(lambda session: article_by_source(session, name))
                if previous and is_same(previous, text):
                    return row_of(name, Verdict.UNCHANGED, previous.article_id, previous.chunk_count, notes)
                index = await self.index()
                row = await publish(self._db, index, text, previous, partial(_report, progress, name))
        except (ReadRefused, TextTooLong) as refused:
            return ImportRow(name, Verdict.REFUSED, str(refused))
        self._changed()
        verdict = Verdict.REPLACED if previous else Verdict.ADDED
        return row_of(name, verdict, row.article_id, row.chunk_count, notes)

    async def add_paths(
        self,
        paths: Sequence[Path],
        on_row: Callable[[ImportRow], None],
        on_found: Callable[[int], None] | None = None,
    ) -> tuple[ImportRow, ...]:
        """Import files and whole folders, one row each as soon as it is done; `on_found` hears first how many.

        May be cancelled at any time: files that have their row stay, the one in work is left as it was before.
        """
        rows: list[ImportRow] = []
        files = await self._worker.run(files_below, paths)
        if on_found:
            on_found(len(files))
        try:
            for file in files:
                rows.append(await self._add_found(file))
                on_row(rows[-1])
        finally:
            await self._end_reading()
        return tuple(rows)

    async def articles(self) -> tuple[Article, ...]:
        """Every article, by title. See `permission.derive_state` for the state to show."""
        return tuple(article_of(row) for row in await self._db.run(list_articles))

    async def article(self, article_id: str) -> Article:
        """Raises ArticleUnknown."""
        return article_of(await self._row(article_id))

    async def chunks(self, article_id: str) -> tuple[Chunk, ...]:
        """The pieces of an article in the order of its text; none for a draft or an unknown one."""
        return tuple(chunk_of(row) for row in await self._db.run(lambda session: chunks_of(session, article_id)))

    async def remove(self, article_id: str) -> None:
        """Delete an article and its passages. It answers nothing from the next search on. Raises ArticleUnknown."""
        async with self._writing:
            await self._row(article_id)
            index = await self.index()
            await withdraw(self._db, index, article_id)
        self._changed()

    async def retire(self, article_id: str) -> None:
        """Keep an article but answer nothing from it any more. Raises ArticleUnknown."""
        async with self._writing:
            await self._row(article_id)
            index = await self.index()
            await retire(self._db, index, article_id)
        self._changed()

    async def republish(self, article_id: str) -> Article:
        """Answer from an article again, or cut and embed it anew. Raises ArticleUnknown."""
        async with self._writing:
            index = await self.index()
            row = await self._row(article_id)
            row = await publish(self._db, index, text_of(row), row, partial(_report, None, row.source_name))
        self._changed()
        return article_of(row)

    async def retrieve(self, question: str, asker: Asker, limit: int, *, way: Way = Way.HYBRID) -> Retrieved:
        """The passages nearest to a question among those that this asker may see, at most `limit`, best first."""
        return await self._finder.retrieve(await self.index(), question, asker, limit, way)

    async def explain(self, question: str, asker: Asker, limit: int) -> tuple[Explained, ...]:
        """Why a question finds what it finds, also what this asker is not shown: for staff only."""
        return await self._finder.explain(await self.index(), question, asker, limit)

    async def index(self) -> PassageIndex:
        """The index, as it stands or opened. Raises IndexInUse, IndexUnavailable, ModelMissing; then try again."""
        async with self._opening:
            if self._closed:
                raise IndexUnavailable("The article library is closed. Open it again first.")
            if self._index is None:
                self._index = await self._opened()
            return self._index

    async def _opened(self) -> PassageIndex:
        index = await PassageIndex.open(self._place, self._load, self._limits)
        try:
            if await repair(self._db, index):
                self._changed()
            await index.forget_others()
        except BaseException:
            await to_the_end(index.close())
            raise
        return index

    async def _row(self, article_id: str) -> ArticleRow:
        try:
            return await self._db.run(lambda session: get_article(session, article_id))
        except NoSuchRecord as error:
            raise ArticleUnknown(
                f"There is no article {article_id}: it was removed meanwhile, or never was. Reload the list."
            ) from error

    async def _add_found(self, file: FoundFile) -> ImportRow:
        if file.refusal:
            return ImportRow(file.source_name, Verdict.REFUSED, file.refusal)
        return await self.add_file(file.path, source_name=file.source_name, member=file.member)

    async def _end_reading(self) -> None:
        if not self._worker.closed:
            await self._worker.run_to_end(self._apart.close)

    def _changed(self) -> None:
        self._revision += 1
        self._finder.changed()
        for watcher in tuple(self._watchers):
            watcher()

    def _unwatch(self, watcher: Callable[[], None]) -> None:
        if watcher in self._watchers:
            self._watchers.remove(watcher)


def _report(progress: Callable[[ImportProgress], None] | None, name: str, done: int, total: int) -> None:
    if progress:
        progress(ImportProgress(name, done, total))
