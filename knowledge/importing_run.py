"""Files into the library: what has not changed is left alone; while one is being published the next are embedded."""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from knowledge.article import ArticleStatus
from knowledge.article_history import How
from knowledge.errors import ChangeRefused, ReadRefused, TextTooLong
from knowledge.importing import (
    FoundFile,
    ImportProgress,
    ImportRow,
    Verdict,
    files_below,
    row_of,
    told_of_twin,
)
from knowledge.readers import Apart, read_file
from knowledge.readers.archive import member_bytes
from knowledge.readers.kinds import kind_of, largest_bytes
from knowledge.rows import hash_of, meta_hash
from storage.queries.articles import article_by_source, article_stamp, article_stamps, twin_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Collection, Sequence
    from pathlib import Path

    from knowledge.writing import Planned, Writing
    from storage.article_records import ArticleStamp
    from storage.database import Database
    from storage.worker import Worker

    Told = Callable[[ImportProgress], None]

HASHED_AT_ONCE = 50
AHEAD = 24
"""Files in work at most. When there are so many the older half is finished, so that the others are embedded together:
texts of many files fill a batch better."""
AHEAD_BYTES = 4 * 1024**2
"""Of large files fewer are in work: what is embedded is in memory until it is written."""
_REFUSALS = (ReadRefused, TextTooLong, ChangeRefused)


@dataclass(frozen=True, slots=True)
class Seen:
    """A file before it is read: the sha256 of its bytes, "" when they can't be had, and how many they are."""

    digest: str = ""
    size: int = 0


@dataclass(frozen=True, slots=True)
class Ready:
    """A file read, cut and embedded; nothing of it is written yet."""

    name: str
    planned: Planned
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Begun:
    """A file's row, or the work that leads to it."""

    work: ImportRow | asyncio.Task[ImportRow | Ready]
    size: int


class Importing:
    """Reads in the worker's thread and in a process apart, writes through `writing`."""

    def __init__(self, db: Database, writing: Writing, worker: Worker) -> None:
        self._db = db
        self._writing = writing
        self._worker = worker
        self._apart = Apart()

    async def add_file(self, file: FoundFile, progress: Told | None = None) -> ImportRow:
        """See `Library.add_file`."""
        stamp = await self._db.run(lambda session: article_stamp(session, file.source_name))
        (seen,) = await self._worker.run(_looked_at, (file,))
        if row := _row_without_work(file, stamp, seen):
            return row
        return await self._finished(await self._ready(file, progress))

    async def add_paths(
        self,
        paths: Sequence[Path],
        on_row: Callable[[ImportRow], None],
        on_found: Callable[[int], None] | None = None,
        on_progress: Told | None = None,
    ) -> tuple[ImportRow, ...]:
        """See `Library.add_paths`."""
        files = await self._worker.run(files_below, paths)
        if on_found:
            on_found(len(files))
        return await self.add_found(files, on_row, on_progress)

    async def add_found(
        self, files: Sequence[FoundFile], on_row: Callable[[ImportRow], None], on_progress: Told | None = None
    ) -> tuple[ImportRow, ...]:
        """See `Library.add_found`."""
        rows: list[ImportRow] = []
        try:
            async with aclosing(self._rows(files, on_progress)) as done:
                async for row in done:
                    rows.append(row)
                    on_row(row)
        finally:
            await self.end_reading()
        return tuple(rows)

    async def end_reading(self) -> None:
        if not self._worker.closed:
            await self._worker.run_to_end(self._apart.close)

    async def _rows(self, files: Sequence[FoundFile], progress: Told | None) -> AsyncGenerator[ImportRow, None]:
        """One row a file, in order. While a file is written, the next ones that have work are read and embedded."""
        stamps = await self._db.run(article_stamps)
        waiting: deque[Begun] = deque()
        try:
            for start in range(0, len(files), HASHED_AT_ONCE):
                group = files[start : start + HASHED_AT_ONCE]
                for file, seen in zip(group, await self._worker.run(_looked_at, group), strict=True):
                    row = _row_without_work(file, stamps.get(file.source_name), seen)
                    waiting.append(Begun(row or asyncio.create_task(self._ready(file, progress)), seen.size))
                    left = len(waiting) // 2 if _is_full(waiting) else len(waiting)
                    while waiting and (len(waiting) > left or isinstance(waiting[0].work, ImportRow)):
                        yield await self._row_of(waiting[0])
                        waiting.popleft()
            while waiting:
                yield await self._row_of(waiting[0])
                waiting.popleft()
        finally:
            await _cancel([one.work for one in waiting if isinstance(one.work, asyncio.Task)])

    async def _row_of(self, begun: Begun) -> ImportRow:
        return begun.work if isinstance(begun.work, ImportRow) else await self._finished(await begun.work)

    async def _ready(self, file: FoundFile, progress: Told | None) -> ImportRow | Ready:
        name = file.source_name
        _report(progress, name, 0, 0)
        try:
            read = await self._worker.run(read_file, file.path, name, apart=self._apart, member=file.member)
            previous = await self._db.run(lambda session: article_by_source(session, name))
            planned = await self._writing.plan(read.text, previous, partial(_report, progress, name))
        except _REFUSALS as refused:
            return ImportRow(name, Verdict.REFUSED, str(refused))
        return Ready(name, planned, read.sentences)

    async def _finished(self, ready: ImportRow | Ready) -> ImportRow:
        if isinstance(ready, ImportRow):
            return ready
        text, previous = ready.planned.text, ready.planned.previous
        twin = await self._db.run(lambda session: twin_of(session, hash_of(text.body), ready.name))
        notes = (*ready.notes, *told_of_twin(twin))
        same = (
            previous
            and ready.planned.prepared is None
            and (previous.status, previous.meta_hash) == (ArticleStatus.PUBLISHED, meta_hash(text))
        )
        try:
            row = await self._writing.put(ready.planned, None if same else How.IMPORTED)
        except _REFUSALS as refused:
            return ImportRow(ready.name, Verdict.REFUSED, str(refused))
        verdict = Verdict.UNCHANGED if same else Verdict.REPLACED if previous else Verdict.ADDED
        return row_of(ready.name, verdict, row.article_id, row.chunk_count, notes)


def _row_without_work(file: FoundFile, stamp: ArticleStamp | None, seen: Seen) -> ImportRow | None:
    """The row of a file that is refused or whose bytes the library has seen; None when it must be read."""
    if file.refusal:
        return ImportRow(file.source_name, Verdict.REFUSED, file.refusal)
    if stamp is None or not seen.digest or stamp.source_hash != seen.digest:
        return None
    row = row_of(file.source_name, Verdict.UNCHANGED, stamp.article_id, stamp.chunk_count, ())
    if stamp.status == ArticleStatus.PUBLISHED:
        return row
    sentence = f"{file.source_name} is unchanged, and its article is {stamp.status}. Publish it, and it answers again."
    return ImportRow(file.source_name, Verdict.UNCHANGED, sentence, stamp.article_id, stamp.chunk_count)


def _is_full(waiting: Collection[Begun]) -> bool:
    return len(waiting) > 1 and (len(waiting) >= AHEAD or sum(one.size for one in waiting) > AHEAD_BYTES)


def _looked_at(files: Sequence[FoundFile]) -> list[Seen]:
    return [_seen(file) for file in files]


def _seen(file: FoundFile) -> Seen:
    """What can't be opened is for the reader to say in a sentence."""
    try:
        if file.refusal or not file.path.is_file():
            return Seen()
        if file.member:
            data = member_bytes(file.path, file.member, largest_bytes(kind_of(file.member)))
            return Seen(hashlib.sha256(data).hexdigest(), len(data))
        with file.path.open("rb") as opened:
            return Seen(hashlib.file_digest(opened, "sha256").hexdigest(), file.path.stat().st_size)
    except (OSError, ReadRefused):
        return Seen()


async def _cancel(tasks: Sequence[asyncio.Task[ImportRow | Ready]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _report(progress: Told | None, name: str, done: int, total: int) -> None:
    if progress:
        progress(ImportProgress(name, done, total))
