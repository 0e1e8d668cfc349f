from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from console.setup.kitchen import Kitchen, KitchenWork, sample_tenants
from console.setup.steps import SetupRefused, StepReport
from knowledge.evaluate.book import QuestionBook
from knowledge.evaluate.questions import QuestionSource
from knowledge.importing import ImportRow, Verdict, files_below
from storage.database import Database
from storage.paths import Home
from storage.queries.tenants import all_tenants

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence
    from pathlib import Path


class CountingLibrary:
    """Takes every article, or refuses the one that is named."""

    def __init__(self, refused: str = "") -> None:
        self.imports = 0
        self._refused = refused

    async def add_paths(self, paths: Sequence[Path], on_row: Callable[[ImportRow], None]) -> tuple[ImportRow, ...]:
        self.imports += 1
        rows = tuple(self._row(file.source_name) for file in files_below(paths))
        for row in rows:
            on_row(row)
        return rows

    def _row(self, name: str) -> ImportRow:
        if name == self._refused:
            return ImportRow(name, Verdict.REFUSED, f"{name} was not added: it is empty. Write it.")
        return ImportRow(name, Verdict.ADDED, f"{name} was added.", "id", 3)


@pytest.fixture
async def database(home_folder: Path) -> AsyncGenerator[Database]:
    opened = await Database.open(Home(home_folder).make())
    yield opened
    await opened.close()


def kitchen_work(home_folder: Path, database: Database, library: CountingLibrary) -> KitchenWork:
    lent = Kitchen(database, library)
    return KitchenWork(Home(home_folder), lambda: contextlib.nullcontext(lent))


async def test_that_the_sample_tenants_and_articles_are_added(home_folder: Path, database: Database) -> None:
    reports: list[StepReport] = []
    work = kitchen_work(home_folder, database, CountingLibrary())
    assert not await work.is_done()
    told = await work.run(reports.append)
    assert [one.tenant_id for one in await database.run(all_tenants)] == ["kamala", "annapurna", "meridian"]
    assert told.startswith("3 tenants, ")
    assert {one.source for one in await QuestionBook(database).questions()} == {QuestionSource.SAMPLE}
    assert reports[-1].done == reports[-1].total
    assert reports[-1].unit == "items"
    assert await work.is_done()


async def test_that_a_refused_article_is_told_and_the_step_is_not_done(home_folder: Path, database: Database) -> None:
    work = kitchen_work(home_folder, database, CountingLibrary(refused="wallet.en.md"))
    with pytest.raises(SetupRefused, match=r"1 of .* wallet\.en\.md was not added: it is empty"):
        await work.run(lambda _report: None)
    assert not await work.is_done()


def test_that_every_field_of_a_sample_tenant_is_read() -> None:
    tenant = sample_tenants(
        """
        [[tenant]]
        id = "k"
        name = "Kamala"
        note = "own"
        colour = 1
        timezone = "Asia/Kolkata"
        order_prefix = "KD"
        phone = "1"
        [tenant.quota]
        daily_tokens = 1
        requests_per_minute = 2
        concurrent_requests = 3
        longest_question_tokens = 4
        longest_answer_tokens = 5
        """
    )[0]
    assert (tenant.tenant_id, tenant.order_prefix, tenant.quota.longest_answer_tokens) == ("k", "KD", 5)
