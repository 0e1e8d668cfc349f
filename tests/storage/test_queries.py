"""Tenants, conversations, articles and events, as the rooms above ask for them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from storage.errors import NoSuchRecord, RecordRefused
from storage.queries.articles import (
    article_by_source,
    chunks_of,
    delete_article,
    get_article,
    keep_article,
    list_articles,
    upsert_article,
)
from storage.queries.conversations import conversation_turns, list_conversations, set_feedback, set_flag
from storage.queries.engine_events import add_event, events_since
from storage.queries.shelf import shelf_revision
from storage.queries.tenants import all_tenants, tenant, upsert_tenant
from storage.queries.turns import open_turn, settle_turn
from storage.records import ArticleRow, ChunkRow, EngineEvent
from tests.storage.kitchen import KAMALA, NOON, PORTLAND, ending, furnish, question

if TYPE_CHECKING:
    from storage.database import Database

ARTICLE = ArticleRow(
    article_id="a1",
    source_name="refunds.en.md",
    title="Refunds",
    owner="Office",
    audience="customers",
    tenants=("kamala",),
    language="en",
    valid_from=date(2026, 1, 1),
    valid_to=None,
    body="Within 5 working days. टिफ़िन",
    source_hash="s1",
    meta_hash="m1",
    status="published",
    generation=1,
    chunk_count=2,
    updated_at=NOON,
)
CHUNKS = tuple(
    ChunkRow("a1", 1, n, ("Refunds", "When"), f"piece {n}", n * 8, n * 8 + 7, 12, f"h{n}", f"p{n}") for n in range(2)
)


async def test_that_a_tenant_is_added_and_then_replaced(db: Database) -> None:
    await db.run(furnish)
    quota = replace(KAMALA.quota, daily_tokens=5)
    renamed = replace(KAMALA, name="Kamala's", phone="020 5550 0100", quota=quota, ttft_target_ms=1200)
    assert await db.run(lambda s: upsert_tenant(s, renamed)) == renamed
    assert await db.run(all_tenants) == (renamed, PORTLAND)
    assert await db.run(lambda s: tenant(s, "kamala")) == renamed


@pytest.mark.parametrize("wrong", [replace(KAMALA, timezone="Pune"), replace(KAMALA, colour=9)])
async def test_that_a_tenant_with_a_wrong_zone_or_colour_is_refused(db: Database, wrong: object) -> None:
    with pytest.raises(RecordRefused, match="Kamala Dabba can't be kept"):
        await db.run(lambda s: upsert_tenant(s, wrong))  # type: ignore[arg-type]
    assert await db.run(all_tenants) == ()


@pytest.mark.parametrize(
    ("search", "tenant_id", "found"),
    [
        ("", None, ["talk-portland", "talk-kamala"]),
        ("", "kamala", ["talk-kamala"]),
        ("REFUND", None, ["talk-kamala"]),
        ("on its way", None, ["talk-kamala"]),
        ("meera", None, ["talk-portland", "talk-kamala"]),
        ("c-1", "portland", ["talk-portland"]),
        ("100%", None, ["talk-portland"]),
        ("_", None, []),
    ],
)
async def test_that_conversations_are_found_by_what_was_said(
    db: Database, search: str, tenant_id: str | None, found: list[str]
) -> None:
    await db.run(furnish)
    await db.run(lambda s: open_turn(s, question("t1", text="My refund?", minutes=1)))
    await db.run(lambda s: settle_turn(s, ending("t1")))
    await db.run(lambda s: open_turn(s, question("t2", PORTLAND, text="Is it 100% veg?", minutes=2)))
    kept = await db.run(lambda s: list_conversations(s, search=search, tenant=tenant_id))
    assert [one.conversation_id for one in kept] == found
    first = await db.run(lambda s: list_conversations(s, 1, search, tenant_id))
    assert [one.conversation_id for one in first] == found[:1]


async def test_that_staff_mark_turns_and_conversations(db: Database) -> None:
    await db.run(furnish)
    await db.run(lambda s: open_turn(s, question("t1")))
    assert (await db.run(lambda s: set_feedback(s, "t1", -1))).feedback == -1
    assert (await db.run(lambda s: conversation_turns(s, "talk-kamala")))[0].feedback == -1
    assert (await db.run(lambda s: set_flag(s, "talk-kamala", True))).flagged
    with pytest.raises(NoSuchRecord):
        await db.run(lambda s: set_feedback(s, "t9", 1))


async def test_that_an_article_is_replaced_with_all_its_chunks(db: Database) -> None:
    assert await db.run(lambda s: upsert_article(s, ARTICLE, CHUNKS)) == ARTICLE
    shorter = replace(ARTICLE, generation=2, tenants=(), body="Short.", chunk_count=1)
    chunk = replace(CHUNKS[0], generation=2, point_id="p9")
    await db.run(lambda s: upsert_article(s, shorter, (chunk,)))
    assert await db.run(list_articles) == (shorter,)
    assert await db.run(lambda s: chunks_of(s, "a1")) == (chunk,)
    assert await db.run(lambda s: article_by_source(s, "refunds.en.md")) == shorter
    assert await db.run(lambda s: article_by_source(s, "other.md")) is None


async def test_that_the_same_chunks_can_be_kept_again(db: Database) -> None:
    for _ in range(2):
        await db.run(lambda s: upsert_article(s, ARTICLE, CHUNKS))
    assert await db.run(lambda s: chunks_of(s, "a1")) == CHUNKS


async def test_that_deleting_an_article_gives_back_its_chunks(db: Database) -> None:
    await db.run(lambda s: upsert_article(s, ARTICLE, CHUNKS))
    assert await db.run(lambda s: delete_article(s, "a1")) == CHUNKS
    assert await db.run(lambda s: chunks_of(s, "a1")) == ()
    with pytest.raises(NoSuchRecord, match="no article a1"):
        await db.run(lambda s: get_article(s, "a1"))


async def test_that_every_change_of_an_article_gives_another_revision_whatever_the_clock_says(db: Database) -> None:
    earlier = replace(ARTICLE, updated_at=NOON - timedelta(days=1))
    numbers = [await db.run(shelf_revision)]
    for change in (
        lambda s: upsert_article(s, ARTICLE, CHUNKS),
        lambda s: keep_article(s, replace(earlier, status="retired")),
        lambda s: keep_article(s, earlier),
        lambda s: delete_article(s, "a1"),
        lambda s: upsert_article(s, replace(earlier, article_id="a2"), ()),
    ):
        await db.run(change)
        numbers.append(await db.run(shelf_revision))
    assert sorted(set(numbers)) == numbers


async def test_that_a_change_that_is_undone_leaves_the_revision(db: Database) -> None:
    before = await db.run(shelf_revision)
    with pytest.raises(RecordRefused):
        await db.run(
            lambda s: (keep_article(s, ARTICLE), upsert_article(s, ARTICLE, (replace(CHUNKS[0], article_id="a9"),)))
        )
    assert await db.run(shelf_revision) == before


async def test_that_a_point_belongs_to_one_chunk(db: Database) -> None:
    await db.run(lambda s: upsert_article(s, ARTICLE, CHUNKS))
    other = replace(ARTICLE, article_id="a2")
    with pytest.raises(RecordRefused, match="can't be kept"):
        await db.run(lambda s: upsert_article(s, other, (replace(CHUNKS[0], article_id="a2"),)))
    with pytest.raises(RecordRefused, match="another article's"):
        await db.run(lambda s: upsert_article(s, other, CHUNKS))


async def test_that_times_come_back_as_the_same_moment_in_utc(db: Database) -> None:
    pune = timezone(timedelta(hours=5, minutes=30))
    local = datetime(2026, 11, 30, 12, 41, 7, 123456, tzinfo=pune)
    await db.run(lambda s: add_event(s, EngineEvent(local, "start", "engine", "vLLM started")))
    (event,) = await db.run(lambda s: events_since(s, local))
    assert event.at == local
    assert event.at.utcoffset() == timedelta(0)
    assert await db.run(lambda s: events_since(s, local + timedelta(microseconds=1))) == ()


async def test_that_a_time_without_a_zone_is_refused(db: Database) -> None:
    naive = datetime(2026, 11, 30, 12, 41, tzinfo=UTC).replace(tzinfo=None)
    with pytest.raises(Exception, match="has no time zone"):
        await db.run(lambda s: events_since(s, naive))
