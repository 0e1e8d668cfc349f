"""The watched folder: what is put there becomes an article by itself, by the way that dropped files take.

It is looked at every few seconds rather than heard of: this also sees network drives, and costs a listing.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from knowledge.article import ArticleStatus
from knowledge.errors import ArticleUnknown, KnowledgeError
from knowledge.importing import Verdict
from knowledge.revision import Revision
from knowledge.watching_memory import Memory, Taken, TakenRow, recall, remember
from knowledge.watching_scan import Scan, digest_of, found_in, scan, settled
from knowledge.watching_state import WatchState, WatchStatus, cannot_read, is_empty, rows_of
from storage.errors import StorageError
from storage.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    from knowledge.importing import FoundFile, ImportRow
    from knowledge.library import Library
    from knowledge.watching_scan import Stamp
    from storage.paths import Home

EVERY_S: Final = 2.0


class FolderWatch:
    """Made before it runs; `state` changes in the loop, and `watch` tells of it. Closed before the library is."""

    def __init__(self, library: Library, home: Home, folder: Path | None) -> None:
        self._library = library
        self._home = home
        self._worker = Worker("folder-watch")
        self._changes = Revision()
        self._task: asyncio.Task[None] | None = None
        self._memory: Memory | None = None
        self._before: Mapping[str, Stamp] = {}
        self._standing: tuple[object, frozenset[str]] = (None, frozenset())
        self.state = WatchState(folder)

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Call `watcher` after each change of `state`; returns the function that ends the watch."""
        return self._changes.watch(watcher)

    def start(self) -> None:
        """Look at the folder from now on, every EVERY_S seconds. A second call does nothing."""
        if self._task is None and not self._worker.closed:
            self._task = asyncio.create_task(self._look_on(), name="folder-watch")

    async def follow(self, folder: Path | None) -> None:
        """Watch another folder, or none. What was taken in from the one before stays."""
        if folder == self.state.folder:
            return
        runs = await self._stop()
        self._memory, self._before = None, {}
        self._show(WatchState(folder))
        if runs:
            self.start()

    async def try_again(self) -> None:
        """Read what was refused once more."""
        if self._memory is not None:
            kept = {name: taken for name, taken in self._memory.files.items() if not _is_refused(taken)}
            self._memory = replace(self._memory, files=kept)

    async def look(self) -> None:
        """Look once. A file is taken in when it is as it was at the look before; what keeps all from being taken in is
        told in `state`."""
        folder = self.state.folder
        if folder is None:
            return
        try:
            seen = await self._worker.run(scan, folder)
            if self._memory is None:
                self._memory = await self._worker.run(recall, self._home, folder)
            if not seen.files and self._memory.files:
                self._stuck(is_empty(folder, len(self._memory.files)), seen)
                return
            await self._take_in(folder, seen, self._wanted(seen))
            await self._tell(seen)
        except OSError as error:
            self._stuck(cannot_read(folder, error.strerror or str(error)))
        except (KnowledgeError, StorageError) as error:
            self._stuck(str(error))

    async def close(self) -> None:
        """Leave a file that is being taken in as it was before. A second call does nothing."""
        await self._stop()
        await self._worker.aclose()

    async def _look_on(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(EVERY_S)

    async def _stop(self) -> bool:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait({task})
        return task is not None

    def _wanted(self, seen: Scan) -> frozenset[str]:
        known = self._known
        quiet, self._before = settled(seen.files, self._before), seen.files
        return frozenset(
            name
            for name in quiet
            if (taken := known.get(name)) is None
            or (taken.size, taken.mtime_ns) != (seen.files[name].size, seen.files[name].mtime_ns)
            or (not taken.digest and os.access(seen.paths[name], os.R_OK))
        )

    @property
    def _known(self) -> Mapping[str, Taken]:
        return self._memory.files if self._memory else {}

    async def _take_in(self, folder: Path, seen: Scan, wanted: Collection[str]) -> None:
        if not wanted:
            return
        digests = {name: await self._worker.run(digest_of, seen.paths[name]) for name in sorted(wanted)}
        same = [name for name, digest in digests.items() if digest and self._digest(name) == digest]
        kept = {name: self._known[name].rows for name in same}
        new = [name for name in digests if name not in kept]
        found = await self._worker.run(found_in, folder, new)
        rows: list[ImportRow] = []
        try:
            await self._import(found, rows)
        finally:  # also when it was stopped half-way
            taken = {name: Taken(seen.files[name].size, seen.files[name].mtime_ns, digests[name], of)
                     for name, of in (kept | _by_file(found, rows)).items()}  # fmt: skip
            await self._remember(folder, {**self._known, **taken})

    def _digest(self, name: str) -> str:
        taken = self._known.get(name)
        return taken.digest if taken else ""

    async def _import(self, found: Mapping[str, Sequence[FoundFile]], rows: list[ImportRow]) -> None:
        files = [file for of_one in found.values() for file in of_one]
        if not files:
            return
        working = replace(self.state, status=WatchStatus.TAKING_IN, trouble="", done=0, total=len(files))
        self._show(working)

        def done(row: ImportRow) -> None:
            rows.append(row)
            self._show(replace(working, done=len(rows)))

        await self._library.add_found(files, done)

    async def _remember(self, folder: Path, files: dict[str, Taken]) -> None:
        self._memory = Memory(str(folder), files)
        await self._worker.run_to_end(remember, self._home, self._memory)

    async def _tell(self, seen: Scan) -> None:
        folder = self.state.folder
        gone = self._known.keys() - seen.files.keys()
        standing = await self._standing_of(frozenset(gone))
        forgotten = {name for name in gone if not any(row.article_id in standing for row in self._known[name].rows)}
        if folder is not None and forgotten:
            left = {name: taken for name, taken in self._known.items() if name not in forgotten}
            await self._remember(folder, left)
        known = self._known
        rows = rows_of(known, gone)
        here = sum(name in seen.files for name in known)
        self._show(WatchState(folder, WatchStatus.WATCHING, files=here, others=seen.others, rows=rows))

    async def _standing_of(self, gone: frozenset[str]) -> frozenset[str]:
        """The articles of files that are gone which still answer; asked again only after something changed."""
        asked = (gone, self._library.revision)
        if self._standing[0] != asked:
            ids = {row.article_id for name in gone for row in self._known[name].rows if row.article_id}
            self._standing = asked, frozenset([one for one in ids if await self._answers(one)])
        return self._standing[1]

    async def _answers(self, article_id: str) -> bool:
        try:
            return (await self._library.article(article_id)).status is ArticleStatus.PUBLISHED
        except ArticleUnknown:
            return False

    def _stuck(self, trouble: str, seen: Scan | None = None) -> None:
        others = seen.others if seen else 0
        self._show(replace(self.state, status=WatchStatus.STUCK, trouble=trouble, others=others, done=0, total=0))

    def _show(self, state: WatchState) -> None:
        if state != self.state:
            self.state = state
            self._changes.grow()


def _by_file(found: Mapping[str, Sequence[FoundFile]], rows: Sequence[ImportRow]) -> dict[str, tuple[TakenRow, ...]]:
    """The rows of each file that has all of its own: they come in the order in which the files were given."""
    at, left = datetime.now(UTC), list(rows)
    whole: dict[str, tuple[TakenRow, ...]] = {}
    for name, files in found.items():
        mine, left = left[: len(files)], left[len(files) :]
        if files and len(mine) == len(files):
            whole[name] = tuple(_taken_row(row, at) for row in mine)
    return whole


def _taken_row(row: ImportRow, at: datetime) -> TakenRow:
    return TakenRow(row.source_name, row.verdict, " ".join((row.sentence, *row.notes)), at, row.article_id)


def _is_refused(taken: Taken) -> bool:
    return any(row.verdict is Verdict.REFUSED for row in taken.rows)
