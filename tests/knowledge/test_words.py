from __future__ import annotations

import pytest

from knowledge.words import keys_of_passage, keys_of_question, sound, stem, words_of


def test_that_devanagari_words_stay_whole_and_digits_become_plain() -> None:
    assert words_of("डब्बे की क़ीमत १४० रुपये, Rs 140!") == ["डब्बे", "की", "क़ीमत", "140", "रुपये", "rs", "140"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("refunds", "refund"),
        ("cancelled", "cancel"),
        ("cancelling", "cancel"),
        ("cancellation", "cancel"),
        ("calls", "call"),
        ("deliveries", "delivery"),
        ("prices", "price"),
        ("डब्बे", "डब्बा"),
        ("डब्बों", "डब्बा"),
        ("पैसे", "पैसा"),
        ("ज़मीन", "जमीन"),
        ("प्लॅनमध्ये", "प्लॅन"),
        ("कार्डने", "कार्डने"),
        ("रुपयांपर्यंत", "रुपयां"),
    ],
)
def test_that_inflected_words_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("price", "pride"), ("रात", "राशि"), ("call", "cal"), ("gas", "ga")])
def test_that_different_words_keep_different_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize(
    ("roman", "devanagari"),
    [
        ("dabba", "डब्बा"),
        ("refund", "रिफ़ंड"),
        ("credit", "क्रेडिट"),
        ("card", "कार्ड"),
        ("number", "नंबर"),
        ("delivery", "डिलीवरी"),
        ("lehsun", "लहसुन"),
        ("pyaz", "प्याज़"),
        ("wapas", "वापस"),
        ("24", "24"),
    ],
)
def test_that_a_word_sounds_the_same_in_both_scripts(roman: str, devanagari: str) -> None:
    assert sound(roman) == sound(devanagari)


def test_that_small_words_are_no_keys() -> None:
    assert keys_of_passage("the box is on है में आहे") == [(stem("box"), sound("box"))]
    assert keys_of_question("kya hai dabba ka", indic=True) == [("dabba", "~db")]


def test_that_english_words_are_taken_by_their_meaning_for_hindi_passages_only() -> None:
    (indic,) = keys_of_question("cancel", indic=True)
    (english,) = keys_of_question("cancel", indic=False)
    assert stem("रद्द") in indic
    assert stem("रद्द") not in english


def test_that_english_words_of_one_meaning_find_each_other() -> None:
    (keys,) = keys_of_question("invoices", indic=False)
    assert keys == (stem("invoice"), stem("bill"), stem("receipt"))


def test_that_a_word_asked_twice_counts_once() -> None:
    assert keys_of_question("refund refunds Refund", indic=False) == [("refund",)]
