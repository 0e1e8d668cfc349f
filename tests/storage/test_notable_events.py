from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from storage.queries.engine_events import events_since
from storage.queries.notable_events import note_publish, note_quota
from storage.records import TokenUse, TurnOutcome
from tests.storage.kitchen import NOON, furnish, whole_turn

if TYPE_CHECKING:
    from storage.database import Database


async def texts(db: Database) -> list[str]:
    return [event.text for event in await db.run(lambda s: events_since(s, NOON - timedelta(days=1)))]


async def publish(db: Database, *articles: tuple[str, float]) -> None:
    for title, seconds in articles:
        at = NOON + timedelta(seconds=seconds)
        await db.run(lambda session, title=title, at=at: note_publish(session, title, at))


async def test_that_a_published_article_is_a_mark(db: Database) -> None:
    await publish(db, ("Refunds", 0), ("Late dabba", 300))
    assert await texts(db) == ["Refunds was published.", "Late dabba was published."]


async def test_that_an_import_of_many_articles_is_one_mark(db: Database) -> None:
    await publish(db, ("Refunds", 0), ("Late dabba", 5), ("Diets", 20))
    assert await texts(db) == ["Refunds and other articles were published."]


async def test_that_one_article_that_is_published_twice_at_once_is_not_several(db: Database) -> None:
    await publish(db, ("Refunds", 0), ("Refunds", 5))
    assert await texts(db) == ["Refunds was published."]


async def use(db: Database, tokens: int) -> None:
    await db.run(lambda session: whole_turn(session, f"t{tokens}", TurnOutcome.ANSWERED, TokenUse(tokens, 0, 0)))
    await db.run(lambda session: note_quota(session, "kamala", NOON))


@pytest.mark.parametrize(("tokens", "percent"), [(14_999, None), (15_000, 75), (18_500, 90), (20_000, 100)])
async def test_that_a_tenant_near_its_quota_is_a_mark(db: Database, tokens: int, percent: int | None) -> None:
    await db.run(furnish)
    await use(db, tokens)
    said = [] if percent is None else [f"Kamala Dabba has used {percent} % of its tokens of 30 November."]
    assert await texts(db) == said


async def test_that_each_step_of_a_day_is_marked_once(db: Database) -> None:
    await db.run(furnish)
    for tokens in (15_100, 100, 3_000, 50):
        await use(db, tokens)
    assert [text.split(" %")[0][-2:] for text in await texts(db)] == ["75", "90"]
