"""The index to a server: the client's own store in memory stands for one, unless DABBA_QDRANT_URL names one."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from qdrant_client import QdrantClient

import knowledge.point_store_server as server_room
from knowledge.article import Article, ArticleStatus, Asker, Audience
from knowledge.errors import IndexUnavailable, MoveFailed
from knowledge.library import Library
from knowledge.moving import Moved, answer_alike, asker_of
from knowledge.permission import permits
from knowledge.point_store import Hit, facts_of
from storage.settings import KnowledgeSettings, Settings
from tests.fakes.embedder import WordEmbedder
from tests.knowledge.texts import article_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from storage.database import Database
    from storage.paths import Home

    Write = Callable[..., Path]

pytestmark = pytest.mark.filterwarnings("ignore:Local mode performs exact", "ignore:Payload indexes have no effect")
ASKER = Asker("kamala", Audience.CUSTOMERS, "en", date(2026, 11, 30))
URL = os.environ.get("DABBA_QDRANT_URL", "http://qdrant.example:6333")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[QdrantClient]:
    if "DABBA_QDRANT_URL" in os.environ:
        client = server_room.client_of(URL)
    else:
        client = QdrantClient(":memory:")
        monkeypatch.setattr(client, "close", lambda: None)  # a server outlives its clients
        monkeypatch.setattr(server_room, "client_of", lambda _url: client)
    yield client
    client.delete_collection("passages-and-sentences-words")


def library_of(db: Database, home: Home, url: str | None = None) -> Library:
    settings = Settings(knowledge=KnowledgeSettings(chunk_tokens=60, threshold=0.3, qdrant_url=url))
    return Library(db, home, settings, ZoneInfo("Asia/Kolkata"), lambda _settings: WordEmbedder)


async def fill(library: Library, write: Write) -> None:
    for number in range(30):
        body = f"# Rule {number}\n\nA dabba {number} minutes late is free.\n\n# Other\n\nSteel box number {number}."
        tenants = {} if number % 3 else {"tenants": "kamala"}
        await library.add_file(write(f"{number}.md", body, **tenants))
    await library.add_file(write("staff.md", "For the desk.", audience="staff", valid_to="2026-12-31"))


def copied(_done: int, _total: int) -> None:
    """Nobody looks on."""


async def test_that_everything_is_copied_and_answers_alike(
    db: Database, home: Home, write: Write, server: QdrantClient
) -> None:
    library = library_of(db, home)
    await fill(library, write)
    told: list[tuple[int, int]] = []
    moved = await library.move_to(URL, lambda done, total: told.append((done, total)))
    assert moved == Moved(points=61, articles=31, questions=25)
    assert (told[0], told[-1]) == ((0, 61), (61, 61))
    questions = ["late dabba free", "steel box 7", "desk"]
    here = [await library.retrieve(question, ASKER, 5) for question in questions]
    facts = await (await library.index()).facts()
    await library.close()
    there = library_of(db, home, URL)
    for question, found in zip(questions, here, strict=True):
        again = await there.retrieve(question, ASKER, 5)
        assert [one.score for one in again.passages] == pytest.approx([one.score for one in found.passages], abs=1e-5)
    assert await (await there.index()).facts() == facts
    with pytest.raises(MoveFailed, match=r"is at .* already"):
        await there.move_to(URL, copied)
    await there.close()


async def test_that_a_stopped_move_goes_on_and_an_earlier_try_leaves_nothing(
    db: Database, home: Home, write: Write, server: QdrantClient
) -> None:
    library = library_of(db, home)
    await fill(library, write)
    await library.move_to(URL, copied)
    late = next(one for one in await library.articles() if one.text.source_name == "1.md")
    await library.republish(late.article_id)
    told: list[tuple[int, int]] = []
    moved = await library.move_to(URL, lambda done, total: told.append((done, total)))
    assert (moved.points, told[0]) == (61, (59, 61))
    await library.close()


async def test_that_the_points_of_another_library_are_left_alone(
    db: Database, home: Home, write: Write, server: QdrantClient
) -> None:
    library = library_of(db, home)
    await fill(library, write)
    await library.move_to(URL, copied)
    first = (await library.articles())[0]
    await library.remove(first.article_id)
    with pytest.raises(MoveFailed, match="of 1 articles that this library does not have"):
        await library.move_to(URL, copied)
    await library.close()


async def test_that_a_server_that_keeps_or_answers_otherwise_is_not_switched_to(
    db: Database, home: Home, write: Write, server: QdrantClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = library_of(db, home)
    await fill(library, write)
    with monkeypatch.context() as patched:
        patched.setattr(server_room.ServerStore, "search", lambda *_: [])
        with pytest.raises(MoveFailed, match="answers otherwise than the index here"):
            await library.move_to(URL, copied)
    with monkeypatch.context() as patched:
        patched.setattr(server_room.ServerStore, "write", lambda *_: None)
        server.delete_collection("passages-and-sentences-words")
        with pytest.raises(MoveFailed, match="has 61 of 61 passages not as they are here"):
            await library.move_to(URL, copied)
    assert (await library.retrieve("late dabba", ASKER, 1)).passages
    await library.close()


async def test_that_a_server_that_is_not_there_is_told(db: Database, home: Home) -> None:
    library = library_of(db, home)
    with pytest.raises(IndexUnavailable, match="can't be opened"):
        await library.move_to("http://127.0.0.1:9", copied)
    await library.close()


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"tenants": ("meridian", "kamala")},
        {"audience": Audience.STAFF},
        {"valid_from": date(2027, 1, 1)},
        {"valid_to": date(2025, 1, 1)},
        {"valid_from": date(2027, 1, 1), "valid_to": date(2027, 1, 1)},
    ],
)
def test_that_the_one_who_asks_may_see_what_is_asked_for(changes: dict[str, Any]) -> None:
    text = article_text(**changes)
    asker = asker_of(facts_of(text, "a", 1))
    assert permits(Article("a", text, ArticleStatus.PUBLISHED, 1, 1, datetime(2026, 1, 1, tzinfo=UTC)), asker)


@pytest.mark.parametrize(
    ("these", "those", "alike"),
    [
        ([], [], True),
        ([("a", 0.9), ("b", 0.5)], [("a", 0.90001), ("b", 0.5)], True),
        ([("a", 0.9), ("b", 0.5)], [("b", 0.5)], False),
        ([("a", 0.9), ("b", 0.5)], [("c", 0.9), ("b", 0.5)], False),
        ([("a", 0.9), ("b", 0.5)], [("a", 0.8), ("b", 0.5)], False),
        ([("a", 0.9), ("b", 0.5)], [("a", 0.9), ("c", 0.5)], True),
        ([("a", 0.9), ("b", 0.5)], [("a", 0.9), ("c", 0.7)], False),
    ],
)
def test_that_two_answers_are_alike_when_only_equals_at_the_end_differ(
    these: list[tuple[str, float]], those: list[tuple[str, float]], alike: bool
) -> None:
    lists = [[Hit(name, "x", score, score) for name, score in found] for found in (these, those)]
    assert answer_alike(*lists) is alike
