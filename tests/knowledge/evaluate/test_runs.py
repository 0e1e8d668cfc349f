from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from knowledge.errors import RunUnknown
from knowledge.evaluate.compare import compare
from knowledge.evaluate.questions import KnownQuestion, Support
from knowledge.evaluate.runs import RunBook, RunOrder, measure
from knowledge.ranking import Way
from storage.settings import KnowledgeSettings
from tests.knowledge.evaluate.made import NOW, asked, run_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from knowledge.library import Library
    from storage.database import Database

QUESTIONS = (
    KnownQuestion("1", "late dabba free", "en", "kamala", (Support("late.en", "A late dabba is free."),)),
    KnownQuestion("2", "elephants", "hi", "kamala"),
)


async def test_that_a_run_measures_every_way_and_is_kept_whole(
    library: Library, db: Database, write: Callable[..., Path]
) -> None:
    await library.add_file(write("late.en.md", "A late dabba is free."))
    told: list[tuple[int, int]] = []
    order = RunOrder(QUESTIONS, date(2026, 11, 30), KnowledgeSettings(), "0.1")
    run = await measure(library, order, lambda done, total: told.append((done, total)))
    assert told == [(done, 6) for done in range(1, 7)]
    assert {way: [line.group for line in lines] for way, lines in run.ways.items()} == {
        way: ["all", "en", "hi"] for way in Way
    }
    assert run.figures[0].recall_at_1 == 1
    assert (run.settings["chunk_tokens"], run.settings["articles"], run.settings["on"]) == (200, 1, "2026-11-30")
    await RunBook(db).keep(run)
    assert await RunBook(db).run(run.run_id) == run


async def test_that_runs_are_found_by_age_and_by_the_beginning_of_their_id(db: Database) -> None:
    book = RunBook(db)
    first, second = run_of("ab1", asked(1, 1)), run_of("ab2", asked(1, 1), at=NOW + timedelta(hours=1))
    for run in (first, second):
        await book.keep(run)
    assert await book.runs() == (second, first)
    assert [await book.run(name) for name in ("last", "last-1", "ab1")] == [second, first, first]
    for name, reason in (("ab", "2 runs begin with it"), ("zz", "none is kept"), ("last-7", "none"), ("", "none")):
        with pytest.raises(RunUnknown, match=reason):
            await book.run(name)


def test_that_two_runs_are_compared_on_the_questions_that_both_asked() -> None:
    before = run_of("old", asked(1, 1), asked(2), asked(3, 0, 1), asked(4, 1))
    after = run_of("new", asked(1, 1), asked(2, 1), asked(3), asked(5, 1), settings={"chunk_tokens": 100})
    found = compare(before, after)
    assert (found.found, found.lost, found.shared) == (("question 2",), ("question 3",), 3)
    assert found.settings == (("chunk_tokens", 200, 100),)
    # nDCG: 0, +1, -0.63093 -> mean 0.12302, standard deviation 0.82240, / sqrt(3)
    assert (found.gain, found.error) == (pytest.approx(0.12302, abs=1e-4), pytest.approx(0.47481, abs=1e-4))
    assert found.verdict.startswith("No difference beyond chance: nDCG@5 changed by +0.123 ± 0.475 on 3")
    changes = {one.figure: one.change for one in found.differences}
    assert {one.group for one in found.differences} == {"all", "en"}
    assert changes["recall_at_1"] == pytest.approx(2 / 3 - 1 / 3)
    assert changes["mrr"] == pytest.approx(2 / 3 - 1.5 / 3)
    assert changes["prompt_tokens"] == pytest.approx(20 / 3 - 30 / 3)


def test_that_a_clear_difference_is_named() -> None:
    worse, better = run_of("old", asked(1), asked(2, 0, 1)), run_of("new", asked(1, 1), asked(2, 1))
    assert compare(worse, better).verdict.startswith("new is better than old")
    assert compare(better, worse).verdict.startswith("old is worse than new")
    assert "No difference" in compare(better, better).verdict
    assert "share no question" in compare(better, run_of("other", asked(9, 1))).verdict
