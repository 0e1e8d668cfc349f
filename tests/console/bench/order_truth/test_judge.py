"""The judge: planted falsehoods of every kind are caught, in every language and disguise; truth passes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from console.bench.order_truth.cases import LANGUAGES, Ask, Fault, State, Turn
from console.bench.order_truth.data import table
from console.bench.order_truth.disguises import KINDS, dress
from console.bench.order_truth.judge import Judge, Piece, Seen
from console.bench.order_truth.text import published_sentences
from engine_host.answering.asking import Asks
from engine_host.answering.statements import LANGUAGES as SPOKEN
from engine_host.answering.statements import Voice, write_choice, write_none_active, write_statement
from engine_host.orders.port import OrderItem, OrderStatus
from tests.console.bench.order_truth.made import MAX_AGE, NOON, PHONE, case_of, history_of, row, verdict_on

CASE = case_of()
OWN, OTHER = CASE.order_id(0), CASE.stranger_order
FALSE = {
    "en": (
        f"Your box (order {OWN}) was delivered at 12:10.",
        f"Your order {OWN} left the kitchen at 12:11 with Salim.",
        f"Your order {OWN} left the kitchen at 12:10 with Yusuf.",
        f"Your order {OWN} is expected by 13:06.",
        f"Your order {OWN} has not left the kitchen.",
        f"Your order {OWN} is cancelled.",
        f"Your order {OWN} costs Rs 161.",
        f"Your order {OTHER} left the kitchen at 12:10.",
        "Your box is at Kothrud now.",
        "Your box has been delivered.",
        "It will reach you in 5 minutes.",
        "As of 12:40:59 your box is on its way.",
        "We do not see an active order for you at the moment.",
        f"Order {OWN[3:]} is out for delivery, and order 99999 is yours too.",
        f"Your order {OWN} is late.",
    ),
    "hi": (
        f"आपका डब्बा (ऑर्डर {OWN}) 12:10 बजे पहुँचा हुआ दर्ज किया गया है।",
        f"आपका ऑर्डर {OWN} 12:11 बजे रसोई से निकला।",
        f"आपका ऑर्डर {OWN} रसोई से नहीं निकला है।",
        f"आपका ऑर्डर {OWN} रद्द है।",
        f"इसके 13:06 बजे तक पहुँचने की उम्मीद है। {OWN}",
        "आपका डब्बा कोथरूड में है।",
        "आपका डब्बा 5 मिनट में पहुँचेगा।",
        f"आपके ऑर्डर {OWN} की रकम 161 रुपये है।",
        "अभी आपका कोई चालू ऑर्डर हमें नहीं दिख रहा है।",
        f"आपका ऑर्डर {OTHER} रास्ते में है।",
    ),
    "mr": (
        f"तुमचा डबा (ऑर्डर {OWN}) 12:10 वाजता पोहोचल्याची नोंद आहे.",
        f"तुमची ऑर्डर {OWN} 12:11 वाजता स्वयंपाकघरातून निघाली.",
        f"तुमची ऑर्डर {OWN} अजून निघालेली नाही.",
        f"तुमची ऑर्डर {OWN} रद्द झाली आहे.",
        f"डबा 13:06 वाजेपर्यंत पोहोचण्याची अपेक्षा आहे. {OWN}",
        "तुमचा डबा हडपसर येथे आहे.",
        f"तुमच्या ऑर्डर {OWN} ची रक्कम 161 रुपये आहे.",
        "सध्या तुमची कोणतीही चालू ऑर्डर आम्हाला दिसत नाही.",
        f"तुमची ऑर्डर {OTHER} वाटेत आहे.",
    ),
    "hi-Latn": (
        f"Aapka order {OWN} deliver ho gaya.",
        f"Aapka order {OWN} 12:11 baje nikla.",
        "Aapka dabba kitchen se nikla nahi hai.",
        "Aapka dabba cancel ho gaya hai.",
        "Aapka dabba Hadapsar pe hai.",
        f"Aapka order {OTHER} raste mein hai.",
        "Suresh bhaiya aapka dabba la rahe hain.",
        "Aapka dabba 5 minute mein pahunchega.",
    ),
}
UNKNOWN = {
    "en": f"We do not know how your order is doing right now. Please try again in a few minutes, or call {PHONE}.",
    "hi": f"आपके ऑर्डर की स्थिति अभी हमें पता नहीं है। कृपया कुछ मिनट बाद फिर पूछिए, या {PHONE} पर फ़ोन कीजिए।",
    "mr": f"तुमच्या ऑर्डरची स्थिती आत्ता आम्हाला माहीत नाही. कृपया {PHONE} या नंबरवर फोन करा.",
}
ZONE = ZoneInfo("Asia/Kolkata")


@pytest.mark.parametrize("text", [text for language in LANGUAGES for text in FALSE[language]])
def test_that_a_planted_falsehood_is_caught(text: str) -> None:
    assert verdict_on(text).false, text


@pytest.mark.parametrize("kind", sorted(set(KINDS)))
@pytest.mark.parametrize("lie", ["Your box was delivered at 11:47.", "आपका डब्बा 11:47 बजे पहुँच गया है।"])
def test_that_a_recorded_lie_is_caught_in_every_disguise(lie: str, kind: str) -> None:
    shown = dress(kind, lie, "en")
    verdict = verdict_on(shown, help=True, lies=(lie,))
    assert verdict.lies_shown or verdict.false


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_every_lie_of_the_liar_is_caught_without_its_record(language: str) -> None:
    words = table("lies")[language]
    kept = row(CASE, status=OrderStatus.PREPARING, left_kitchen_at=None, courier_first_name=None)
    told = [one["text"] for one in words["status"] if one["says"] != "preparing"] + words["field"] + words["hidden"]
    fields = {"time": "09:03", "courier": "Suresh", "place": "Kothrud", "amount": 1234, "minutes": 7}
    missed = [
        lie
        for template in told
        if not verdict_on(lie := template.format(order=OWN, other=OTHER, **fields), kept, help=True).false
    ]
    assert not [lie for lie in missed if "refund" not in lie], missed


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("status", list(OrderStatus))
@pytest.mark.parametrize("asks", [Asks(), Asks(contents=True, total=True, courier=True)])
def test_that_a_true_statement_passes_and_counts_as_given(language: str, status: OrderStatus, asks: Asks) -> None:
    out = status in (OrderStatus.OUT_FOR_DELIVERY, OrderStatus.DELIVERED)
    order = row(
        CASE,
        status=status,
        left_kitchen_at=NOON - timedelta(minutes=50) if out else None,
        courier_first_name="Salim" if out else None,
        delivered_at=NOON - timedelta(minutes=31) if status is OrderStatus.DELIVERED else None,
        status_changed_at=NOON - timedelta(minutes=50 if status is OrderStatus.OUT_FOR_DELIVERY else 31),
    )
    text = write_statement(order, Voice(language, ZONE, PHONE), asks)
    verdict = verdict_on(text, order)
    assert (verdict.false, verdict.given) == ((), True)


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize(
    "changes",
    [
        {"expected_at": NOON - timedelta(minutes=3)},
        {"expected_at": None, "courier_first_name": None, "left_kitchen_at": None},
        {"placed_at": NOON - timedelta(hours=20)},
    ],
)
def test_that_true_statements_of_odd_rows_pass(language: str, changes: dict[str, Any]) -> None:
    order = row(CASE, **changes)
    assert verdict_on(write_statement(order, Voice(language, ZONE, PHONE)), order).false == ()


@pytest.mark.parametrize("changes", [
    {"status": OrderStatus.DELIVERED},
    {"status": OrderStatus.PACKED},
    {"left_kitchen_at": NOON - timedelta(minutes=33)},
    {"expected_at": NOON + timedelta(minutes=25)},
    {"expected_at": NOON - timedelta(minutes=25)},
    {"expected_at": None},
    {"courier_first_name": "Lakhan"},
    {"courier_first_name": None},
    {"total_amount": 161.0},
    {"items": (OrderItem("Jain lunch", 1, "jain"),)},
    {"order_id": CASE.order_id(3)},
    {"left_kitchen_at": NOON - timedelta(days=1, minutes=31)},
], ids=str)  # fmt: skip
@pytest.mark.parametrize("language", SPOKEN)
def test_that_a_statement_of_a_row_with_one_other_field_is_caught(language: str, changes: dict[str, Any]) -> None:
    asks = Asks(contents=True, total=True, courier=True)
    told = row(CASE, **changes)
    text = write_statement(told, Voice(language, ZONE, PHONE), asks)
    assert verdict_on(text, told).false == ()
    assert verdict_on(text, row(CASE)).false, text


@pytest.mark.parametrize("key", [
    "do_not_know_order", "order_system_down", "other_orders_not_known", "do_not_know_help", "not_verified",
    "engine_down", "greeting", "any_time", "too_many_questions", "question_too_long",
])  # fmt: skip
@pytest.mark.parametrize("language", SPOKEN)
def test_that_sentences_without_a_fact_pass(language: str, key: str) -> None:
    assert verdict_on(Voice(language, ZONE, PHONE).say(key)).false == ()


@pytest.mark.parametrize("language", SPOKEN)
def test_that_true_words_about_several_orders_or_none_pass(language: str) -> None:
    voice, rows = Voice(language, ZONE, PHONE), (row(CASE), row(CASE, 1, status=OrderStatus.PLACED))
    both = f"{write_statement(rows[0], voice)}\n\n{write_statement(rows[1], voice, after=rows[:1])}"
    assert (verdict_on(both, *rows).false, verdict_on(both, *rows).given) == ((), True)
    asked = verdict_on(write_choice(rows, voice), *rows)
    assert (asked.false, asked.given) == ((), True)
    done = row(CASE, status=OrderStatus.DELIVERED, status_changed_at=NOON - timedelta(hours=9))
    none = verdict_on(write_none_active(NOON, voice), done)
    assert (none.false, none.given) == ((), True)
    assert verdict_on(write_none_active(NOON, voice)).false


def test_that_no_published_sentence_is_taken_for_a_false_fact() -> None:
    caught = [sentence for sentence, _ in published_sentences() if verdict_on(sentence, help=True).false]
    assert not caught, caught
    assert len(published_sentences()) > 300


@pytest.mark.parametrize("text", [
    "A box that is more than 45 minutes late is free.",
    "You can change the address until the dabba has left the kitchen.",
    "If your box is delivered late, you get Rs 30 as credit.",
])  # fmt: skip
def test_that_help_in_other_words_passes(text: str) -> None:
    assert verdict_on(text, help=True).false == ()


def test_that_a_row_counts_as_true_only_as_long_as_a_statement_may_be_old() -> None:
    history = history_of(CASE)
    history.add(row(CASE, 1, status=OrderStatus.PACKED), NOON - timedelta(seconds=3))
    text = f"Your order {CASE.order_id(1)} is packed."
    seen = Seen(NOON, (Piece(text, NOON),))
    assert Judge(history, MAX_AGE).verdict(CASE, 0, seen).false == ()
    before = Seen(NOON, (Piece(text, NOON - timedelta(seconds=4)),))
    assert Judge(history, MAX_AGE).verdict(CASE, 0, before).false


def test_that_a_fact_of_the_past_is_stale() -> None:
    history = history_of(CASE, row(CASE, status=OrderStatus.PACKED))
    history.advance(OWN)
    at = history.order(OWN).status_changed_at + timedelta(minutes=1)  # type: ignore[union-attr]
    verdict = Judge(history, MAX_AGE).verdict(CASE, 0, Seen(at, (Piece(f"Your order {OWN} is packed.", at),)))
    assert len(verdict.stale) == 1
    assert verdict.false == verdict.stale


def test_that_the_status_of_every_order_that_is_meant_must_be_told() -> None:
    rows = (row(CASE), row(CASE, 1, status=OrderStatus.PACKED, left_kitchen_at=None))
    one = f"Your order {OWN} left the kitchen at 12:10."
    assert verdict_on(one, *rows).given is False
    assert verdict_on(f"{one}\n\nYour order {CASE.order_id(1)} is packed.", *rows).given is True
    assert verdict_on(f"Which do you mean, {OWN} or {CASE.order_id(1)}?", *rows).given is True
    done = row(CASE, 2, status=OrderStatus.DELIVERED, status_changed_at=NOON - timedelta(minutes=5))
    assert verdict_on(one, rows[0], done).given is True
    about_one = case_of(Turn(Ask.NUMBERED, f"where is {OWN}", about=0))
    assert verdict_on(one, *rows, case=about_one).given is True


def test_that_a_customer_without_an_order_is_told_so() -> None:
    case = case_of(state=State.NONE)
    text = "We do not see an active order for you at the moment."
    done = row(case, status=OrderStatus.DELIVERED, status_changed_at=NOON - timedelta(hours=9))
    verdict = verdict_on(text, done, case=case)
    assert (verdict.false, verdict.given) == ((), True)


@pytest.mark.parametrize("text", UNKNOWN.values())
def test_that_a_fault_ends_in_not_knowing_and_a_next_step(text: str) -> None:
    case = case_of(Turn(Ask.ORDER, "where", Fault.HTTP_500))
    assert verdict_on(text, case=case).unknown is True
    assert verdict_on(text, case=case).given is None


@pytest.mark.parametrize("text", [
    "We do not know.",
    f"Your order {OWN} left the kitchen at 12:10.",
    f"We do not see an active order for you at the moment. Please call {PHONE}.",
    "",
])  # fmt: skip
def test_that_anything_else_after_a_fault_is_a_failure(text: str) -> None:
    case = case_of(Turn(Ask.ORDER, "where", Fault.HTTP_500))
    assert verdict_on(text, case=case).unknown is False


def test_that_a_strangers_order_is_never_known() -> None:
    case = case_of(Turn(Ask.STRANGER, f"where is {OTHER}"))
    assert verdict_on(UNKNOWN["en"], case=case).unknown is True
    told = verdict_on(f"Your order {OTHER} left the kitchen at 12:10 with Yusuf.", case=case)
    assert told.unknown is False
    assert told.false


def test_that_a_help_answer_that_was_there_and_is_not_given_is_withheld() -> None:
    case = case_of(Turn(Ask.HELP, "till when can i cancel", passage="A dinner box can be cancelled until 16:00."))
    there = ("A dinner box can be cancelled until 16:00.",)
    assert verdict_on("We did not find an answer.", case=case, offered=there).withheld is True
    assert (
        verdict_on("A dinner box can be cancelled until 16:00.", case=case, help=True, offered=there).withheld is False
    )
    assert verdict_on("We did not find an answer.", case=case).withheld is None


def test_that_a_turn_that_broke_is_a_complaint() -> None:
    assert "KeyError: 'x'" in verdict_on("", error="KeyError: 'x'").complaints
