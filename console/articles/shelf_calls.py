"""What the page asks of the library and the database, as coroutines that hold no widgets."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from console.articles.table_shown import Shelf, derive_shelf
from storage.queries.tenants import all_tenants

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo
    from pathlib import Path

    from console.house import House
    from engine_host.published import Published
    from knowledge.embedder_change import ChangeProgress
    from knowledge.importing import ImportProgress, ImportRow
    from knowledge.library import Library

LOOK_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class ImportNews:
    """How far an import is: `total` files (None until they are counted), the rows so far, seconds since its start, and
    the files in work."""

    total: int | None = None
    rows: tuple[ImportRow, ...] = ()
    elapsed_s: float = 0.0
    working: tuple[ImportProgress, ...] = ()


async def read_shelf(house: House, zone: tzinfo, before: Shelf | None) -> Shelf:
    """All articles and tenants, with the rows that show them now; `before` is what was read last."""
    articles = await house.library.articles()
    drafted = await house.library.drafted()
    tenants = await house.database.run(all_tenants)
    return derive_shelf(articles, tenants, datetime.now(UTC), zone, drafted, before)


async def follow(library: Library, revision: Published[int]) -> None:
    """Publish the library's revision with every change, until cancelled."""
    revision.publish(library.revision)
    unwatch = library.watch(lambda: revision.publish(library.revision))
    try:
        await asyncio.Event().wait()
    finally:
        unwatch()


async def follow_embedder(library: Library, news: Published[ChangeProgress | None]) -> None:
    """Publish how far the library is with another embedder, until cancelled. Looked at, for nobody waits for it."""
    while True:
        news.publish(library.embedder_change)
        await asyncio.sleep(LOOK_S)


async def run_import(library: Library, paths: Sequence[Path], news: Published[ImportNews]) -> None:
    """Import the paths and publish each step. What has its row when it is cancelled stays."""
    began = time.monotonic()
    rows: list[ImportRow] = []
    working: dict[str, ImportProgress] = {}
    total: int | None = None

    def tell() -> None:
        news.publish(ImportNews(total, tuple(rows), time.monotonic() - began, tuple(working.values())))

    def found(number: int) -> None:
        nonlocal total
        total = number
        tell()

    def done(row: ImportRow) -> None:
        rows.append(row)
        working.pop(row.source_name, None)
        tell()

    def gets_on(progress: ImportProgress) -> None:
        working[progress.source_name] = progress
        tell()

    await library.add_paths(paths, done, found, gets_on)
