"""The word lists of the grounding check: consistent, and read as they are meant."""

from __future__ import annotations

from collections import Counter

import pytest

from engine_host.answering.wording import lexicon, lines, meaning, meanings, normal, word_list

MEANT = {"count", "goes", "including"}


def test_that_no_word_has_two_meanings() -> None:
    places = Counter(meaning(line[0]) for line in lines("alike"))
    doubled = [line[0] for line in lines("alike") if len({meaning(word) for word in line}) > 1]
    assert doubled == []
    assert [word for word, count in places.items() if count > 1] == []


def test_that_no_english_word_is_light_by_accident() -> None:
    of_a_line = {meaning(word): line for line in lines("alike") for word in line}
    light = [word for word in word_list("light") if word.isascii() and meaning(word) in of_a_line]
    assert {word for word in light if word not in of_a_line[meaning(word)]} == set()
    assert set(light) <= MEANT


def test_that_who_acts_and_what_bounds_is_never_light() -> None:
    assert meanings("light") & meanings("actors") == set()
    assert meanings("light") & meanings("limits") <= {meaning(word) for word in ("only", "सिर्फ़", "फक्त")}


@pytest.mark.parametrize("word", ["before", "after", "free", "first", "last", "wallet", "card", "lunch", "dinner"])
def test_that_a_word_that_decides_is_not_light(word: str) -> None:
    assert meaning(word) not in meanings("light")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("- **Dinner:** until 4 PM [1]", "dinner: until 16:00"),
        ("at 9:05 a.m.", "at 9:05"),
        ("शाम 6 बजे", "18:00 बजे"),
        ("no later than 5", "before 5"),
        ("There is no delivery charge.", "delivery free."),
        ("", ""),
    ],
)
def test_that_set_phrases_and_clock_times_have_one_form(text: str, plain: str) -> None:
    assert normal(text) == plain


def test_that_every_phrase_is_given_once_and_means_something_else() -> None:
    assert all(said != other for said, other in lexicon()["phrases"].items())
