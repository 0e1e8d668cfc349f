"""A known question made of a turn with one click, in the inspector."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from console.widgets.buttons import Button
from knowledge.evaluate.book import QuestionBook
from storage.queries.articles import keep_article
from storage.records import ArticleRow
from tests.console.chat.kitchen import ARTICLE, BODY
from tests.console.chat.test_page import REFUND, ask, wait_for_end

if TYPE_CHECKING:
    from console.chat.page import ChatPage
    from tests.console.chat.conftest import Desk


def buttons(page: ChatPage) -> list[Button]:
    return [one for one in page.side.inspector.findChildren(Button) if one.text() == "Make a known question"]


def answered(desk: Desk) -> ChatPage:
    desk.open()
    page = desk.page()
    assert not buttons(page)
    ask(desk, page, REFUND)
    wait_for_end(desk, page)
    return page


def test_that_a_turn_becomes_a_known_question_with_what_its_answer_cites(desk: Desk) -> None:
    page = answered(desk)
    text = ARTICLE.text
    row = ArticleRow(
        ARTICLE.article_id, text.source_name, text.title, text.owner, text.audience.value, text.tenants, text.language,
        None, None, BODY, "", "", "published", 1, 0, datetime.now(UTC),
    )  # fmt: skip
    desk.run(partial(desk.kitchen.database.run, lambda session: keep_article(session, row)))
    buttons(page)[0].click()
    desk.until(lambda: bool(desk.notices))
    assert desk.notices[-1].fact == f"“{REFUND}” is a known question: every evaluation asks it from now on."
    assert desk.notices[-1].detail == f"Answered by {text.source_name}."
    (question,) = desk.run(QuestionBook(desk.kitchen.database).questions)
    assert (question.text, question.tenant_id, len(question.supports)) == (REFUND, "kamala", 1)


def test_that_a_turn_whose_article_was_removed_says_why_it_is_no_known_question(desk: Desk) -> None:
    page = answered(desk)
    buttons(page)[0].click()
    desk.until(lambda: bool(desk.notices))
    assert desk.notices[-1].fact.startswith("No question was made: ")
