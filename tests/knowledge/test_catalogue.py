"""The catalogue follows the database, change by change."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import pytest

from knowledge.article import Asker, Audience, Chunk
from knowledge.catalogue import Catalogue
from knowledge.words import keys_of_question
from storage.queries.articles import delete_article, upsert_article
from storage.records import ArticleRow, ChunkRow

if TYPE_CHECKING:
    from collections.abc import Callable

    from storage.database import Database

ASKER = Asker("kamala", Audience.CUSTOMERS, "en", date(2026, 11, 30))


def article(article_id: str, **changes: Any) -> ArticleRow:
    row = ArticleRow(
        article_id=article_id,
        source_name=f"{article_id}.md",
        title=f"Title {article_id}",
        owner="",
        audience="customers",
        tenants=(),
        language="en",
        valid_from=None,
        valid_to=None,
        body="",
        source_hash="",
        meta_hash="",
        status="published",
        generation=1,
        chunk_count=1,
        updated_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    return replace(row, **changes)


def chunk(article_id: str, text: str, generation: int = 1) -> ChunkRow:
    piece = Chunk(0, ("Heading",), text, 0, len(text), 5)
    return ChunkRow(
        article_id=article_id,
        generation=generation,
        ordinal=0,
        heading_path=piece.heading_path,
        text=text,
        start=0,
        end=len(text),
        tokens=5,
        text_hash="",
        point_id=f"{article_id}/{generation}",
    )


@pytest.fixture
def kept(db: Database) -> Callable[..., Any]:
    async def keep(row: ArticleRow, text: str) -> None:
        await db.run(lambda session: upsert_article(session, row, [chunk(row.article_id, text, row.generation)]))

    return keep


async def found(db: Database, catalogue: Catalogue, word: str, asker: Asker = ASKER) -> list[str]:
    catalogue.take(await db.run(catalogue.news))
    here = catalogue.view(asker).written_in("en")
    matches = catalogue.words("en").search(keys_of_question(word, indic=False), here)
    return [match.ref for match in matches.best(9)]


async def test_that_only_what_changed_is_read_again(db: Database, kept: Callable[..., Any]) -> None:
    catalogue = Catalogue()
    await kept(article("a"), "steel boxes")
    await kept(article("b", language="hi"), "स्टील")
    news = await db.run(catalogue.news)
    assert set(news.chunks) == {"a", "b"}
    catalogue.take(news)
    assert (await db.run(catalogue.news)).chunks == {}
    await kept(article("a", generation=2), "glass boxes")
    news = await db.run(catalogue.news)
    assert set(news.chunks) == {"a"}
    catalogue.take(news)
    view = catalogue.view(ASKER)
    assert (view.languages, view.chunks, set(view.written_in("hi"))) == ({"en", "hi"}, 2, {"b"})


async def test_that_words_follow_replacing_retiring_deleting_and_another_language(
    db: Database, kept: Callable[..., Any]
) -> None:
    catalogue = Catalogue()
    await kept(article("a"), "steel boxes")
    await kept(article("b"), "steel lids")
    assert await found(db, catalogue, "steel") == ["a/1", "b/1"]
    await kept(article("a", generation=2), "glass boxes")
    assert await found(db, catalogue, "steel") == ["b/1"]
    assert await found(db, catalogue, "glass") == ["a/2"]
    await kept(article("b", status="retired"), "steel lids")
    assert await found(db, catalogue, "steel") == []
    await kept(article("b"), "steel lids")
    assert await found(db, catalogue, "steel") == ["b/1"]
    await kept(article("b", title="Brass"), "steel lids")
    assert await found(db, catalogue, "brass") == ["b/1"]
    await kept(article("b", language="hi"), "steel lids")
    assert await found(db, catalogue, "steel") == []
    await db.run(lambda session: delete_article(session, "a"))
    assert await found(db, catalogue, "glass") == []
    assert catalogue.view(ASKER).chunks == 1


async def test_that_a_view_is_of_its_asker_and_of_its_time(db: Database, kept: Callable[..., Any]) -> None:
    catalogue = Catalogue()
    await kept(article("all"), "steel")
    await kept(article("own", tenants=("kamala",)), "steel")
    await kept(article("other", tenants=("meridian",)), "steel")
    await kept(article("staff", audience="staff"), "steel")
    await kept(article("soon", valid_from=date(2026, 12, 1)), "steel")
    assert await found(db, catalogue, "steel") == ["all/1", "own/1"]
    before = catalogue.view(ASKER)
    assert before.articles["own"].own
    assert not before.articles["all"].own
    assert set(catalogue.view(replace(ASKER, tenant_id="nobody")).articles) == {"all"}
    assert "staff" in catalogue.view(replace(ASKER, audience=Audience.STAFF)).articles
    assert "soon" in catalogue.view(replace(ASKER, on=date(2026, 12, 1))).articles
    await kept(article("own", tenants=("meridian",)), "steel")
    catalogue.take(await db.run(catalogue.news))
    assert set(catalogue.view(ASKER).articles) == {"all"}
    assert set(before.articles) == {"all", "own"}
