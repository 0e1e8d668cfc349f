"""What a fact of a passage carries: bounds, cases, tables, who acts, yes and no, several sentences of one passage."""

from __future__ import annotations

import pytest

from engine_host.answering.grounding import LexicalChecker, Source, Support, find_support
from engine_host.answering.judge import Judge
from engine_host.answering.measures import measures
from tests.fakes.answering import passage

LATE = "A box that arrives more than 45 minutes after the promised time is free. We count from the promised time."
TIMES = "Lunch boxes arrive by 13:30. Dinner boxes arrive by 20:30."
TWICE = "If you were charged twice for one order, the extra payment returns by itself within 3 working days."
TABLE = (
    "| box | one box | monthly plan |\n|---|---|---|\n| Mini | Rs 95 | Rs 2,097.60 |\n| Jain | Rs 150 | Rs 3,312.00 |"
)
BULK = "An order of 20 boxes or more is a bulk order. A bulk order gets 10 percent off. A bulk order is paid early."
COURIER = "Give the empty steel box to the courier with your next delivery. The bank decides the day of a refund."


def carried(sentence: str, text: str, title: str = "", question: str = "") -> bool:
    return LexicalChecker([Source(title, text)], question).support(sentence).citation is not None


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("before 09:00", "<"),
        ("until 4 PM", "<"),
        ("at most 6 g", "<"),
        ("10 दिन तक", "<"),
        ("शाम 6 बजे से पहले", "<"),
        ("कामकाजाच्या 3 दिवसांत", "<"),
        ("09:00 वाजण्यापूर्वी", "<"),
        ("after 16:00", ">"),
        ("65 °C or more", ">"),
        ("45 मिनट से ज़्यादा", ">"),
        ("8 किलोमीटरपेक्षा जास्त", ">"),
        ("at least 10 boxes", ">"),
        ("20 to 45 minutes", "[]"),
        ("11:30 से 13:30 बजे के बीच", "[]"),
        ("in 2 days", "~"),
        ("Rs 140", ""),
        ("in the app, Rs 140", ""),
    ],
)
def test_that_a_number_knows_its_bound(text: str, bounds: str) -> None:
    assert "".join(one.bound for one in measures(text)) == bounds


@pytest.mark.parametrize(
    ("one", "other"), [("4 PM", "16:00"), ("9 AM", "09:00"), ("शाम 6 बजे", "18:00 बजे"), ("रात्री 9 वाजता", "21:00")]
)
def test_that_a_clock_time_is_read_in_24_hours(one: str, other: str) -> None:
    assert measures(one)[0].number == measures(other)[0].number


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("If your box arrives more than 45 minutes after the promised time, it is free.", LATE),
        ("You don't have to pay for a box that is over 45 minutes late.", LATE),
        ("Lunch boxes arrive by 13:30 and dinner boxes arrive by 20:30.", TIMES),
        ("If you are charged twice, the extra payment comes back automatically within 3 business days.", TWICE),
        ("A Jain box costs Rs 150.", TABLE),
        ("A monthly plan of Mini boxes costs Rs 2,097.60.", TABLE),
        ("A bulk order of 20 boxes or more gets 10 percent off, and it is paid early.", BULK),
        ("Your empty steel box can be given to the courier with the next delivery.", COURIER),
        ("The day of a refund is decided by the bank.", COURIER),
    ],
)
def test_that_a_fact_is_carried_in_other_words(sentence: str, text: str) -> None:
    assert carried(sentence, text)


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("A box that arrives up to 45 minutes after the promised time is free.", LATE),
        ("A box that is late is free.", LATE),
        ("A box that arrives more than 45 hours after the promised time is free.", LATE),
        ("Lunch boxes arrive by 20:30 and dinner boxes arrive by 13:30.", TIMES),
        ("Lunch and dinner boxes arrive by 13:30.", TIMES),
        ("You were charged twice for one order.", TWICE),
        ("You were charged twice, so the extra payment returns within 3 working days.", TWICE),
        ("The extra payment has returned within 3 working days.", TWICE),
        ("A Jain box costs Rs 95.", TABLE),
        ("A monthly plan of Jain boxes costs Rs 150.", TABLE),
        ("A bulk order gets 20 percent off.", BULK),
        ("The courier gives the empty steel box to you with your next delivery.", COURIER),
        ("The courier decides the day of a refund.", COURIER),
        ("You must rinse the box with hot water.", "You don't have to rinse the box, it is rinsed with hot water."),
        ("जैन डब्बे में प्याज़ होता है।", "जैन डब्बे में प्याज़, लहसुन और आलू नहीं होते।"),
        ("डबा 45 मिनिटांपर्यंत उशिरा आला तर मोफत असतो.", "डबा 45 मिनिटांहून जास्त उशिरा आला तर मोफत असतो."),
    ],
)
def test_that_a_bound_a_case_a_part_or_a_row_is_not_exchanged(sentence: str, text: str) -> None:
    assert not carried(sentence, text)


@pytest.mark.parametrize(
    ("sentence", "is_carried"),
    [
        ("No, a steel box must never go into a microwave.", True),
        ("Yes, a steel box must never go into a microwave.", False),
        ("Yes, the food can be reheated in a plate.", True),
        ("No, the food can be reheated in a plate.", False),
    ],
)
def test_that_yes_and_no_agree_with_what_follows(sentence: str, is_carried: bool) -> None:
    assert (
        carried(sentence, "A steel box must never go into a microwave.\n\nFood can be reheated in a plate.")
        is is_carried
    )


def test_that_title_and_list_opening_lend_words_but_no_predicate() -> None:
    text = (
        "You can choose one of two things after the cancellation time:\n\n- Half the amount is returned.\n- It moves."
    )
    assert carried("Half the amount is returned after the cancellation time.", text)
    assert carried("A Jain box costs Rs 150.", "Costs Rs 150.", "Jain box")
    assert not carried("You were charged twice.", "The account that was charged.", "Charged twice")


def test_that_a_purpose_may_repeat_the_question() -> None:
    text = "Choose a box, a plan and an address in the app."
    assert carried(
        "To start a plan, choose a box, a plan and an address in the app.", text, question="how do i start a plan"
    )
    assert not carried("To start a plan, choose a box, a plan and an address in the app.", text)


def test_that_another_checker_can_be_plugged_in() -> None:
    class Trusting:
        def __init__(self, sources: object, question: str) -> None:
            self.question = question

        def support(self, sentence: str) -> Support:
            return Support(1)

    judge = Judge("moon", (passage("Boxes have lids."),), Trusting)
    assert [type(verdict).__name__ for verdict in judge.feed("The moon is far away. Your box has left. x")] == [
        "Text",
        "Withheld",
    ]


def test_that_the_passage_that_carries_it_is_cited_whatever_its_place() -> None:
    assert find_support("Dinner boxes arrive by 20:30.", (LATE, BULK, TIMES)).citation == 3
