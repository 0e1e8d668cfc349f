"""The article library: what pages, commands and answers call. Nothing heavy is imported before it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knowledge.finding import Finder
from knowledge.history_rows import draft_of, receipt_of, version_of
from knowledge.importing import FoundFile, ImportProgress, ImportRow
from knowledge.importing_run import Importing
from knowledge.index_room import IndexRoom
from knowledge.listing import Listing
from knowledge.publish_hands import Hands
from knowledge.ranking import Way
from knowledge.revision import Revision
from knowledge.rows import article_of, chunk_of
from knowledge.served import still_served
from knowledge.writing import Writing, this_user
from storage.queries import article_history
from storage.queries.articles import chunks_of
from storage.queries.receipts import all_receipts
from storage.text import one_line
from storage.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import tzinfo
    from pathlib import Path

    from knowledge.article import Article, ArticleText, Asker, Chunk, Passage, Retrieved
    from knowledge.article_history import DeletionReceipt, Draft, Version
    from knowledge.changes import ArticleChange
    from knowledge.embedder_change import ChangeProgress
    from knowledge.embedding import Embedder
    from knowledge.explain import Explained
    from knowledge.index import PassageIndex
    from knowledge.moving import Moved
    from storage.database import Database
    from storage.paths import Home
    from storage.settings import KnowledgeSettings, Settings


class Library:
    """Articles in, searchable, out. Made by `open`; closed by `close`, before its database is.

    The index is opened at the first search or import, or by `warm`: only then is its folder locked. Methods that change
    something raise as `Writing` does.
    """

    def __init__(
        self,
        db: Database,
        home: Home,
        settings: Settings,
        timezone: tzinfo,
        load_of: Callable[[KnowledgeSettings], Callable[[], Embedder]] | None,
    ) -> None:
        self.timezone = timezone
        self._db = db
        self._settings = settings.knowledge
        self._worker = Worker("article-library")
        self._revision = Revision()
        self._writing = Writing(db, self._hands, self._revision.grow)
        self._room = IndexRoom(db, home, settings.knowledge, self._writing.lock, self._with, load_of)
        self._importing = Importing(db, self._writing, self._worker)
        self._listing = Listing(db)
        self._finder = Finder(db, self._worker, self._settings.threshold)

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
        return cls(db, home, settings, timezone, (lambda _settings: load_embedder) if load_embedder else None)

    @property
    def revision(self) -> int:
        """Grows by one with every change of an article."""
        return self._revision.number

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Call `watcher` in the loop after each change; returns the function that ends the watch."""
        return self._revision.watch(watcher)

    async def warm(self) -> None:
        """Open the index (3 to 6 s), so that the first question doesn't wait. Raises as `index` does."""
        await self.index()
        self._room.start_change()

    @property
    def embedder_change(self) -> ChangeProgress | None:
        """How far the library is with another embedder that the settings name; None when none is under way."""
        return self._room.progress

    async def change_embedder(self, progress: Callable[[ChangeProgress], None]) -> bool:
        """Have the embedder of the settings read everything, then switch to it; see `IndexRoom.change_embedder`."""
        return await self._room.change_embedder(progress)

    async def move_to(self, url: str, progress: Callable[[int, int], None]) -> Moved:
        """Copy the index to a Qdrant server and check it there; see `IndexRoom.move`."""
        return await self._room.move(url, progress)

    async def close(self) -> None:
        """Finish the file that is being written, then give the index back. A second call does nothing."""
        await self._room.stop_change()
        async with self._writing.lock:
            await self._room.close()
            await self._importing.end_reading()
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
        return await self._importing.add_file(FoundFile(path, name, member=member), progress)

    async def add_paths(
        self,
        paths: Sequence[Path],
        on_row: Callable[[ImportRow], None],
        on_found: Callable[[int], None] | None = None,
        on_progress: Callable[[ImportProgress], None] | None = None,
    ) -> tuple[ImportRow, ...]:
        """Import files and whole folders, one row each as soon as it is done; `on_found` hears first how many.
        `on_progress` hears how far a file is that has no row yet.

        May be cancelled at any time: files that have their row stay, the ones in work are left as they were before.
        """
        return await self._importing.add_paths(paths, on_row, on_found, on_progress)

    async def add_found(self, files: Sequence[FoundFile], on_row: Callable[[ImportRow], None]) -> tuple[ImportRow, ...]:
        """As `add_paths`, for files that were looked up before: see `importing.files_below`."""
        return await self._importing.add_found(files, on_row)

    async def add_text(self, text: ArticleText) -> Article:
        """Publish a text that no file holds, in the place of the one from the same source or as a new article."""
        return article_of(await self._writing.add(text))

    async def articles(self) -> tuple[Article, ...]:
        """Every article, by title; the same objects as before of those that did not change.

        See `permission.derive_state` for the state to show.
        """
        return await self._listing.articles()

    async def article(self, article_id: str) -> Article:
        """Raises ArticleUnknown."""
        return article_of(await self._writing.row(article_id))

    async def chunks(self, article_id: str) -> tuple[Chunk, ...]:
        """The pieces of an article in the order of its text; none for a draft or an unknown one."""
        return tuple(chunk_of(row) for row in await self._db.run(lambda session: chunks_of(session, article_id)))

    async def draft(self, article_id: str) -> Draft | None:
        """The text that is kept beside what the article says now, if there is one."""
        row = await self._db.run(lambda session: article_history.draft_of(session, article_id))
        return draft_of(row) if row else None

    async def drafted(self) -> frozenset[str]:
        """The ids of the articles that have a draft."""
        return await self._db.run(article_history.drafted)

    async def versions(self, article_id: str) -> tuple[Version, ...]:
        """The texts that were published, newest first; see `article_history.diff` for what two of them differ in."""
        rows = await self._db.run(lambda session: article_history.versions_of(session, article_id))
        return tuple(version_of(row) for row in rows)

    async def receipts(self) -> tuple[DeletionReceipt, ...]:
        """What was deleted, newest first."""
        return tuple(receipt_of(row) for row in await self._db.run(all_receipts))

    async def save_draft(self, text: ArticleText, article_id: str | None = None) -> Article:
        """Keep a text that answers nothing until `publish`: of this article, of its source's, or of a new one."""
        return article_of(await self._writing.save_draft(text, article_id))

    async def discard_draft(self, article_id: str) -> None:
        """Forget the draft beside what the article says. One that is only a draft is removed instead."""
        await self._writing.discard_draft(article_id)

    async def publish(self, article_id: str) -> Article:
        """Let the article answer: with its draft when it has one, else with the text that it had."""
        return article_of(await self._writing.publish(article_id))

    async def republish(self, article_id: str) -> Article:
        """Answer from an article again, cut and embedded anew."""
        return article_of(await self._writing.republish(article_id))

    async def change(self, article_id: str, change: ArticleChange) -> Article:
        """Change who may see the article and when, in effect at once; nothing is embedded."""
        return article_of(await self._writing.change(article_id, change))

    async def restore(self, article_id: str, number: int) -> Article:
        """Publish the text of an earlier version again, with all that was kept beside it."""
        return article_of(await self._writing.restore(article_id, number))

    async def retire(self, article_id: str) -> Article:
        """Keep an article but answer nothing from it any more."""
        return article_of(await self._writing.retire(article_id))

    async def remove(self, article_id: str) -> DeletionReceipt:
        """Delete an article and all that is kept of it. It answers nothing from the next search on."""
        return await self._writing.remove(article_id)

    async def retrieve(self, question: str, asker: Asker, limit: int, *, way: Way = Way.HYBRID) -> Retrieved:
        """The passages nearest to a question among those that this asker may see, at most `limit`, best first."""
        return await self._finder.retrieve(await self.index(), question, asker, limit, way)

    async def explain(self, question: str, asker: Asker, limit: int) -> tuple[Explained, ...]:
        """Why a question finds what it finds, also what this asker is not shown: for staff only."""
        return await self._finder.explain(await self.index(), question, asker, limit)

    async def still_served(self, passages: Sequence[Passage], asker: Asker) -> tuple[bool, ...]:
        """For each passage of an earlier answer: does its article still say so, to this asker?"""
        return await still_served(self._db, passages, asker)

    async def index(self) -> PassageIndex:
        """The index, as it stands or opened. Raises IndexInUse, IndexUnavailable, ModelMissing; then try again."""
        return await self._room.index()

    async def _hands(self) -> Hands:
        return self._with(await self.index())

    def _with(self, index: PassageIndex) -> Hands:
        return Hands(self._db, index, this_user(), self._settings.versions_kept, self._revision.grow)
