"""The chat page, used as a person uses it, over a real ledger and a real turn desk."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit

from console.widgets.message_blocks import CitationChip
from engine_host.client.errors import EngineLost
from storage.queries.conversations import conversation_turns, list_conversations
from storage.records import TurnOutcome
from tests.console.chat.conftest import Desk, text_of
from tests.console.chat.kitchen import EARLY, LONG, Orders, Pen

if TYPE_CHECKING:
    from console.chat.page import ChatPage
    from console.chat.turn_item import TurnItem
    from storage.records import Turn

REFUND = "How long does a refund take?"


@pytest.fixture
def writing(desk: Desk) -> tuple[Desk, ChatPage, Pen]:
    """A page over an engine that waits before its last sentence until `release`."""
    pen = Pen()
    desk.open(pen)
    return desk, desk.page(), pen


def release(desk: Desk, pen: Pen) -> None:
    desk.in_loop(pen.gate.set)


def ask(desk: Desk, page: ChatPage, text: str) -> None:
    page.composer.box.setFocus()
    desk.qtbot.keyClicks(page.composer.box, text)
    desk.qtbot.keyClick(page.composer.box, Qt.Key.Key_Return)


def wait_for_end(desk: Desk, page: ChatPage) -> None:
    desk.until(lambda: page.presenter.asking is None)
    desk.until(lambda: bool(page.presenter.shown.turns) and not page.presenter.shown.turns[-1].running)


def said(page: ChatPage) -> str:
    return text_of(page.transcript)


def turns_of(desk: Desk, page: ChatPage) -> tuple[Turn, ...]:
    key = page.presenter.shown.conversation_id or ""
    turns: tuple[Turn, ...] = desk.run(lambda: desk.kitchen.database.run(lambda s: conversation_turns(s, key)))
    return turns


def test_that_an_answer_comes_sentence_by_sentence_with_its_sources(writing: tuple[Desk, ChatPage, Pen]) -> None:
    desk, page, pen = writing
    ask(desk, page, REFUND)
    desk.until(lambda: EARLY in said(page))
    assert "next sentence is being checked" in said(page)
    assert "Source 1: Refunds and cancellations › Before 09:00" in said(page)
    assert page.composer.box.toPlainText() == ""
    assert page.composer.stop_button.isVisible()
    release(desk, pen)
    wait_for_end(desk, page)
    assert LONG in said(page).replace("\n", "")
    assert "Your courier Ravi will reach Gate 2 by 12:50." in said(page)
    assert "Help, 2 sources" in said(page)
    assert "being checked" not in said(page)
    assert not page.composer.stop_button.isVisible()
    desk.until(lambda: page.presenter.listing.found.withheld == 1)


def test_that_a_second_enter_does_not_ask_again(writing: tuple[Desk, ChatPage, Pen]) -> None:
    desk, page, pen = writing
    ask(desk, page, REFUND)
    desk.qtbot.keyClick(page.composer.box, Qt.Key.Key_Return)
    ask(desk, page, "and again?")
    desk.until(lambda: pen.asked == 1)
    assert len(page.presenter.shown.turns) == 1
    assert page.composer.box.toPlainText() == "and again?"
    release(desk, pen)
    wait_for_end(desk, page)
    assert len(turns_of(desk, page)) == 1


def test_that_shift_enter_makes_a_line_and_asks_nothing(writing: tuple[Desk, ChatPage, Pen]) -> None:
    desk, page, _ = writing
    desk.qtbot.keyClicks(page.composer.box, "one")
    desk.qtbot.keyClick(page.composer.box, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    desk.qtbot.keyClicks(page.composer.box, "two")
    assert page.composer.box.toPlainText() == "one\ntwo"
    assert page.presenter.shown.turns == ()


def test_that_stop_ends_the_engines_stream_too(writing: tuple[Desk, ChatPage, Pen]) -> None:
    desk, page, pen = writing
    ask(desk, page, REFUND)
    desk.until(lambda: EARLY in said(page))
    desk.qtbot.keyClick(page, Qt.Key.Key_Escape)
    wait_for_end(desk, page)
    desk.until(lambda: "The asker stopped the answer." in said(page))
    assert pen.closed == 1
    assert "stopped" in said(page)
    assert EARLY in said(page)
    (turn,) = turns_of(desk, page)
    assert turn.settled is not None
    assert turn.settled.outcome is TurnOutcome.CANCELLED


def test_that_an_engine_that_dies_is_told_with_its_reason(writing: tuple[Desk, ChatPage, Pen]) -> None:
    desk, page, pen = writing
    pen.broken = EngineLost("The engine broke off: its process died. Start it again.")
    ask(desk, page, REFUND)
    desk.until(lambda: EARLY in said(page))
    release(desk, pen)
    wait_for_end(desk, page)
    assert "The engine broke off: its process died. Start it again." in said(page)
    assert "failed" in said(page)
    assert page.composer.box.isEnabled()


def test_that_two_conversations_stream_at_once_and_keep_their_drafts(writing: tuple[Desk, ChatPage, Pen]) -> None:
    desk, page, pen = writing
    ask(desk, page, REFUND)
    desk.until(lambda: EARLY in said(page))
    desk.qtbot.keyClicks(page.composer.box, "a draft")
    first = page.presenter.shown.conversation_id or ""
    page.conversations.new_asked.emit()
    assert page.composer.box.toPlainText() == ""
    assert EARLY not in said(page)
    ask(desk, page, "Is the refund paid by UPI?")
    desk.until(lambda: pen.asked == 2)
    desk.until(lambda: page.presenter.listing.conversation(first) is not None)
    page.conversations.rows.pick(first)
    desk.until(lambda: page.presenter.shown.conversation_id == first)
    assert page.composer.box.toPlainText() == "a draft"
    assert EARLY in said(page)
    release(desk, pen)
    wait_for_end(desk, page)
    desk.until(lambda: len(page.presenter.listing.found.conversations) == 2)


def test_that_an_order_is_stated_for_the_customer_of_the_token(desk: Desk) -> None:
    desk.open()
    page = desk.page()
    page.composer.identity_chosen.emit("kamala", "C-2291")
    desk.until(lambda: page.presenter.acting.state.token is not None)
    assert "token valid 14 min" in text_of(page.composer)
    ask(desk, page, "Where is my lunch?")
    wait_for_end(desk, page)
    assert "Order KD-4821" in said(page)
    assert "read from the order system, written by code" in said(page)
    assert "Out for delivery" in said(page)
    assert [customer.customer_id for customer in desk.kitchen.orders.seen] == ["C-2291"]
    assert "GET /customers/C-2291/orders?active=true" in text_of(page.side.inspector)
    assert "Meera Joshi" in text_of(page.header)


def test_that_a_follow_up_stays_in_the_conversation_and_another_customer_does_not(desk: Desk) -> None:
    desk.open()
    page = desk.page()
    page.composer.identity_chosen.emit("kamala", "C-2291")
    for text in ("Where is my lunch?", "And when will it come?"):
        ask(desk, page, text)
        wait_for_end(desk, page)
    assert len(turns_of(desk, page)) == 2
    desk.qtbot.keyClicks(page.composer.box, "mine?")
    page.composer.identity_chosen.emit("annapurna", "A-1")
    assert page.presenter.shown.turns == ()
    assert page.composer.box.toPlainText() == "mine?"
    desk.qtbot.keyClick(page.composer.box, Qt.Key.Key_Return)
    wait_for_end(desk, page)
    talks = desk.run(lambda: desk.kitchen.database.run(list_conversations))
    assert {(talk.tenant_id, talk.turns) for talk in talks} == {("kamala", 2), ("annapurna", 1)}


def test_that_a_conversation_has_the_name_of_whoever_was_chosen_last(desk: Desk) -> None:
    desk.open()
    page = desk.page()
    page.composer.identity_chosen.emit("annapurna", "A-1")
    ask(desk, page, "hello")
    wait_for_end(desk, page)
    for tenant, customer in (("kamala", "C-1187"), ("kamala", "C-2291")):
        page.composer.identity_chosen.emit(tenant, customer)
    ask(desk, page, "Where is my lunch?")
    wait_for_end(desk, page)
    (turn,) = turns_of(desk, page)
    assert (turn.opened.customer_id, turn.opened.customer_name) == ("C-2291", "Meera Joshi")
    assert page.presenter.shown.title == "Meera Joshi"


def test_that_an_old_conversation_looks_as_it_did_when_it_happened(writing: tuple[Desk, ChatPage, Pen]) -> None:
    desk, page, pen = writing
    release(desk, pen)
    page.composer.identity_chosen.emit("kamala", "C-2291")
    ask(desk, page, REFUND)
    wait_for_end(desk, page)
    ask(desk, page, "Where is my lunch and can I cancel it?")
    wait_for_end(desk, page)
    key = page.presenter.shown.conversation_id or ""
    later = desk.page()
    desk.until(lambda: later.presenter.listing.conversation(key) is not None)
    later.conversations.rows.pick(key)
    desk.until(lambda: len(later.presenter.shown.turns) == 2)
    assert said(later) == said(page)
    assert text_of(later.side.inspector) == text_of(page.side.inspector)
    assert text_of(later.header) == text_of(page.header)


def test_that_without_an_engine_the_page_says_so_until_one_is_ready(desk: Desk) -> None:
    kitchen = desk.open()
    page = desk.page()
    assert page.no_engine.isVisible()
    desk.qtbot.mouseClick(page.no_engine.link, Qt.MouseButton.LeftButton)
    assert desk.went_to == ["engine"]
    ask(desk, page, REFUND)
    wait_for_end(desk, page)
    assert "Quoted from the article, word for word" in said(page)
    assert "No engine is ready, so the passage was quoted." in text_of(page.side.inspector)
    desk.in_loop(lambda: kitchen.answering.publish(True))
    desk.until(lambda: not page.no_engine.isVisible())


def test_that_a_citation_opens_the_article_at_the_passage(desk: Desk) -> None:
    desk.open()
    page = desk.page()
    ask(desk, page, REFUND)
    wait_for_end(desk, page)
    chip = page.transcript.findChildren(CitationChip)[0]
    desk.qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    desk.until(lambda: page.side.shows_source)
    assert "Before 09:00" in page.side.source.text.toPlainText()
    assert "refunds.en.md, by Office" in text_of(page.side.source)
    desk.qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert not page.side.shows_source
    desk.kitchen.library.articles.clear()
    desk.qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    desk.until(lambda: page.side.shows_source)
    assert "The article is not in the library any more" in text_of(page.side.source)


def test_that_thumbs_and_flags_fill_the_review_list(desk: Desk) -> None:
    desk.open()
    page = desk.page()
    ask(desk, page, REFUND)
    wait_for_end(desk, page)
    turn = page.presenter.shown.turns[-1]
    item = page.transcript.items[-1]
    item.acted.emit(turn.key, "down")
    desk.until(lambda: page.presenter.listing.found.review == 1)
    item.acted.emit(turn.key, "down")
    desk.until(lambda: page.presenter.listing.found.review == 0)
    desk.qtbot.mouseClick(page.header.flag, Qt.MouseButton.LeftButton)
    desk.until(lambda: page.presenter.listing.found.review == 1)
    page.conversations.segment.chosen.emit("withheld")
    desk.until(lambda: page.presenter.listing.found.conversations == ())
    item.acted.emit(turn.key, "copy")
    assert EARLY in QGuiApplication.clipboard().text()


def test_that_search_finds_what_was_said(desk: Desk) -> None:
    desk.open()
    page = desk.page()
    ask(desk, page, REFUND)
    wait_for_end(desk, page)
    desk.qtbot.keyClicks(page.conversations.search, "nothing like it")
    desk.until(lambda: page.presenter.listing.found.all == 0)
    page.conversations.search.setText("refund")
    desk.until(lambda: page.presenter.listing.found.all == 1)


def test_that_choosing_a_turn_drives_the_inspector(desk: Desk) -> None:
    desk.open()
    page = desk.page()
    for text in (REFUND, "Is there a UPI refund?"):
        ask(desk, page, text)
        wait_for_end(desk, page)
    assert "Turn 2 of 2" in text_of(page.side.inspector)
    first: TurnItem = page.transcript.items[0]
    desk.qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
    assert "Turn 1 of 2" in text_of(page.side.inspector)
    page.transcript.items[1].setFocus()
    desk.qtbot.keyClick(page.transcript.items[1], Qt.Key.Key_Space)
    assert "Turn 2 of 2" in text_of(page.side.inspector)
    desk.qtbot.keyClick(page, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert not page.side.isVisible()
    desk.qtbot.keyClick(page, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert page.side.isVisible()


def test_that_an_own_order_system_takes_the_customers_id(desk: Desk) -> None:
    desk.open(orders=Orders(demo=None))
    page = desk.page()
    field = next(field for field in page.composer.findChildren(QLineEdit) if field.accessibleName() == "Customer id")
    assert field.isVisible()
    desk.qtbot.keyClicks(field, "C-2291")
    desk.qtbot.keyClick(field, Qt.Key.Key_Return)
    desk.until(lambda: page.presenter.acting.state.token is not None)
    ask(desk, page, "Where is my lunch?")
    wait_for_end(desk, page)
    assert "Order KD-4821" in said(page)


def test_that_a_token_that_ran_out_is_renewed(desk: Desk) -> None:
    from dataclasses import replace

    desk.open()
    page = desk.page()
    acting = page.presenter.acting
    acting.become("kamala", "C-2291")
    desk.until(lambda: acting.state.token is not None)
    assert acting.state.token is not None
    old = replace(acting.state.token, text="old", expires_at=datetime.now(UTC) - timedelta(seconds=1))
    acting.state = replace(acting.state, token=old)
    acting.watch(on=True)
    desk.until(lambda: acting.state.token is not None and acting.state.token.text != "old")


def test_that_a_question_that_can_not_be_kept_says_why(desk: Desk) -> None:
    kitchen = desk.open()
    page = desk.page()
    desk.run(kitchen.database.close)
    ask(desk, page, REFUND)
    wait_for_end(desk, page)
    fault = page.presenter.shown.turns[-1].fault
    assert fault
    assert fault in said(page)
    desk.until(lambda: bool(desk.notices))


def test_that_the_program_may_end_while_answers_stream(writing: tuple[Desk, ChatPage, Pen]) -> None:
    desk, page, pen = writing
    ask(desk, page, REFUND)
    desk.until(lambda: EARLY in said(page))
    assert desk.bridge.stop().clean
    assert pen.closed == 1
