"""A secret word in every tenant's articles, and questions for it over every path of the search: none is ever told."""

from __future__ import annotations

import os
import random
from datetime import date
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from knowledge.article import Asker, Audience
from knowledge.explain import Verdict
from knowledge.library import Library
from knowledge.ranking import Way
from storage.settings import KnowledgeSettings, Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from storage.database import Database
    from storage.paths import Home
    from tests.fakes.embedder import WordEmbedder

TODAY = date(2026, 11, 30)
TENANTS = ("kamala", "meridian", "annapurna")
SECRETS = {tenant: f"{tenant[:4]}canary{number}" for number, tenant in enumerate(TENANTS)}
STAFF_SECRET = "staffcanary"
QUESTIONS = 2_000


def _place(request: pytest.FixtureRequest) -> str | None:
    if request.param == "server" and not os.environ.get("DABBA_QDRANT_URL"):
        pytest.skip("DABBA_QDRANT_URL names no Qdrant server")
    return os.environ["DABBA_QDRANT_URL"] if request.param == "server" else None


@pytest.fixture(params=["folder", "server"])
async def kitchen(
    request: pytest.FixtureRequest, db: Database, home: Home, embedder: WordEmbedder, write: Callable[..., Path]
) -> AsyncIterator[Library]:
    settings = Settings(knowledge=KnowledgeSettings(chunk_tokens=60, threshold=0.3, qdrant_url=_place(request)))
    library = await Library.open(db, home, settings, ZoneInfo("Asia/Kolkata"), lambda: embedder)
    await _fill(library, write)
    yield library
    for article in await library.articles():
        await library.remove(article.article_id)
    await library.close()


async def _fill(library: Library, write: Callable[..., Path]) -> None:
    for tenant, secret in SECRETS.items():
        for language in ("en", "hi"):
            body = f"The word of this kitchen is {secret}.\n\n# Late\n\nA late box is free, says {secret}."
            await library.add_file(write(f"{tenant}.{language}.md", body, tenants=tenant, language=language))
    await library.add_file(write("staff.md", f"The word of the desk is {STAFF_SECRET}.", audience="staff"))
    await library.add_file(write("past.md", "It was pastcanary.", valid_to="2026-11-29"))
    await library.add_file(write("all.md", "A late box is free. The word of a kitchen is never told."))


def questions(draw: random.Random) -> str:
    secret = draw.choice([*SECRETS.values(), STAFF_SECRET, "pastcanary"])
    slip = secret[:5] + secret[6:]  # is mended only towards words that the asker may see
    return draw.choice(
        [
            secret,
            f"what does {secret} mean",
            f"{slip} late box",
            "what is the word of the kitchen",
            "the word of the desk please",
            f"डब्बा {secret} देर",
            f"{secret} ka dabba kahan hai",
            "late box free",
        ]
    )


def told(text: str) -> set[str]:
    return {secret for secret in (*SECRETS.values(), STAFF_SECRET, "pastcanary") if secret in text}


@pytest.mark.timeout(300)
async def test_that_no_search_tells_a_tenant_the_word_of_another(kitchen: Library) -> None:
    draw = random.Random(4)
    found = 0
    for _ in range(QUESTIONS):
        tenant = draw.choice((*TENANTS, "stranger", "*", ""))
        audience = draw.choice(list(Audience))
        asker = Asker(tenant, audience, draw.choice(("en", "hi", "hi-Latn", "mr")), TODAY)
        got = await kitchen.retrieve(questions(draw), asker, draw.choice((1, 5, 20)), way=draw.choice(list(Way)))
        may = {SECRETS.get(tenant, ""), STAFF_SECRET if audience is Audience.STAFF else ""}
        for passage in got.passages:
            assert told(passage.text) | told(passage.title) <= may, (asker, passage)
            found += bool(told(passage.text))
    assert found > QUESTIONS / 10


async def test_that_the_index_itself_gives_no_point_of_another_tenant(kitchen: Library) -> None:
    index = await kitchen.index()
    articles = {one.article_id: one for one in await kitchen.articles()}
    every = list(await index.point_ids())
    for tenant in (*TENANTS, "stranger", "*"):
        for secret in SECRETS.values():
            asker = Asker(tenant, Audience.CUSTOMERS, "en", TODAY)
            hits = await index.search(secret, asker, ["en", "hi", "mr"], 50, also=every)
            assert hits
            for hit in hits:
                text = articles[hit.article_id].text
                assert text.tenants in ((), (tenant,))
                assert text.audience is Audience.CUSTOMERS
                assert text.valid_to is None


async def test_that_words_of_others_neither_mend_nor_weigh(kitchen: Library) -> None:
    asker = Asker("kamala", Audience.CUSTOMERS, "en", TODAY)
    before = await kitchen.retrieve("meridin word late box", asker, 5)
    for article in await kitchen.articles():
        if article.text.tenants and "kamala" not in article.text.tenants:
            await kitchen.remove(article.article_id)
    after = await kitchen.retrieve("meridin word late box", asker, 5)
    assert [(one.text, one.score) for one in before.passages] == [(one.text, one.score) for one in after.passages]


async def test_that_only_the_explanation_for_staff_tells_of_what_was_not_shown(kitchen: Library) -> None:
    asker = Asker("kamala", Audience.CUSTOMERS, "en", TODAY)
    explained = await kitchen.explain(SECRETS["meridian"], asker, 20)
    hidden = [one for one in explained if SECRETS["meridian"] in one.text]
    assert {one.verdict for one in hidden} == {Verdict.OTHER_TENANT}
    assert all(one.place is None for one in hidden)
