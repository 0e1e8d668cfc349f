"""Versions with their differences, restoring, deletion receipts and known questions, in the window."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from console.articles.article_pane import QUESTIONS, VERSIONS
from console.articles.detail_calls import Detail
from console.articles.questions_shown import derive_questions, derive_verdict
from console.articles.receipts_shown import derive_pairs, derive_probe, derive_proof
from console.articles.versions_shown import SAME, derive_comparison, derive_versions
from knowledge.article_history import DeletionReceipt, How, Probe, Version
from knowledge.evaluate.questions import KnownQuestion, Support
from knowledge.evaluate.runs import QuestionResult
from tests.console.articles.kitchen import ZONE
from tests.console.articles.made import NOW, article

if TYPE_CHECKING:
    from console.articles.page import ArticlesPage
    from tests.console.articles.kitchen import Desk

RECEIPT = DeletionReceipt(
    "r", "a", "Refunds", "refunds.en.md", 7, 0, (Probe("its title", 3, 0),), datetime(2026, 11, 30, 7, 11, tzinfo=UTC),
    "leela",
)  # fmt: skip


def _version(body: str, number: int = 2) -> Version:
    return Version("refunds", number, replace(article().text, body=body), How.EDITED, NOW, "leela")


def test_that_a_comparison_shows_changed_lines_with_some_beside_them() -> None:
    before = "one\ntwo\nthree\nfour\nfive\nsix\nseven"
    now = article(body=before.replace("four", "FOUR"))
    line, shown = derive_comparison(_version(before), now)
    assert line == "From version 2 to what it says now: 1 line came, 1 line went."
    assert [(one.mark, one.text) for one in shown] == [
        ("…", "9 lines unchanged"),
        (" ", "two"),
        (" ", "three"),
        ("-", "four"),
        ("+", "FOUR"),
        (" ", "five"),
        (" ", "six"),
        ("…", "1 line unchanged"),
    ]


def test_that_an_equal_version_says_so() -> None:
    assert derive_comparison(_version("Money comes back."), article()) == (SAME, ())
    (shown,) = derive_versions((_version("x"),), NOW, ZONE)
    assert (shown.number, shown.how, shown.made, shown.by) == (2, "edited here", "12:41", "leela")


@pytest.mark.parametrize(
    ("receipt", "said", "kind"),
    [
        (RECEIPT, "Gone, proven", "ok"),
        (replace(RECEIPT, points_after=None), "Not proven yet", "warn"),
        (replace(RECEIPT, probes=(Probe("its title", 3, 1),)), "Not proven yet", "warn"),
    ],
)
def test_that_a_receipt_says_whether_the_article_is_gone(receipt: DeletionReceipt, said: str, kind: str) -> None:
    mark = derive_proof(receipt)
    assert (mark.text, mark.kind) == (said, kind)


def test_that_a_receipt_tells_points_and_probes() -> None:
    pairs = {pair.key: pair.value for pair in derive_pairs(RECEIPT, ZONE)}
    assert pairs["points"] == "7 in the index before, 0 after"
    assert pairs["deleted"] == "30 Nov 2026, 12:41:00"
    assert derive_probe(RECEIPT.probes[0]) == "By its title: 3 pieces found before, 0 after."


def _result(question_id: str, *gains: int) -> QuestionResult:
    return QuestionResult(question_id, "q", "en", "kamala", (), 1, gains, False, 10, "", False)


def test_that_known_questions_tell_where_the_last_evaluation_found_them() -> None:
    questions = tuple(
        KnownQuestion(key, f"Question {key}", "en", "kamala", (Support("refunds", "Money."),)) for key in "abc"
    )
    detail = Detail("refunds", questions=questions, results=(_result("a", 0, 1), _result("b")))
    assert [(row.question_id, row.mark.text) for row in derive_questions(detail)] == [
        ("b", "Missed"),
        ("c", "Not asked yet"),
        ("a", "Found, place 2"),
    ]
    assert derive_verdict(detail) == ("1 of 2 known questions find it.", False)
    assert derive_verdict(Detail("refunds", questions=questions)) == ("", True)


def test_that_a_version_is_compared_and_restored(desk: Desk, filled: ArticlesPage) -> None:
    desk.fill(desk.write("refunds.en.md", "Money comes back in nine days.", title="Refunds", owner="Leela"))
    filled.show_article("refunds.en")
    desk.until(lambda: filled.pane.tabs.tabText(VERSIONS) == "Versions 2")
    filled.pane.compare.click()
    panel = filled.pane.versions
    assert panel.isVisible()
    desk.until(lambda: "nine days" in panel.diff.toPlainText())
    assert panel.restore.text() == "Restore version 1"
    panel.restore.click()
    panel.restore.click()
    desk.until(lambda: filled.pane.tabs.tabText(VERSIONS) == "Versions 3")
    now = filled.presenter.state.article
    assert now is not None
    assert "two days" in now.text.body


def test_that_a_deleted_article_leaves_its_receipt_in_the_pane_and_in_the_list(
    desk: Desk, filled: ArticlesPage
) -> None:
    filled.show_article("refunds.en")
    filled.pane.delete.click()
    assert filled.dialog is not None
    filled.dialog.yes.click()
    desk.until(filled.pane.receipt.isVisible)
    assert filled.pane.receipt.title.text() == "Deleted: Refunds"
    assert "2 pieces found before, 0 after" in filled.pane.receipt.probes.text()
    filled.shelf.receipts.click()
    desk.until(filled.asides.receipts.isVisible)
    assert [one.title for one in filled.asides.receipts.table.shown()] == ["Refunds"]
    assert filled.asides.receipts.card.isVisible()
    filled.asides.receipts.back.click()
    assert filled.table.isVisible()
    filled.presenter.pick(filled.table.table.shown()[0].article_id)
    assert not filled.pane.receipt.isVisible()


def test_that_a_known_question_is_listed_with_its_article(desk: Desk, filled: ArticlesPage) -> None:
    filled.show_article("refunds.en")
    filled.search("is a late box free")
    desk.until(lambda: filled.search_panel.hits.shown() != ())
    filled.search_panel.hits.pick(filled.search_panel.hits.shown()[0].key)
    filled.search_panel.known.click()
    desk.until(lambda: filled.pane.tabs.tabText(QUESTIONS) == "Questions 1")
    (row,) = filled.pane.questions.table.shown()
    assert (row.text, row.mark.text) == ("is a late box free", "Not asked yet")
