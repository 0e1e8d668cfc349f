"""The list of all articles is what the database says, and reads again only what changed."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import event

from knowledge.article import ArticleStatus
from knowledge.listing import Listing
from knowledge.rows import article_row
from storage.queries.articles import articles_of, delete_article, get_article, keep_article, upsert_article
from tests.knowledge.texts import article_text

if TYPE_CHECKING:
    from storage.database import Database
    from storage.records import ArticleRow

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def row(name: str, title: str = "Late boxes", body: str = "A late box is free.", *, at: datetime = NOON) -> ArticleRow:
    text = article_text(body, source_name=f"{name}.md", title=title)
    return article_row(text, name, ArticleStatus.PUBLISHED, 1, 0, at)


async def keep(db: Database, *rows: ArticleRow) -> None:
    for one in rows:
        await db.run(lambda session, one=one: upsert_article(session, one, ()))


async def test_that_what_did_not_change_is_the_same_object(db: Database) -> None:
    listing = Listing(db)
    await keep(db, row("a", "A"), row("b", "B"), row("c", "C"))
    before = await listing.articles()
    assert [one.text.title for one in before] == ["A", "B", "C"]
    assert all(one is other for one, other in zip(before, await listing.articles(), strict=True))
    await keep(db, row("b", "Z"))
    await db.run(lambda session: delete_article(session, "c"))
    after = await listing.articles()
    assert [one.text.title for one in after] == ["A", "Z"]
    assert after[0] is before[0]


async def test_that_nothing_is_asked_but_the_revision_while_nothing_changes(db: Database) -> None:
    listing = Listing(db)
    await keep(db, row("a"))
    await listing.articles()
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    event.listen(db._engine, "before_cursor_execute", note)
    await listing.articles()
    assert [one.split()[:2] for one in asked if one.startswith("SELECT")] == [["SELECT", "shelf_revision.number"]]


async def test_that_every_kind_of_change_is_seen_whatever_the_clock_says(db: Database) -> None:
    listing, draw = Listing(db), random.Random(4)
    names = [f"article-{number}" for number in range(12)]
    await keep(db, *(row(name) for name in names))
    for _ in range(60):
        name = draw.choice(names)
        if draw.random() < 0.2:
            names.remove(name)
            names.append(f"{name}-again")
            await db.run(lambda session, name=name: delete_article(session, name))
            await keep(db, row(names[-1], at=NOON - timedelta(days=draw.randrange(3))))
        else:
            old = await db.run(lambda session, name=name: get_article(session, name))
            status = draw.choice(list(ArticleStatus)).value
            chosen = draw.choice([row(name, draw.choice("AB")), row(name, body=draw.choice("AB")), old])
            new = replace(chosen, status=status)
            await db.run(lambda session, new=new: keep_article(session, new))
        assert await listing.articles() == await Listing(db).articles()


async def test_that_so_many_articles_are_read_as_there_are(db: Database) -> None:
    names = [f"{number:04}" for number in range(1_203)]
    await db.run(lambda session: [keep_article(session, row(name, name)) for name in names])
    found = await db.run(lambda session: [one.article_id for one in articles_of(session, [*names, "nowhere"])])
    assert sorted(found) == names
    assert [one.article_id for one in await Listing(db).articles()] == names
