"""What a crash or a failure at any line of a publication leaves behind."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from knowledge.article import Asker, Audience
from knowledge.chunking import ChunkLimits
from knowledge.errors import IndexUnavailable
from knowledge.index import PassageIndex
from knowledge.publish import publish, repair, withdraw
from storage.errors import NoSuchRecord, StorageError
from storage.queries.articles import chunks_of, list_articles, upsert_article
from tests.knowledge.texts import article_text

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from storage.database import Database
    from storage.paths import Home
    from storage.records import ArticleRow
    from tests.fakes.embedder import WordEmbedder
    from tests.knowledge.conftest import OpenLibrary

ASKER = Asker("kamala", Audience.CUSTOMERS, "en", date(2026, 11, 30))
FIRST = article_text("Refunds take two days.\n\n# Cards\n\nFive days.", source_hash="1" * 64)
SECOND = article_text("Refunds take three days.", source_hash="2" * 64)


def unheard(done: int, total: int) -> None:
    assert done <= total


@pytest.fixture
async def index(home: Home, embedder: WordEmbedder) -> AsyncIterator[PassageIndex]:
    opened = await PassageIndex.open(home.vectors, lambda: embedder, ChunkLimits(60, 10))
    yield opened
    await opened.close()


async def rows_of(db: Database) -> tuple[ArticleRow, ...]:
    return await db.run(list_articles)


async def test_that_only_the_new_generation_is_left_after_a_publication(db: Database, index: PassageIndex) -> None:
    first = await publish(db, index, FIRST, None, unheard)
    second = await publish(db, index, SECOND, first, unheard)
    assert (first.generation, first.chunk_count, second.generation, second.chunk_count) == (1, 2, 2, 1)
    assert len(await index.point_ids()) == 1
    assert await repair(db, index) == 0


async def test_that_points_which_did_not_all_arrive_are_not_published(
    db: Database, index: PassageIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await publish(db, index, FIRST, None, unheard)

    async def one_short(article_id: str, generation: int) -> int:
        return 0

    monkeypatch.setattr(index, "count", one_short)
    with pytest.raises(IndexUnavailable, match="kept 0 of 1 pieces"):
        await publish(db, index, SECOND, first, unheard)
    assert await rows_of(db) == (first,)
    assert len(await index.point_ids()) == 2


async def test_that_a_crash_before_the_switch_leaves_the_old_generation_answering(
    open_library: OpenLibrary, db: Database, index: PassageIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await publish(db, index, FIRST, None, unheard)

    async def died(*_: object) -> None:
        raise StorageError("The disk is full. Make room.")

    with monkeypatch.context() as patched:
        patched.setattr(db, "run", died)
        with pytest.raises(StorageError):
            await publish(db, index, SECOND, first, unheard)
    assert len(await index.point_ids()) == 3
    await index.close()
    async with open_library() as library:
        assert [p.text for p in (await library.retrieve("refunds days", ASKER, 5)).passages] == [
            "Refunds take two days.",
            "Five days.",
        ]


async def test_that_stray_points_never_answer_and_are_deleted_when_the_index_opens(
    open_library: OpenLibrary, db: Database, index: PassageIndex
) -> None:
    row = await publish(db, index, FIRST, None, unheard)
    await publish(db, index, SECOND, None, unheard)
    stray = max(await rows_of(db), key=lambda one: one.source_hash)
    await index.close()
    async with open_library() as library:
        await library.warm()
        assert library._index
        real_delete = library._index.delete_article

        async def crashed(*_: object, **__: object) -> None:
            raise IndexUnavailable("The article index can't be written: power was lost. Start again.")

        library._index.delete_article = crashed  # pyright: ignore[reportAttributeAccessIssue]
        with pytest.raises(IndexUnavailable):
            await library.remove(stray.article_id)
        library._index.delete_article = real_delete
        found = await library.retrieve("refunds three days", ASKER, 5)
        assert {passage.article_id for passage in found.passages} == {row.article_id}
        assert len(await library._index.point_ids()) == 3
    async with open_library() as library:
        await library.warm()
        assert library._index
        assert len(await library._index.point_ids()) == 2


async def test_that_the_row_has_the_last_word_over_what_the_index_says(
    open_library: OpenLibrary, db: Database, index: PassageIndex
) -> None:
    row = await publish(db, index, FIRST, None, unheard)
    await index.close()
    async with open_library() as library:
        assert (await library.retrieve("refunds", ASKER, 5)).passages
        for_staff = replace(row, audience="staff")
        await db.run(lambda session: upsert_article(session, for_staff, chunks_of(session, row.article_id)))
        assert (await library.retrieve("refunds", ASKER, 5)).passages == ()


async def test_that_an_article_whose_points_are_lost_is_written_again(db: Database, index: PassageIndex) -> None:
    row = await publish(db, index, FIRST, None, unheard)
    await index.delete_points(sorted(await index.point_ids())[:1])
    assert await repair(db, index) == 1
    (again,) = await rows_of(db)
    assert (again.article_id, again.generation, len(await index.point_ids())) == (row.article_id, 2, 2)


async def test_that_an_unknown_article_cannot_be_withdrawn(db: Database, index: PassageIndex) -> None:
    with pytest.raises(NoSuchRecord):
        await withdraw(db, index, "nobody")
