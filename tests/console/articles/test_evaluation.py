"""Evaluations and sweeps from the Articles page, over the known questions that are kept there."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt

from console.articles.evaluation_calls import Evaluated
from console.articles.evaluation_shown import (
    NO_QUESTIONS,
    derive_articles,
    derive_evaluation_line,
    derive_job,
    derive_languages,
    derive_results,
    derive_summary,
    derive_verdict,
)
from console.articles.sweep_shown import derive_sweeps
from console.bridge.jobs import JobProgress, JobState, JobStatus
from knowledge.evaluate.book import QuestionBook
from knowledge.evaluate.questions import KnownQuestion, Support
from knowledge.evaluate.runs import RunBook
from knowledge.evaluate.sweep.report import SweepBook
from tests.console.articles.kitchen import ZONE
from tests.console.articles.made import NOW
from tests.knowledge.evaluate.made import asked, run_of

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.articles.evaluation_view import EvaluationView
    from console.articles.page import ArticlesPage
    from tests.console.articles.kitchen import Desk

LATE = KnownQuestion("", "late box free", "en", "kamala", (Support("refunds.en", "A late box is free."),))
MONEY = KnownQuestion("", "money back", "en", "kamala", (Support("refunds.en", "Money comes back in two days."),))
MOON = KnownQuestion("", "elephants on the moon", "en", "kamala")


def opened(desk: Desk, page: ArticlesPage, *questions: KnownQuestion) -> EvaluationView:
    """The evaluation view over these questions."""
    book = QuestionBook(desk.rooms.database)
    for question in questions:
        desk.run(book.add(question))
    page.shelf.evaluation.click()
    view = page.asides.evaluation
    desk.until(view.isVisible)
    return view


def test_that_without_questions_nothing_can_be_started_and_the_page_says_why(desk: Desk, filled: ArticlesPage) -> None:
    view = opened(desk, filled)
    assert not view.evaluate.isEnabled()
    assert view.evaluate.toolTip() == NO_QUESTIONS
    assert not view.sweep.isEnabled()
    assert "can't be compared" in view.sweep.toolTip()


def test_that_an_evaluation_from_the_page_is_kept_shown_and_compared(desk: Desk, filled: ArticlesPage) -> None:
    view = opened(desk, filled, LATE, MOON)
    view.evaluate.click()
    assert view.job.isVisible()
    assert not view.evaluate.isEnabled()
    desk.until(lambda: len(view.runs.table.shown()) == 1)
    assert not view.job.isVisible()
    assert [(row.group, row.questions, row.recall) for row in view.runs.languages.shown()] == [
        ("all", 1, 1.0),
        ("en", 1, 1.0),
    ]
    assert [row.group for row in view.runs.articles.shown()] == ["refunds.en"]
    assert {row.mark.text for row in view.runs.results.shown()} == {"Found, place 1", "Refused"}
    assert desk.notices[-1].fact.startswith("Evaluation done: recall@5 1.000")

    view.evaluate.click()
    desk.until(lambda: len(view.runs.table.shown()) == 2)
    assert view.runs.before.key == desk.run(RunBook(desk.rooms.database).runs())[1].run_id
    assert "No difference beyond chance" in view.runs.verdict.text()


def test_that_a_cancelled_evaluation_keeps_nothing(desk: Desk, filled: ArticlesPage) -> None:
    view = opened(desk, filled, *(KnownQuestion("", f"late box {n}", "en", "kamala") for n in range(60)))
    view.evaluate.click()
    desk.until(lambda: bool(filled.asides.evaluating.job and filled.asides.evaluating.job.progress.done))
    view.job.cancel_asked.emit()
    desk.until(lambda: not filled.asides.evaluating.runs)
    assert desk.notices[-1].fact == "Evaluation stopped: nothing of it was kept."
    assert desk.run(RunBook(desk.rooms.database).runs()) == ()
    assert view.evaluate.isEnabled()


def test_that_a_sweep_from_the_page_names_the_winner_and_plots_every_setting(
    desk: Desk, filled: ArticlesPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knowledge.embedding_choice.embedder_of", lambda _settings, _home: lambda: desk.embedder)
    view = opened(desk, filled, LATE, MONEY)
    view.sweep.click()
    desk.until(lambda: not filled.asides.evaluating.runs)
    desk.until(lambda: view.sweeps.currentIndex() == 1)
    assert "wins: nDCG@5" in view.sweeps.verdict.text()
    points = view.sweeps.table.shown()
    assert sum(point.wins for point in points) == sum(point.now for point in points) == 1
    assert len(desk.run(SweepBook(desk.rooms.database).plots())) == 1
    plot, other = view.sweeps.plot, next(point for point in points if not point.wins)
    spot = plot._spot(plot._frame(), other).toPoint()
    qtbot.mouseClick(plot, Qt.MouseButton.LeftButton, pos=spot)
    picked = view.sweeps.table.picked_record
    assert picked is not None
    assert (picked.tokens, picked.recall) == (other.tokens, other.recall)


def test_that_a_question_is_reworded_and_removed_on_the_page(desk: Desk, filled: ArticlesPage, qtbot: QtBot) -> None:
    view = opened(desk, filled, LATE, MOON)
    view.show_part("known")
    view.known.filter.setText("refunds")
    assert [row.answer for row in view.known.table.shown()] == ["refunds.en"]
    view.known.table.pick(view.known.table.shown()[0].key)
    assert not view.known.keep.isEnabled()
    view.known.words.selectAll()
    qtbot.keyClicks(view.known.words, "my box came late")
    qtbot.keyClick(view.known.words, Qt.Key.Key_Return)
    desk.until(lambda: [row.question.text for row in view.known.table.shown()] == ["my box came late"])

    view.known.remove.click()
    assert view.known.dialog is not None
    view.known.dialog.yes.click()
    desk.until(lambda: not view.known.table.shown())
    assert [one.text for one in desk.run(QuestionBook(desk.rooms.database).questions())] == ["elephants on the moon"]


def test_that_a_known_question_is_tried_in_the_search_test(desk: Desk, filled: ArticlesPage) -> None:
    view = opened(desk, filled, LATE)
    view.known.search.click()
    assert filled.shelf.isVisible()
    assert filled.search_panel.field.text() == "late box free"


def test_that_escape_leaves_the_evaluation(desk: Desk, filled: ArticlesPage, qtbot: QtBot) -> None:
    view = opened(desk, filled, LATE)
    qtbot.keyClick(view.runs.table, Qt.Key.Key_Escape)
    assert filled.shelf.isVisible()
    assert filled.focusWidget() is filled.table.table


def test_that_figures_stand_beside_what_changed_since_an_earlier_run() -> None:
    before = run_of("old", asked(1), asked(2, 0, 1))
    after = run_of("new", asked(1, 1), asked(2, 1), settings={"chunk_tokens": 100})
    rows = derive_languages(after, before)
    assert [(row.group, row.change("mrr")) for row in rows] == [("all", 0.75)]
    assert derive_languages(after, None)[0].change("mrr") is None
    assert derive_articles(after, before)[0].change("ndcg_at_5") is not None
    results = {row.text: (row.mark.text, row.before) for row in derive_results(after, before)}
    assert results["question 1"] == ("Found, place 1", "missed")
    assert results["question 2"] == ("Found, place 1", "place 2")
    verdict = derive_verdict(after, before)
    assert verdict.startswith("Better than the earlier run: nDCG@5 +0.")
    assert verdict.endswith("Otherwise: tokens a chunk 200 before, 100 now.")
    assert derive_verdict(after, None) == ""
    assert derive_summary(after).startswith("2 questions: 2 that an article answers")


def test_that_the_line_says_how_many_questions_and_when_they_were_asked() -> None:
    assert derive_evaluation_line(Evaluated(), NOW, ZONE) == "No known question yet"
    questions = (LATE, MOON)
    assert derive_evaluation_line(Evaluated(questions), NOW, ZONE) == "2 known questions in 1 language, never asked"
    asked_once = Evaluated(questions, (run_of("one", asked(1, 1), at=NOW),))
    assert derive_evaluation_line(asked_once, NOW, ZONE).endswith("asked last at 12:41")


@pytest.mark.parametrize(
    ("job", "title", "figures"),
    [
        (
            JobState(1, "Sweep", progress=JobProgress(5, 10, note="step"), rate=2.5, left_s=200),
            "Sweep under way",
            ("step", "2.5 a second", "3 min left"),
        ),
        (JobState(1, "Sweep", JobStatus.FAILED, sentence="No articles."), "Sweep failed: No articles.", ()),
    ],
)
def test_that_a_job_says_how_far_it_is_or_why_it_failed(job: JobState, title: str, figures: tuple[str, ...]) -> None:
    shown = derive_job(job)
    assert (shown.title, shown.figures) == (title, figures)


def plot(**changes: Any) -> dict[str, Any]:
    point = {
        "chunk_tokens": 100, "overlap": 0, "way": "hybrid", "k": 2, "prompt_tokens": 180.4, "recall": 0.9, "mrr": 0.8,
        "ndcg_at_5": 0.85, "on_front": True, "wins": True, "is_current": False,
    }  # fmt: skip
    now = point | {"chunk_tokens": 200, "k": 4, "on_front": False, "wins": False, "is_current": True}
    half = {"half": "first", "questions": 3, "here": 0.9, "there": 0.7, "best_there": 0.8} | {
        "setting": {"chunk_tokens": 50, "overlap": 30, "way": "dense", "k": 1}
    }
    return {
        "run_id": "ab", "at": datetime(2026, 11, 30, tzinfo=UTC).isoformat(), "embedder": "words", "questions": 7,
        "points": [point, now], "is_current_tied": True, "halves": [half], "skipped": ["50 was left out."], "failed": 2,
    } | changes  # fmt: skip


def test_that_a_kept_sweep_names_its_winner_and_what_to_doubt() -> None:
    (sweep,) = derive_sweeps([plot()], NOW, ZONE)
    assert sweep.verdict == (
        "100 tokens a chunk with overlap 0, hybrid, 2 passages wins: nDCG@5 0.850 for 180 prompt tokens; the highest "
        "of all is 0.850. The setting of now counts as equal to the best."
    )
    assert sweep.notes[0].startswith("Chosen on the first half of the questions only: 50/30, dense, 1;")
    assert sweep.notes[1:] == ("50 was left out.", "2 searches could not be run and count as missed.")
    assert [point.mark.text if point.mark else "" for point in sweep.points] == ["Wins", "Now"]
    (worse,) = derive_sweeps([plot(is_current_tied=False)], NOW, ZONE)
    assert worse.verdict.endswith("The setting of now is worse than that beyond chance.")
