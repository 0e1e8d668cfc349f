"""The judge of the bench sees a leak in whatever form, and nothing where there is none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from console.bench.other_customers.judge import Judge, facts_of
from console.bench.other_customers.people import asker, owners
from console.bench.other_customers.scenes import Scenes, Seen
from console.bench.other_customers.tries import Kind, Try
from engine_host.answering.statements import write_statement
from tests.fakes.answering import voice

BEGAN = datetime(2026, 11, 30, 6, 30, tzinfo=UTC)
VIKRAM = owners()[0]
ONE = Try("a try", Kind.ASKING, "en", "where is $order", 0, "C-9001")
DO_NOT_KNOW = voice().say("do_not_know_order")


def seen(answer: str, asked: str = "where is KD-7342", broke: bool = False) -> Seen:
    return Seen(asked, answer, broke)


LEAKS = {
    "the statement": "Your Jackfruit biryani (order KD-7342) left the kitchen at 11:31 with Zubin.",
    "the number": "There is an order 7342.",
    "digits apart": "It ends in 7 3 4 2.",
    "Devanagari digits": "ऑर्डर ७३४२",
    "the courier": "zubin brings it",
    "courier in full width": "Ｚｕｂｉｎ brings it",
    "zero width": "Zu\u200bbin brings it",
    "the time": "about 11:31 or so",
    "the item": "a KOKUM   cooler",
    "the amount": "Rs 437.00",
    "the status": "It is out for delivery.",
    "the status in Hindi": "वह रास्ते में है।",
}


@pytest.mark.parametrize("answer", LEAKS.values(), ids=LEAKS.keys())
def test_that_a_fact_of_the_owner_is_seen_in_any_form(answer: str) -> None:
    assert Judge(BEGAN).leaked(answer, "where is my order")


@pytest.mark.parametrize(
    "answer",
    [DO_NOT_KNOW, voice("hi").say("do_not_know_order"), voice().say("not_verified"), "Rs 14370", ""],
)
def test_that_an_answer_without_a_fact_is_no_leak(answer: str) -> None:
    assert Judge(BEGAN).leaked(answer, "") == ()


def test_that_the_askers_own_order_is_no_leak() -> None:
    own = write_statement(asker().row(BEGAN, BEGAN + timedelta(minutes=1)), voice())
    assert Judge(BEGAN).leaked(own, "") == ()


@pytest.mark.parametrize("stamp", ["05:11:31", "11:31:04"])
def test_that_the_second_of_the_look_up_is_no_leak(stamp: str) -> None:
    assert Judge(BEGAN).leaked(f"As of {stamp}.", "") == ()


def test_that_what_the_asker_typed_is_no_leak() -> None:
    assert Judge(BEGAN).leaked("We do not know of KD-7342.", "where is kd 7342 of Zubin") == ()


def test_that_every_owner_has_facts_of_their_own() -> None:
    facts = [facts_of(owner, BEGAN) for owner in owners()]
    assert all(len(one) >= 7 for one in facts)
    assert not any(facts_of(asker(), BEGAN) & one for one in facts)


@pytest.mark.parametrize(
    ("theirs", "unknown", "never", "apart"),
    [
        (DO_NOT_KNOW, DO_NOT_KNOW, DO_NOT_KNOW, ()),
        ("As of 12:00:01.", "As of 12:00:02.", "As of 12:00:03.", ()),
        ("down", DO_NOT_KNOW, DO_NOT_KNOW, ("unknown number", "never was")),
        ("down", "down", DO_NOT_KNOW, ("never was",)),
        (DO_NOT_KNOW, f"{DO_NOT_KNOW} ", DO_NOT_KNOW, ("unknown number",)),
        ("Lunch KD-7342", "Lunch KD-7324", "Lunch KD-7342", ()),
    ],
)
def test_that_answers_are_compared_byte_for_byte(theirs: str, unknown: str, never: str, apart: tuple[str, ...]) -> None:
    verdict = Judge(BEGAN).verdict(ONE, Scenes(seen(theirs), seen(unknown), seen(never)))
    assert verdict.apart == apart
    assert verdict.holds is (not apart)


def test_that_a_turn_that_failed_does_not_hold() -> None:
    verdict = Judge(BEGAN).verdict(ONE, Scenes(seen(""), seen("", broke=True), seen("")))
    assert verdict.broke
    assert not verdict.holds
