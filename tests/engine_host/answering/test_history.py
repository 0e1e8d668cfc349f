"""What of earlier turns the model may see again."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from engine_host.answering.event_json import event_to_json
from engine_host.answering.events import PassagesFound, Quoted, Routed, Stated, Text, TurnEvent, Withheld
from engine_host.answering.history import GONE_MARK, ORDER_MARK, model_history, sources
from storage.records import NewTurn, SettledTurn, TokenUse, Turn, TurnOutcome, TurnTimes
from tests.fakes.answering import order, passage


def turn(question: str, *events: TurnEvent, outcome: TurnOutcome = TurnOutcome.ANSWERED, is_open: bool = False) -> Turn:
    opened = NewTurn("t", "c", "kamala", "C-2291", "", question, datetime.now(UTC), None)
    kept = tuple(map(event_to_json, events))
    settled = SettledTurn("t", outcome, "en", "", TokenUse(), TurnTimes(), kept)
    return Turn(opened, None if is_open else settled)


STATED = Stated("Your Low-sugar lunch (order KD-4821) was packed at 12:10. As of 12:41:05.", order(), 0.1, False)
ORDER_ROUTE = Routed(True, False, "where is my …", "", (), 0.1)
HELP_ROUTE = Routed(False, True, "", "everything else", (), 0.1)


def said(*turns: Turn) -> list[str]:
    return [message.content for message in model_history(turns)]


def test_that_no_order_fact_reaches_the_model() -> None:
    about_order = turn("where is it, Ravi had it at 12:10", ORDER_ROUTE, STATED, outcome=TurnOutcome.ORDER_STATED)
    both = turn("and the refund for KD-4821?", HELP_ROUTE, STATED, Quoted("A refund takes 2 days.", 1))
    assert said(about_order, both) == [ORDER_MARK, ORDER_MARK, ORDER_MARK, f"{ORDER_MARK} A refund takes 2 days."]


@pytest.mark.parametrize(
    "question",
    [
        "you told me it was delivered",
        "You said my box left at 12:10.",
        "my order was cancelled yesterday",
        "the rider said he is at the gate",
        "aapne bola tha ki dabba nikal gaya",
        "mera order cancel ho gaya",
        "आपने कहा था कि डब्बा निकल गया है",
        "मेरा ऑर्डर रद्द हो गया है",
        "तुम्ही म्हणालात डबा निघाला आहे",
        "माझी ऑर्डर रद्द झाली आहे",
        "tumhi sangitla ki dabba nighala",
        "KD-४८२१ was late",
    ],
)
def test_that_a_customers_claim_about_an_order_is_not_seen_again(question: str) -> None:
    assert said(turn(question, HELP_ROUTE, Text("It takes 2 days.", (1,))))[0] == ORDER_MARK


@pytest.mark.parametrize(
    "question",
    [
        "how long does a upi refund take",
        "what is in a jain box",
        "can I change my address after 18:00",
        "रिफ़ंड कितने दिन में आता है",
        "डबा कसा परत करायचा",
        "jain dabba kitne ka hai",
        "kya main apna plan pause kar sakta hu",
    ],
)
def test_that_a_help_question_is_seen_again_as_it_was(question: str) -> None:
    assert said(turn(question, HELP_ROUTE, Text("It takes 2 days.", (1,))))[0] == question


def test_that_only_the_sentence_that_tells_is_marked() -> None:
    asked = "You told me my box was delivered. How long does a UPI refund take?"
    assert said(turn(asked, HELP_ROUTE))[0] == f"{ORDER_MARK} How long does a UPI refund take?"


def test_that_an_old_answer_that_would_be_a_claim_now_is_marked() -> None:
    quoted = "Boxes have lids. Your dabba is on its way when the app shows a scooter."
    assert said(turn("lids?", HELP_ROUTE, Quoted(quoted, 1)))[1] == f"Boxes have lids. {ORDER_MARK}"


def test_that_help_is_seen_again_without_what_was_withheld() -> None:
    help_turn = turn("upi refund?", HELP_ROUTE, Withheld("Your order left.", "…"), Text("It takes 2 days.", (1,)))
    assert said(help_turn) == ["upi refund?", "It takes 2 days."]


def test_that_roles_take_turns() -> None:
    roles = [m.role for m in model_history((turn("a b", Text("c", (1,))), turn("d e", Text("f", (1,)))))]
    assert roles == ["user", "assistant", "user", "assistant"]


def test_that_only_the_last_two_answered_turns_are_seen() -> None:
    turns = (
        turn("first", Text("one", (1,))),
        turn("second", Text("two", (1,))),
        turn("refused", outcome=TurnOutcome.REFUSED),
        turn("failed", Text("half", (1,)), outcome=TurnOutcome.FAILED),
        turn("third", Text("three", (1,))),
        turn("now", is_open=True),
    )
    assert said(*turns) == ["second", "two", "third", "three"]
    assert said() == []


def test_that_an_answer_without_text_leaves_a_mark() -> None:
    assert said(turn("hi", HELP_ROUTE)) == ["hi", ORDER_MARK]


UPI = passage("A UPI refund takes two days.", article_id="upi")
CARD = passage("A card refund takes five days.", article_id="card")
NEVER_GIVEN = passage("A refund of steel.", article_id="steel", given=False)
FOUND = PassagesFound((UPI, NEVER_GIVEN, CARD), 0.4, 9, 1.0)


def test_that_the_sources_of_an_answer_are_the_given_passages_that_it_cites() -> None:
    cited = turn("refund?", HELP_ROUTE, FOUND, Text("Five days.", (2,)), Quoted("A UPI refund takes two days.", 1))
    assert sources((cited,)) == (CARD, UPI)
    assert sources((turn("refund?", HELP_ROUTE, FOUND, Text("Days.", ())),)) == (UPI, CARD)
    assert sources((turn("refund?", HELP_ROUTE, Text("Days.", (1,))),)) == ()


def test_that_the_model_never_sees_again_what_no_article_says_any_more() -> None:
    told = turn("refund?", HELP_ROUTE, FOUND, Text("Five days.", (2,)), Text("Two days.", (1,)), Text("Days.", (1, 2)))
    said_now = [message.content for message in model_history((told,), [CARD])]
    assert said_now == ["refund?", f"{GONE_MARK} Two days."]
    quoted = turn("refund?", HELP_ROUTE, FOUND, Quoted("A card refund takes five days.", 2))
    assert [message.content for message in model_history((quoted,), [CARD])] == ["refund?", GONE_MARK]
