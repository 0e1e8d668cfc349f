"""Support of a sentence by a passage, and the window that is quoted."""

from __future__ import annotations

import pytest

from engine_host.answering.grounding import content_words, find_support, is_negative
from engine_host.answering.measures import measures, said_otherwise
from engine_host.answering.verbatim import passage_sentences, stands_in
from tests.engine_host.answering.articles import passage_text

REFUNDS = passage_text("refunds-and-cancellations.en")


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("A refund to UPI takes up to 9 working days.", "9 is not in the passage's sentence"),
        ("A refund to UPI in Mumbai takes up to 2 working days.", "mumbai"),
        ("A refund to UPI does not take up to 2 working days.", "the opposite"),
        ("A dinner box can be cancelled on the delivery day for a full refund.", "leaves out a limit"),
        ("A box can't be cancelled.", "leaves out too much"),
        ("It takes 2.", "says too little"),
        ("The moon is a harsh mistress.", "does not say"),
        ("Your cabbages and tomatoes are returned in 2 working days.", "cabbages, tomatoes"),
    ],
)
def test_that_the_reason_for_staff_says_what_is_missing(sentence: str, reason: str) -> None:
    support = find_support(sentence, (REFUNDS,))
    assert support.citation is None
    assert reason in support.reason


def test_that_nothing_is_supported_without_passages() -> None:
    assert find_support("A refund to UPI takes up to 2 working days.", ()).reason == (
        "no passage was found for this question"
    )
    assert find_support("A refund takes two days.", ("",)).citation is None


def test_that_two_sentences_of_a_passage_do_not_carry_one_together() -> None:
    text = "Lunch boxes arrive by 13:30. Dinner boxes arrive by 20:30."
    assert find_support("Lunch boxes arrive by 20:30.", (text,)).citation is None
    assert find_support("Dinner boxes arrive by 20:30.", (text,)).citation == 1


def test_that_short_prices_in_a_row_stay_apart() -> None:
    text = "A Mini box costs Rs 95. A Jain box costs Rs 150. A Regular box costs Rs 140."
    assert find_support("A Jain box costs Rs 95.", (text,)).citation is None
    assert find_support("The cost of a Jain box is Rs 150.", (text,)).citation == 1


@pytest.mark.parametrize(
    ("text", "negative"),
    [
        ("A box can't be cancelled.", True),
        ("A box cannot be cancelled.", True),
        ("A box can be cancelled.", False),
        ("You dont pay.", True),
        ("Reheat without the lid.", True),
        ("कीमत 140 रुपये है।", False),
        ("2 दिन के भीतर", False),
        ("रद्द नहीं किया जा सकता।", True),
        ("ढक्कन के बिना गरम कीजिए।", True),
        ("रद्द करता येत नाही.", True),
        ("डबे मिळत नाहीत.", True),
        ("nothing more is charged", True),
        ("Notice that nose.", False),
    ],
)
def test_that_negation_is_seen_as_a_word_of_its_own(text: str, negative: bool) -> None:
    assert is_negative(text) is negative


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cancelled", "cancel"),
        ("arrives", "arriving"),
        ("prices", "price"),
        ("deliveries", "delivery"),
        ("returned", "refund"),
        ("dabba", "boxes"),
        ("until", "before"),
        ("calls", "call"),
    ],
)
def test_that_forms_and_words_of_one_meaning_are_one(one: str, other: str) -> None:
    assert content_words(one) == content_words(other) != frozenset()


@pytest.mark.parametrize(
    ("one", "other"), [("before", "after"), ("lunch", "dinner"), ("more", "less"), ("half", "full")]
)
def test_that_opposites_are_two(one: str, other: str) -> None:
    assert content_words(one) != content_words(other)


def test_that_devanagari_words_stay_whole() -> None:
    assert len(content_words("दोपहर का डब्बा")) == 2


@pytest.mark.parametrize(
    ("said", "known", "odd"),
    [
        ("9:00", "at 09:00", []),
        ("Rs 1,200", "Rs 1200", []),
        ("30 minutes", "a credit of Rs 30", ["30"]),
        ("Rs 45", "45 minutes", ["45"]),
        ("three working days", "within 3 working days", []),
        ("3 days", "3 hours", ["3"]),
        ("20 minutes", "20 to 45 minutes", []),
        ("20 days", "20 to 45 minutes", ["20"]),
        ("10%", "10 percent off", []),
        ("10 percent", "10 boxes", ["10"]),
        ("30 रुपये", "30 रुपये का क्रेडिट", []),
        ("45 रुपये", "45 मिनट", ["45"]),
        ("2", "2 working days", []),
        ("nothing", "2", []),
        ("16:00", "06:00", ["16:0"]),
        ("₹ 30", "30 rupees", []),
        ("0", "00", []),
    ],
)
def test_that_a_number_is_compared_with_what_it_counts(said: str, known: str, odd: list[str]) -> None:
    assert said_otherwise(measures(said), measures(known)) == odd


def test_that_a_wrapped_paragraph_is_one_sentence_and_a_list_is_not() -> None:
    assert passage_sentences("A refund to UPI takes up\nto 2 working days.\n- one\n- two") == (
        "A refund to UPI takes up to 2 working days.",
        "- one",
        "- two",
    )


@pytest.mark.parametrize(
    ("sentence", "stands"),
    [
        ("A refund to a wallet balance is made at once.", True),
        ("a refund to a wallet balance is made at once", True),
        ("- A refund to a wallet balance is made at once.", True),
        ("[1] A refund to a wallet balance is made at once.", True),
        ("refund to a wallet balance is made at once.", False),
        ("...", False),
        ("", False),
    ],
)
def test_that_only_a_whole_sentence_stands_in_a_passage(sentence: str, stands: bool) -> None:
    assert stands_in(sentence, REFUNDS) is stands
