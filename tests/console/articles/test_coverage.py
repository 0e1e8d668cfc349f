"""What customers asked and no article answers, and which articles nobody is told of."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from console.articles.coverage_shown import (
    Seen,
    derive_coverage,
    derive_coverage_line,
    derive_unfound,
    derive_unquoted,
    seen_of,
)
from engine_host.answering.event_json import event_to_json
from engine_host.answering.events import PassagesFound, Quoted, Text
from knowledge.article import ArticleStatus, Passage
from knowledge.evaluate.book import QuestionBook
from storage.queries.conversations import start_conversation
from storage.queries.coverage import AskedTurn
from storage.queries.turns import open_turn, settle_turn
from storage.records import NewTurn, SettledTurn, TokenUse, TurnOutcome, TurnTimes
from tests.console.articles.kitchen import KAMALA, MERIDIAN, ZONE
from tests.console.articles.made import NOW, TODAY, article

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from console.articles.page import ArticlesPage
    from tests.console.articles.kitchen import Desk

SINCE = date(2026, 10, 31)


def passage(article_id: str, score: float) -> Passage:
    return Passage(article_id, f"Title {article_id}", ("Heading",), "Text.", 0, 5, "en", score, score >= 0.45)


def turn(turn_id: str, *events: Any, text: str = "Do you deliver to Wakad?") -> AskedTurn:
    return AskedTurn(turn_id, "kamala", text, "en", NOW, tuple(event_to_json(event) for event in events))


def found(*passages: Passage) -> PassagesFound:
    return PassagesFound(passages, 0.45, 214, 31.0)


def test_that_a_turn_tells_whether_a_passage_was_given_and_which_came_nearest() -> None:
    nothing = seen_of(turn("t", found(passage("a", 0.2), passage("b", 0.41))))
    assert (nothing.found, nothing.nearest, nothing.cited) == (False, "Title b › Heading", frozenset())
    assert seen_of(turn("t", found(passage("a", 0.8)))).found is True
    assert seen_of(turn("t")).found is None


def test_that_articles_are_quoted_by_their_number_among_what_was_given() -> None:
    passages = found(passage("low", 0.1), passage("a", 0.8), passage("b", 0.7), passage("c", 0.6))
    seen = seen_of(turn("t", passages, Text("One.", (1, 9)), Quoted("Two.", 3)))
    assert seen.cited == {"a", "c"}


def test_that_a_question_asked_again_counts_once_with_its_newest_turn() -> None:
    asked = [Seen(f"t{n}", "kamala", text, "en", NOW - timedelta(hours=n), found=False) for n, text in enumerate(
        ("Do you deliver to Wakad?", "Other?", "do you  deliver to WAKAD?"))]  # fmt: skip
    coverage = derive_coverage([*asked, replace(asked[0], turn_id="ok", found=True)], SINCE)
    assert [(one.text, one.times, one.turn_id) for one in coverage.unfound] == [
        ("Do you deliver to Wakad?", 2, "t0"),
        ("Other?", 1, "t1"),
    ]
    line = derive_coverage_line(coverage, TODAY)
    assert line == "4 turns since 31 Oct: 4 searched the articles, 3 found nothing"


def test_that_another_tenants_same_words_are_another_question() -> None:
    one = Seen("t", "kamala", "Same?", "en", NOW, found=False)
    coverage = derive_coverage([one, replace(one, tenant_id="meridian")], SINCE)
    rows = derive_unfound(coverage, (KAMALA, MERIDIAN), {("kamala", "Same?")}, NOW, ZONE)
    assert {(row.tenant, row.mark.text if row.mark else "") for row in rows} == {
        ("Kamala Dabba", "Known"),
        ("Meridian Offices", ""),
    }


def test_that_only_published_articles_can_be_missed() -> None:
    articles = (
        article("Quoted"),
        article("Silent", updated=NOW - timedelta(days=3)),
        article("New"),
        article("Old", status=ArticleStatus.RETIRED),
    )
    coverage = derive_coverage([Seen("t", "kamala", "?", "en", NOW, True, frozenset(("quoted",)))], SINCE)
    assert [row.title for row in derive_unquoted(coverage, articles, NOW, ZONE)] == ["Silent", "New"]


def test_that_nothing_asked_is_said() -> None:
    assert derive_coverage_line(derive_coverage((), SINCE), TODAY).startswith("No customer asked anything")


def ask(session: Session, turn_id: str, text: str, *events: Any) -> None:
    now = datetime.now(UTC)
    start_conversation(session, "kamala", "C-1", "Meera", now, "talk-" + turn_id)
    open_turn(session, NewTurn(turn_id, "talk-" + turn_id, "kamala", None, "", text, now, None))
    told = tuple(event_to_json(event) for event in events)
    settle_turn(
        session, SettledTurn(turn_id, TurnOutcome.ANSWERED, "en", "", TokenUse(), TurnTimes(), told)
    )  # fmt: skip


def test_that_a_customers_question_is_made_known_with_one_click(desk: Desk, filled: ArticlesPage) -> None:
    refunds = next(row.article_id for row in filled.table.table.shown() if row.title == "Refunds")
    desk.run(desk.rooms.database.run(lambda s: ask(s, "t1", "Do you deliver to Wakad?", found(passage("x", 0.2)))))
    desk.run(
        desk.rooms.database.run(lambda s: ask(s, "t2", "Money?", found(passage(refunds, 0.9)), Text("Two days.", (1,))))
    )
    filled.shelf.coverage.click()
    view = filled.asides.coverage
    desk.until(view.isVisible)
    assert [row.text for row in view.questions.shown()] == ["Do you deliver to Wakad?"]
    assert "Refunds" not in [row.title for row in view.articles.shown()]
    view.known.click()
    view.known.click()
    desk.until(lambda: view.questions.shown()[0].mark is not None)
    assert not view.known.isEnabled()
    (question,) = desk.run(QuestionBook(desk.rooms.database).questions())
    assert (question.text, question.supports, question.turn_id) == ("Do you deliver to Wakad?", (), "t1")


def test_that_an_unanswered_question_is_tried_and_written_about(desk: Desk, filled: ArticlesPage) -> None:
    desk.run(desk.rooms.database.run(lambda s: ask(s, "t1", "Is a late box free?", found(passage("x", 0.2)))))
    filled.shelf.coverage.click()
    view = filled.asides.coverage
    desk.until(view.isVisible)
    view.write.click()
    assert filled.editor.isVisible()
    assert filled.editor.form.title.text() == "Is a late box free?"
    filled.editor.close_button.click()
    desk.until(view.isVisible)
    view.search.click()
    assert filled.table.isVisible()
    assert filled.search_panel.field.text() == "Is a late box free?"
    desk.until(lambda: filled.search_panel.hits.shown() != ())


def test_that_a_silent_article_is_opened_from_the_coverage(desk: Desk, filled: ArticlesPage) -> None:
    filled.shelf.coverage.click()
    view = filled.asides.coverage
    desk.until(view.isVisible)
    key = next(row.article_id for row in view.articles.shown() if row.title == "Refunds")
    view.articles.opened.emit(key)
    assert filled.table.isVisible()
    assert filled.pane.title.text() == "Refunds"
