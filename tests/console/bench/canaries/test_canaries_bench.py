"""The canaries bench in small, and that it hears a leak on every path where there is one."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from console.bench.canaries import run
from console.bench.canaries.asking import an_asker, leak_in
from console.bench.canaries.paths import PATHS, Heard
from console.bench.canaries.world import TODAY, World
from console.bench.ingest.embedders import InstantEmbedder
from knowledge import catalogue, index, retrieve, served
from knowledge.article import Asker, Audience
from knowledge.library import Library
from knowledge.permission import permits
from storage.database import Database
from storage.paths import Home
from storage.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

SEED = 4
CHANGES = 400
"""So many that every kind of change meets every kind of article."""


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    home = Home(tmp_path / "home").make()
    db = await Database.open(home)
    opened = await Library.open(db, home, Settings(), ZoneInfo("Asia/Kolkata"), InstantEmbedder)
    yield opened
    await opened.close()
    await db.close()


@pytest.fixture(autouse=True)
def nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server is for the bench itself."""
    monkeypatch.delenv(run.QDRANT, raising=False)


async def test_that_nothing_is_told_that_is_not_for_the_asker_or_was_deleted() -> None:
    told: list[str] = []
    result = await run.run_canaries_bench(60, 6, SEED, told.append)
    assert result.holds["leaks"]
    assert result.holds["hits_after_deletion"]
    assert result.holds["hits_after_restart"]
    assert (result.figures["found_before_deletion"], result.figures["deletions_proven"]) == (6, 6)
    assert (result.figures["own_words_found"] or 0) > 0.8
    assert all(result.figures[f"told_something_{name}"] for name in PATHS)
    assert not any("leak." in line for line in told)


async def test_that_a_rule_that_lets_everybody_in_is_heard_on_the_paths_that_it_guards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for room in (catalogue, retrieve, served):
        monkeypatch.setattr(room, "permits", lambda _article, _asker: True)
    result = await run.run_canaries_bench(60, 1, SEED, lambda _: None)
    assert not result.holds["leaks"]
    assert result.figures["leaks_points"] == 0
    for name in ("words", "both", "still_served", "catalogue"):
        assert result.figures[f"leaks_{name}"], name


async def test_that_an_index_without_a_filter_is_heard_by_asking_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "findable", lambda _asker, _languages: ())
    result = await run.run_canaries_bench(30, 1, SEED, lambda _: None)
    assert result.figures["leaks_points"]
    assert result.figures["leaks_both"] == 0


async def test_that_the_rule_of_the_bench_and_that_of_the_library_agree_after_any_change(library: Library) -> None:
    world = World(library, SEED)
    await world.fill()
    draw = random.Random(SEED)
    for _ in range(CHANGES):
        await world.change_one(draw)
    articles = {one.article_id: one for one in await library.articles()}
    for _ in range(200):
        one = draw.choice(world.articles)
        asker = an_asker(draw, one)
        assert world.may_read(one.article_id, asker) == permits(articles[one.article_id], asker)
        body = articles[one.article_id].text.body
        assert [word for word in (one.secret, *one.silent) if word in body] == [one.secret]


async def test_that_a_word_of_another_and_an_article_of_another_are_leaks(library: Library) -> None:
    world = World(library, SEED)
    await world.fill()
    own = next(one for one in world.articles if one.name == "own.en")
    replaced = next(one for one in world.articles if one.name == "replaced")
    mine = Asker(own.tenant, Audience.CUSTOMERS, "en", TODAY)
    stranger = Asker("*", Audience.STAFF, "en", TODAY)
    secrets = world.by_secret()
    said = Heard(own.article_id, f"The word is {own.secret}.")
    assert leak_in([said], mine, world, secrets) == ""
    assert own.text.source_name in leak_in([said], stranger, world, secrets)
    assert own.article_id in leak_in([Heard(own.article_id, "")], stranger, world, secrets)
    assert "nobody" in leak_in([Heard(None, replaced.dead[0])], mine, world, secrets)
