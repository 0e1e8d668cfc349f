"""A sweep on real temporary libraries; only the model is a fake."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
import pytest

from knowledge.article import Asker, Audience
from knowledge.errors import SweepRefused, SweepTooLarge
from knowledge.evaluate.questions import KnownQuestion, Support
from knowledge.evaluate.sweep.plan import Cutting, SweepPlan
from knowledge.evaluate.sweep.remembering import RememberingEmbedder
from knowledge.evaluate.sweep.report import SweepBook
from knowledge.evaluate.sweep.running import SweepOrder, SweepProgress, sweep
from knowledge.evaluate.sweep.temporary import PREFIX
from knowledge.ranking import Way
from storage.settings import KnowledgeSettings, Settings
from tests.fakes.embedder import WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from knowledge.library import Library
    from storage.database import Database

FREE, STEEL = "A late dabba is free of charge.", "Steel boxes cost two hundred fifty rupees."
QUESTIONS = (
    KnownQuestion("1", "is a late dabba free", "en", "kamala", (Support("kitchen", FREE),)),
    KnownQuestion("2", "cost of steel boxes", "en", "kamala", (Support("kitchen", STEEL),)),
    KnownQuestion("3", "elephants", "en", "kamala"),
)
SETTINGS = Settings(knowledge=KnowledgeSettings(chunk_tokens=60, chunk_overlap=10, threshold=0.3, passages=2))
PLAN = SweepPlan(chunk_tokens=(32, 60), overlaps=(0,), ks=(1, 2))


def order(embedder: WordEmbedder, plan: SweepPlan = PLAN) -> SweepOrder:
    return SweepOrder(plan, QUESTIONS, date(2026, 11, 30), SETTINGS, lambda: embedder, "0.1")


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture(autouse=True)
async def kitchen(library: Library, write: Callable[..., Path]) -> None:
    filling = " ".join(f"Word{number} stands here." for number in range(12))
    await library.add_file(write("kitchen.md", f"{FREE} {filling}\n\n{STEEL} {filling}"))
    await library.add_file(write("other.md", "Card refunds take five days."))


async def test_that_every_setting_is_tried_and_the_live_library_is_left_alone(
    library: Library, db: Database, embedder: WordEmbedder, temporary: Path
) -> None:
    before, articles, embedded = library.revision, await library.articles(), len(embedder.texts)
    told: list[SweepProgress] = []
    report = await sweep(library, order(embedder), told.append)
    assert {str(point.setting.cutting) for point in report.points} == {
        "60 tokens, overlap 10",
        "32 tokens, overlap 0",
        "60 tokens, overlap 0",
    }
    assert len(report.points) == len({point.setting for point in report.points}) == 3 * 2 * len(Way)
    assert (report.current.cutting, report.current.k, report.questions) == (Cutting(60, 10), 2, 2)
    small = {point.prompt_tokens for point in report.points if point.setting.cutting.chunk_tokens == 32}
    large = {point.prompt_tokens for point in report.points if point.setting.cutting.chunk_tokens == 60}
    assert max(small) < max(large)
    assert report.winner.recall == 1
    assert [one.done for one in told] == sorted(one.done for one in told)
    assert told[-1].done == told[-1].total == 3 * (2 + 3 * len(Way))
    assert (library.revision, await library.articles()) == (before, articles)
    new = embedder.texts[embedded:]
    assert len(new) == len(set(new))
    assert names_in(temporary) == []
    await SweepBook(db).keep(report)
    (kept,) = await SweepBook(db).plots()
    assert kept == report.plot()
    assert sum(one["wins"] for one in kept["points"]) == sum(one["is_current"] for one in kept["points"]) == 1


async def test_that_a_cutting_into_the_same_pieces_is_measured_once(library: Library, embedder: WordEmbedder) -> None:
    plan = replace(PLAN, chunk_tokens=(100, 110), ways=(Way.WORDS,))
    told: list[str] = []
    report = await sweep(library, order(embedder, plan), lambda progress: told.append(progress.step))
    one, same = (
        [
            replace(point, setting=report.current)
            for point in report.points
            if point.setting.cutting.chunk_tokens == size
        ]
        for size in (100, 110)
    )
    assert one == same
    assert not any(step.startswith("110") and "questions" in step for step in told)


async def test_that_a_cancelled_sweep_leaves_nothing(library: Library, embedder: WordEmbedder, temporary: Path) -> None:
    begun = asyncio.Event()
    work = asyncio.ensure_future(sweep(library, order(embedder), lambda _: begun.set()))
    await begun.wait()
    assert [name.startswith(PREFIX) for name in names_in(temporary)] == [True]
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert names_in(temporary) == []
    asker = Asker("kamala", Audience.CUSTOMERS, "en", date(2026, 11, 30))
    assert (await library.retrieve("late dabba", asker, 1)).passages


async def test_that_a_cutting_that_costs_too_much_is_left_out_and_named(
    library: Library, embedder: WordEmbedder, temporary: Path
) -> None:
    enough = len(set(embedder.texts))  # what the live library, cut as now, had embedded
    plan = SweepPlan(chunk_tokens=(32,), overlaps=(0,), ks=(2,), ways=(Way.HYBRID,), most_texts=enough)
    report = await sweep(library, order(embedder, plan), lambda _: None)
    assert {str(point.setting.cutting) for point in report.points} == {"60 tokens, overlap 10"}
    assert len(report.skipped) == 1
    assert report.skipped[0].startswith(f"32 tokens, overlap 0 was left out: More than {enough} texts")
    with pytest.raises(SweepRefused, match="No cutting could be tried"):
        await sweep(library, order(embedder, replace(plan, most_texts=1)), lambda _: None)
    assert names_in(temporary) == []


async def test_that_a_sweep_needs_questions_and_articles(library: Library, embedder: WordEmbedder) -> None:
    with pytest.raises(SweepRefused, match="no question that an article answers"):
        await sweep(library, replace(order(embedder), questions=QUESTIONS[2:]), lambda _: None)
    for article in await library.articles():
        await library.retire(article.article_id)
    with pytest.raises(SweepRefused, match="no published articles"):
        await sweep(library, order(embedder), lambda _: None)


def test_that_a_text_is_embedded_once() -> None:
    embedder = WordEmbedder()
    remembering = RememberingEmbedder(embedder, most_texts=3)
    first, again = remembering.embed(["a", "b", "a"]), remembering.embed(["b", "a"])
    assert embedder.texts == ["a", "b"]
    assert np.array_equal(first[[1, 0]], again)
    assert remembering.embed(["c"]).shape == (1, embedder.dim)
    with pytest.raises(SweepTooLarge, match="More than 3 texts"):
        remembering.embed(["d"])
    assert (remembering.name, remembering.max_tokens, remembering.languages) == ("words", 120, {"en"})
