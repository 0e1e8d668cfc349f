"""One question from the first word to the ledger."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from unittest.mock import AsyncMock

import pytest

from engine_host.answering.errors import UnknownConversation, UnknownTenant
from engine_host.answering.event_json import event_from_json
from engine_host.answering.events import (
    Ended,
    Opened,
    PassagesFound,
    Quoted,
    Routed,
    Stated,
    Text,
    ToolCalled,
    Withheld,
    Writing,
)
from engine_host.answering.route import UNROUTED, Router
from engine_host.answering.turn_record import TurnRecord
from engine_host.client.errors import EngineBusy, EngineLost
from engine_host.orders.identity import issue_token
from knowledge.article import Audience
from knowledge.errors import IndexUnavailable
from storage.records import TokenUse, TurnOutcome
from tests.engine_host.answering.articles import article
from tests.engine_host.answering.desk import REFUNDS, SECRET, Desk, ended, kinds, question, released, token
from tests.fakes.answering import KAMALA, Clock, MemoryBook, order, passage, voice

if TYPE_CHECKING:
    from storage.database import Database

HELP = "how long does a upi refund take"
WHERE = "where is my dabba"
BOTH = "where is my dabba and what is the refund policy"


def says(key: str, language: str = "en") -> str:
    return voice(language).say(key)


async def test_that_an_order_question_goes_from_look_up_to_statement_to_ledger(desk: Desk) -> None:
    desk.book.orders = [order()]
    events = await desk.ask(WHERE)
    assert kinds(events) == ["Opened", "Routed", "ToolCalled", "Stated", "Ended"]
    assert ended(events).outcome is TurnOutcome.ORDER_STATED
    assert ended(events).times.lookup == 4.0
    assert ended(events).times.ttft is None
    assert desk.engine.requests == []


async def test_that_a_help_question_is_answered_sentence_by_sentence(desk: Desk) -> None:
    desk.engine.pieces = (
        "A refund to UPI ",
        "takes up to 2 working",
        " days. Your order ",
        "has left. ",
        "It is blue.",
    )
    events = await desk.ask(HELP)
    assert kinds(events) == ["Opened", "Routed", "PassagesFound", "Writing", "Text", "Withheld", "Withheld", "Ended"]
    assert released(events) == ["A refund to UPI takes up to 2 working days."]
    assert ended(events).outcome is TurnOutcome.ANSWERED
    assert ended(events).say == ""
    assert ended(events).tokens == TokenUse(100, 64, 5)
    assert desk.engine.closed == 1


async def test_that_the_ledger_holds_what_was_told(desk: Desk) -> None:
    desk.engine.pieces = ("A refund to UPI takes up to 2 working days. ", "It is blue.")
    events = await desk.ask(HELP, customer_name="Meera")
    opened = events[0]
    assert isinstance(opened, Opened)
    (turn,) = await desk.kept(opened.conversation_id)
    assert turn.settled is not None
    assert [event_from_json(event) for event in turn.settled.events] == events
    end = ended(events)
    assert (turn.settled.outcome, turn.settled.tokens, turn.settled.times) == (end.outcome, end.tokens, end.times)
    assert (turn.settled.answer, turn.settled.withheld) == ("A refund to UPI takes up to 2 working days.", 1)
    assert (turn.opened.question, turn.opened.customer_id, turn.opened.engine_run) == (HELP, "C-2291", "run-1")
    assert (turn.opened.turn_id, turn.opened.customer_name) == (opened.turn_id, "Meera")


async def test_that_times_add_up(desk: Desk) -> None:
    desk.engine.pieces = ("A refund to UPI takes ", "up to 2 working days.")
    times = ended(await desk.ask(HELP)).times
    assert None not in (times.retrieve, times.prefill, times.decode, times.gate, times.first_text, times.ttft)
    assert times.queue == 1.5
    assert times.total is not None
    assert times.decode is not None
    assert times.inter_token == times.decode
    assert times.total >= (times.first_text or 0) >= (times.ttft or 0) >= (times.prefill or 0) >= 0


async def test_that_usage_grows_by_what_a_turn_used(desk: Desk) -> None:
    desk.engine.pieces = ("A refund to UPI takes up to 2 working days.",)
    await desk.ask(HELP)
    await desk.ask("")
    used = await desk.used()
    assert (used.requests, used.refused, used.tokens) == (2, 1, TokenUse(100, 64, 1))


@pytest.mark.parametrize(
    "pieces", [(), ("I do not know.",), ("Your order has left.",), ("Blue. ", "Green."), ("  \n",)]
)
async def test_that_the_best_passage_is_quoted_when_no_written_sentence_passes(
    desk: Desk, pieces: tuple[str, ...]
) -> None:
    desk.engine.pieces = pieces
    events = await desk.ask(HELP)
    assert released(events) == [REFUNDS]
    assert isinstance(events[-2], Quoted)
    assert events[-2].citation == 1
    assert ended(events).outcome is TurnOutcome.ANSWERED


async def test_that_not_knowing_beside_a_released_sentence_is_withheld(desk: Desk) -> None:
    desk.engine.pieces = ("A refund to UPI takes up to 2 working days. ", "I do not know.")
    assert released(await desk.ask(HELP)) == ["A refund to UPI takes up to 2 working days."]


async def test_that_the_passage_is_quoted_too_when_all_that_was_written_is_beside_the_question(desk: Desk) -> None:
    desk.library.passages = (
        passage("A box has a lid. A refund to UPI takes up to 2 working days. Call us on Monday."),
    )
    desk.engine.pieces = ("A box has a lid.",)
    events = await desk.ask(HELP)
    assert kinds(events)[-3:] == ["Text", "Quoted", "Ended"]
    assert "2 working days" in released(events)[-1]
    assert "beside the question" in ended(events).why


async def test_that_what_was_written_already_is_not_quoted_again(desk: Desk) -> None:
    desk.library.passages = (passage("A box has a lid."),)
    desk.engine.pieces = ("A box has a lid.",)
    assert kinds(await desk.ask(HELP))[-2:] == ["Text", "Ended"]


async def test_that_a_passage_is_quoted_without_an_engine(desk: Desk) -> None:
    desk.engine.ready = False
    events = await desk.ask(HELP)
    assert kinds(events) == ["Opened", "Routed", "PassagesFound", "Quoted", "Ended"]
    assert "No engine is ready" in ended(events).why


@pytest.mark.parametrize(
    ("text", "chosen", "language"),
    [("रिफंड कितने दिन में मिलता है?", None, "hi"), ("रिफंड कितने दिन में मिलता है?", "en", "en"), (HELP, "mr", "mr")],
)
async def test_that_a_model_is_not_asked_in_a_language_it_does_not_write(
    desk: Desk, text: str, chosen: str | None, language: str
) -> None:
    events = await desk.ask(text, language=chosen)
    assert isinstance(events[0], Opened)
    assert events[0].language == language
    assert released(events) == [REFUNDS]
    assert desk.engine.requests == []
    assert "does not write" in ended(events).why


async def test_that_a_model_that_writes_hindi_is_asked_in_hindi(desk: Desk) -> None:
    title, body = article("late-dabba.hi")
    sentence = "डब्बा 20 से 45 मिनट देर से आए तो 30 रुपये का क्रेडिट मिलता है।"
    desk.library.passages = (passage(body, title, language="hi"),)
    desk.engine.languages = ("en", "hi")
    desk.engine.pieces = (sentence,)
    assert released(await desk.ask("देर होने पर क्या मिलता है?")) == [sentence]
    assert desk.library.askers[0].language == "hi"


async def test_that_a_question_too_big_for_the_context_gets_the_passage_quoted(desk: Desk) -> None:
    desk.engine.context_tokens = 200
    events = await desk.ask(HELP)
    assert released(events) == [REFUNDS]
    assert desk.engine.requests == []
    assert "holds no passage" in ended(events).why


@pytest.mark.parametrize("passages", [(), (passage(REFUNDS, given=False),)])
async def test_that_nothing_found_is_not_known(desk: Desk, passages: tuple[object, ...]) -> None:
    desk.library.passages = passages  # type: ignore[assignment]
    events = await desk.ask("do you deliver to the moon")
    assert kinds(events) == ["Opened", "Routed", "PassagesFound", "Ended"]
    assert (ended(events).outcome, ended(events).say) == (TurnOutcome.DOES_NOT_KNOW, says("do_not_know_help"))
    assert desk.engine.requests == []


async def test_that_only_customers_articles_of_the_day_are_searched(desk: Desk) -> None:
    await desk.ask(HELP)
    (asker,) = desk.library.askers
    assert (asker.tenant_id, asker.audience, asker.on.isoformat()) == ("kamala", Audience.CUSTOMERS, "2026-11-30")


async def test_that_an_answer_is_as_long_as_the_tenant_allows(database: Database) -> None:
    quota = replace(KAMALA.quota, longest_answer_tokens=7)
    desk = await Desk(database, replace(KAMALA, quota=quota)).keep_tenant()
    await desk.ask(HELP)
    assert desk.engine.requests[0].max_tokens == 7
    assert desk.engine.requests[0].temperature == 0.0


@pytest.mark.parametrize(
    "error", [EngineLost("vLLM died in mid-stream: it ran out of memory."), EngineBusy("vLLM is full.")]
)
@pytest.mark.parametrize(
    ("pieces", "shown", "say"),
    [
        ((), REFUNDS, ""),
        (
            ("A refund to UPI takes up to 2 working days. The bank dec",),
            "A refund to UPI takes up to 2 working days.",
            says("engine_down"),
        ),
    ],
    ids=["before a sentence", "after one"],
)
async def test_that_a_turn_fails_with_its_engine_and_still_shows_what_the_articles_say(
    desk: Desk, error: Exception, pieces: tuple[str, ...], shown: str, say: str
) -> None:
    desk.engine.pieces, desk.engine.error = pieces, error
    events = await desk.ask(HELP)
    end = ended(events)
    assert (end.outcome, end.say, end.why) == (TurnOutcome.FAILED, say, str(error))
    assert released(events) == [shown]
    assert end.tokens.output == len(pieces)
    assert desk.engine.closed == 1
    assert (await desk.used()).failed == 1


async def test_that_a_broken_index_ends_a_help_turn_as_failed(desk: Desk) -> None:
    desk.library.error = IndexUnavailable("The passage index can't be read: its folder is gone. Rebuild it.")
    end = ended(await desk.ask(HELP))
    assert (end.outcome, end.say) == (TurnOutcome.FAILED, says("engine_down"))
    assert "Rebuild it." in end.why


async def test_that_a_broken_index_takes_nothing_away_from_an_order(desk: Desk) -> None:
    desk.library.error = IndexUnavailable("The passage index can't be read.")
    desk.book.orders = [order()]
    events = await desk.ask(BOTH)
    assert "ToolCalled" in kinds(events)
    assert len(released(events)) == 1
    end = ended(events)
    assert (end.outcome, end.say, end.why) == (TurnOutcome.ORDER_STATED, "", "The passage index can't be read.")
    stranger = ended(await desk.ask(BOTH, token=None))
    assert (stranger.outcome, stranger.say) == (TurnOutcome.DOES_NOT_KNOW, says("not_verified"))


async def test_that_a_turn_about_both_has_no_text_of_the_model(desk: Desk) -> None:
    desk.book.orders = [order()]
    desk.engine.pieces = ("A refund to UPI takes up to 2 working days.",)
    events = await desk.ask(BOTH)
    assert kinds(events) == ["Opened", "Routed", "ToolCalled", "Stated", "PassagesFound", "Quoted", "Ended"]
    assert ended(events).outcome is TurnOutcome.ORDER_STATED
    assert desk.engine.requests == []


async def test_that_a_turn_about_both_without_passages_says_only_the_order(desk: Desk) -> None:
    desk.book.orders, desk.library.passages = [order()], ()
    events = await desk.ask(BOTH)
    assert len(released(events)) == 1
    assert ended(events).say == ""


async def test_that_no_order_fact_waits_behind_a_slow_search(database: Database) -> None:
    clock = Clock()
    desk = await Desk(database, book=MemoryBook(clock)).keep_tenant()

    def search_takes_long() -> None:
        clock.now += 10

    desk.library.before_answer = search_takes_long
    for orders in ([], [order()], [order(order_id=f"KD-500{number}") for number in range(4)]):
        desk.book.orders = orders
        events = await desk.ask(BOTH)
        assert kinds(events) == ["Opened", "Routed", "ToolCalled", "Stated", "PassagesFound", "Quoted", "Ended"]
        assert ended(events).say == ""


@pytest.mark.parametrize("text", ["hello", "नमस्ते"])
async def test_that_small_talk_is_greeted_back(desk: Desk, text: str) -> None:
    events = await desk.ask(text)
    assert kinds(events) == ["Opened", "Routed", "Ended"]
    language = "en" if text == "hello" else "hi"
    assert (ended(events).outcome, ended(events).say) == (TurnOutcome.ANSWERED, says("greeting", language))


@pytest.mark.parametrize(
    ("text", "language"),
    [("thanks!", "en"), ("ok bye", "en"), ("धन्यवाद", "hi"), ("shukriya", "hi-Latn"), ("bas thik hai", "hi-Latn")],
)
async def test_that_thanks_are_not_greeted(desk: Desk, text: str, language: str) -> None:
    events = await desk.ask(text)
    assert (ended(events).outcome, ended(events).say) == (TurnOutcome.ANSWERED, says("any_time", language))


@pytest.mark.parametrize("text", ["", "   \n\t "])
async def test_that_an_empty_question_is_refused(desk: Desk, text: str) -> None:
    events = await desk.ask(text)
    assert kinds(events) == ["Opened", "Ended"]
    assert (ended(events).outcome, ended(events).say) == (TurnOutcome.REFUSED, says("greeting"))


async def test_that_a_question_that_is_too_long_is_refused(desk: Desk) -> None:
    events = await desk.ask("where is my dabba " * 400)
    assert kinds(events) == ["Opened", "Ended"]
    assert (ended(events).outcome, ended(events).say) == (TurnOutcome.REFUSED, says("question_too_long"))
    assert "1,024" in ended(events).why


async def test_that_a_tenant_over_its_quota_is_refused(database: Database) -> None:
    tenant = replace(KAMALA, quota=replace(KAMALA.quota, daily_tokens=100))
    desk = await Desk(database, tenant).keep_tenant()
    desk.engine.pieces = ("A refund to UPI takes up to 2 working days.",)
    assert ended(await desk.ask(HELP)).outcome is TurnOutcome.ANSWERED
    events = await desk.ask(WHERE)
    assert kinds(events) == ["Opened", "Ended"]
    assert (ended(events).outcome, ended(events).say) == (TurnOutcome.REFUSED, says("too_many_questions"))


async def test_that_a_place_is_given_back_after_each_turn(database: Database) -> None:
    tenant = replace(KAMALA, quota=replace(KAMALA.quota, concurrent_requests=1))
    desk = await Desk(database, tenant).keep_tenant()
    desk.engine.error = EngineLost("gone")
    for text in (HELP, WHERE, "", "hello", HELP):
        assert ended(await desk.ask(text)).say != says("too_many_questions")


async def test_that_an_unknown_tenant_is_told_so(desk: Desk) -> None:
    with pytest.raises(UnknownTenant, match="'nobody' is not known"):
        await desk.ask(WHERE, tenant_id="nobody")
    assert await desk.all_turns() == ()


@pytest.mark.parametrize(
    "bad",
    [None, "", "x.y.z", token(secret=b"t" * 32), token(tenant="annapurna"), token()[:-4]],
    ids=["none", "empty", "junk", "forged", "other tenant", "cut"],
)
async def test_that_a_bad_token_gives_no_order(desk: Desk, bad: str | None) -> None:
    desk.book.orders = [order()]
    events = await desk.ask(WHERE, token=bad)
    assert kinds(events) == ["Opened", "Routed", "Ended"]
    assert (ended(events).outcome, ended(events).say) == (TurnOutcome.DOES_NOT_KNOW, says("not_verified"))
    assert desk.book.asked == []
    assert isinstance(events[0], Opened)
    assert events[0].customer is None


async def test_that_an_expired_token_gives_no_order(desk: Desk) -> None:
    old = issue_token(SECRET, "kamala", "C-2291", 60, datetime.now(UTC) - timedelta(minutes=5))
    end = ended(await desk.ask(WHERE, token=old))
    assert end.say == says("not_verified")
    assert "expired" in end.why


@pytest.mark.parametrize("language", ["en", "hi", "mr"])
async def test_that_someone_else_s_order_and_an_unknown_one_are_told_alike(desk: Desk, language: str) -> None:
    desk.book.orders = [order(order_id="KD-5001", customer_id="C-9999")]
    theirs, unknown = [await desk.ask(number, language=language) for number in ("KD-5001", "KD-6666")]
    assert ended(theirs).say == ended(unknown).say == says("do_not_know_order", language)
    assert kinds(theirs) == kinds(unknown)
    assert released(theirs) == released(unknown) == []


async def test_that_an_order_system_that_is_down_ends_in_not_knowing(desk: Desk) -> None:
    desk.book.down = True
    events = await desk.ask(WHERE)
    assert (ended(events).outcome, ended(events).say) == (TurnOutcome.DOES_NOT_KNOW, says("order_system_down"))


async def test_that_a_question_is_answered_in_its_language(desk: Desk) -> None:
    desk.book.orders = [order()]
    for text, language, word in (
        (WHERE, None, "As of"),
        ("डब्बा कहाँ है", None, "यह जानकारी"),
        (WHERE, "mr", "ही माहिती"),
        ("mera dabba kidhar hai", None, "Yeh jaankari"),
    ):
        assert word in released(await desk.ask(text, language=language))[0]


async def test_that_a_conversation_goes_on_without_its_order_facts(desk: Desk) -> None:
    desk.book.orders = [order()]
    first = await desk.ask(WHERE)
    assert isinstance(first[0], Opened)
    conversation = first[0].conversation_id
    desk.engine.pieces = ("A refund to UPI takes up to 2 working days.",)
    await desk.ask(HELP, conversation_id=conversation)
    await desk.ask("and to a wallet balance, how long?", conversation_id=conversation)
    sent = "\n".join(message.content for message in desk.engine.requests[-1].messages)
    assert HELP in sent
    assert "KD-4821" not in sent
    assert "Ravi" not in sent
    assert len(await desk.kept(conversation)) == 3


async def test_that_another_customer_s_turns_are_not_shown_to_the_model(desk: Desk) -> None:
    desk.engine.pieces = ("A refund to UPI takes up to 2 working days.",)
    await desk.ask(HELP + " my name is Meera", conversation_id="c1")
    await desk.ask(HELP, conversation_id="c1", token=token("C-9999"))
    await desk.ask(HELP, conversation_id="c1", token=None)
    for request in desk.engine.requests[1:]:
        assert not any("Meera" in message.content for message in request.messages)


async def test_that_a_conversation_of_another_tenant_is_refused(desk: Desk, database: Database) -> None:
    other = await Desk(database, replace(KAMALA, tenant_id="annapurna", colour=2)).keep_tenant()
    await desk.ask(HELP, conversation_id="c1")
    with pytest.raises(UnknownConversation, match="Start a new one"):
        await other.ask(HELP, conversation_id="c1", tenant_id="annapurna")
    assert len(await desk.kept("c1")) == 1


async def test_that_every_event_of_staff_and_customer_comes_in_order(desk: Desk) -> None:
    desk.engine.pieces = ("A refund to a wallet balance is made at once. ", "Blue.")
    ranks = [Opened, Routed, ToolCalled, PassagesFound, Writing, (Stated, Text, Quoted, Withheld), Ended]
    for text in (HELP, WHERE, "hi", ""):
        events = await desk.ask(text)
        order_of = [next(i for i, kind in enumerate(ranks) if isinstance(event, kind)) for event in events]
        assert order_of == sorted(order_of)
        assert order_of.count(len(ranks) - 1) == 1


async def test_that_a_question_is_opened_before_anything_is_done_about_it(desk: Desk) -> None:
    answer = desk.turns.answer(question(WHERE))
    opened = await anext(answer)
    assert isinstance(opened, Opened)
    (turn,) = await desk.kept(opened.conversation_id)
    assert turn.settled is None
    assert desk.book.asked == []
    await answer.aclose()


def test_that_a_turn_can_t_be_told_as_ended_before_it_is_settled() -> None:
    with pytest.raises(RuntimeError, match="settled before"):
        TurnRecord(question(WHERE), None).ended()


@pytest.mark.parametrize("written", ["", "Your order KD-4821 was delivered at 12:00."])
@pytest.mark.parametrize("text", ["what is a zebra box", "zebra डब्बा क्या है", "zebra डबा म्हणजे काय"])
async def test_that_an_article_that_tells_of_one_order_is_not_shown(desk: Desk, text: str, written: str) -> None:
    desk.library.passages = (passage("Your order KD-4821 was delivered at 12:00.", "Zebra boxes"),)
    desk.engine.pieces = (written,)
    events = await desk.ask(text)
    assert released(events) == []
    assert ended(events).outcome is TurnOutcome.DOES_NOT_KNOW
    assert "single orders" in ended(events).why


@pytest.mark.parametrize("text", [WHERE, "track my order AR-2107", f"{WHERE} and {HELP}"])
async def test_that_an_order_of_another_tenant_is_not_stated(desk: Desk, text: str) -> None:
    desk.book.orders = [order(order_id="AR-2107")]
    events = await desk.ask(text)
    assert not [event for event in events if isinstance(event, Stated)]
    assert ended(events).outcome is TurnOutcome.DOES_NOT_KNOW
    assert "AR-2107" not in str([*released(events), ended(events).say])


@pytest.mark.parametrize("text", ["upi \udcff refund", "\ud83c upi refund", "upi \x00 refund"])
async def test_that_half_characters_of_a_question_go_no_further(desk: Desk, text: str) -> None:
    events = await desk.ask(text)
    (turn,) = await desk.all_turns()
    sent = "".join(message.content for message in desk.engine.requests[0].messages)
    assert "\ufffd" in turn.opened.question
    assert "\ufffd" in sent
    assert (sent + str(events)).encode()


async def test_that_a_doubt_of_someone_not_signed_in_is_a_question_for_the_articles(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubtful = replace(UNROUTED, order=True, help=True, order_rule="in doubt", by="doubt")
    monkeypatch.setattr(Router, "route", AsyncMock(return_value=doubtful))
    anonymous = await desk.ask(HELP, token=None)
    assert released(anonymous)
    assert ended(anonymous).outcome is TurnOutcome.ANSWERED
    signed_in = await desk.ask(HELP)
    assert any(isinstance(event, ToolCalled) for event in signed_in)
