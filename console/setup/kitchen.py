"""The sample kitchen, put into a home once: its tenants, help articles and questions.

What was deleted later stays deleted.
"""

from __future__ import annotations

import contextlib
import json
import tomllib
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any, Final, Protocol
from zoneinfo import ZoneInfo

from console.setup.steps import KITCHEN, SetupRefused, SetupStep, StepReport
from knowledge.importing import files_below
from storage.files import write_atomically
from storage.records import Quota, Tenant

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from pathlib import Path

    from knowledge.evaluate.questions import KnownQuestion
    from knowledge.importing import ImportRow
    from storage.database import Database
    from storage.paths import Home
    from storage.settings import Settings

MARKER: Final = "sample-kitchen.json"


class TakesArticles(Protocol):
    """What this step needs of knowledge/library.py."""

    async def add_paths(self, paths: Sequence[Path], on_row: Callable[[ImportRow], None]) -> tuple[ImportRow, ...]: ...


@dataclass(frozen=True, slots=True)
class Kitchen:
    database: Database
    library: TakesArticles


OpenKitchen = Callable[[], AbstractAsyncContextManager[Kitchen]]


def open_kitchen(home: Home, settings: Settings) -> OpenKitchen:
    """Opens the database and the library of `home` for one use; a console that has them open lends its own instead."""

    @contextlib.asynccontextmanager
    async def opened() -> AsyncGenerator[Kitchen]:
        from knowledge.library import Library
        from storage.database import Database

        home.make()
        database = await Database.open(settings.storage.database_url or home)
        try:
            library = await Library.open(database, home, settings, ZoneInfo(settings.kitchen.timezone))
            try:
                yield Kitchen(database, library)
            finally:
                await library.close()
        finally:
            await database.close()

    return opened


@dataclass(frozen=True, slots=True)
class KitchenWork:
    home: Home
    opened: OpenKitchen
    step: SetupStep = KITCHEN

    async def is_done(self) -> bool:
        return (self.home.root / MARKER).is_file()

    async def run(self, report: Callable[[StepReport], None]) -> str:
        """Add what is missing; run again after an interruption it finds the rest unchanged. Raises SetupRefused."""
        with as_file(files("assets") / "sample_kitchen") as folder:
            tenants = sample_tenants((folder / "tenants.toml").read_text(encoding="utf-8"))
            async with self.opened() as kitchen:
                await _add_tenants(kitchen.database, tenants)
                rows = await _add_articles(kitchen.library, folder / "articles", report)
                await _add_questions(kitchen.database)
        if refused := [row for row in rows if row.verdict == "refused"]:
            raise SetupRefused(
                f"The sample kitchen is not complete: {len(refused)} of {len(rows)} articles were refused. "
                f"The first: {refused[0].sentence}"
            )
        self._remember(len(rows))
        return f"{len(tenants)} tenants, {len(rows)} articles"

    def _remember(self, articles: int) -> None:
        added = {"added_at": datetime.now(UTC).isoformat(timespec="seconds"), "articles": articles}
        write_atomically(self.home.root / MARKER, json.dumps(added).encode())


def sample_tenants(toml: str) -> tuple[Tenant, ...]:
    """The tenants of a tenants.toml."""
    tables: list[dict[str, Any]] = tomllib.loads(toml)["tenant"]
    return tuple(_tenant(**table) for table in tables)


def sample_questions() -> tuple[KnownQuestion, ...]:
    """The questions that retrieval is measured with, until there are own ones."""
    from knowledge.evaluate.question_files import read_questions
    from knowledge.evaluate.questions import QuestionSource

    with as_file(files("assets") / "sample_kitchen") as folder:
        paths = sorted(folder.glob("questions.*.jsonl"))
        return tuple(one for path in paths for one in read_questions(path, QuestionSource.SAMPLE))


def _tenant(quota: dict[str, int], **fields: Any) -> Tenant:
    return Tenant(tenant_id=fields.pop("id"), quota=Quota(**quota), **fields)


async def _add_tenants(database: Database, tenants: Sequence[Tenant]) -> None:
    from storage.queries.tenants import upsert_tenant

    for tenant in tenants:
        await database.run(lambda session, new=tenant: upsert_tenant(session, new))


async def _add_questions(database: Database) -> None:
    from knowledge.evaluate.book import QuestionBook

    await QuestionBook(database).add_missing(sample_questions())


async def _add_articles(
    library: TakesArticles, folder: Path, report: Callable[[StepReport], None]
) -> tuple[ImportRow, ...]:
    total, seen = len(files_below((folder,))), 0
    report(StepReport("Loading the article index", 0, total, "items"))

    def on_row(row: ImportRow) -> None:
        nonlocal seen
        seen += 1
        report(StepReport(f"Adding articles, {row.source_name}", seen, total, "items"))

    return await library.add_paths((folder,), on_row)
