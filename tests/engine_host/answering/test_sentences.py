"""Sentences out of a stream: the same ones however it was cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_host.answering.sentences import Sentence, SentenceSplitter, split_sentences

TEXT = st.text(alphabet="aB1 .!?।…\"')\n\t—Rs", max_size=80)


@given(TEXT, st.lists(st.integers(0, 80), max_size=12))
def test_that_any_cut_gives_the_same_sentences(text: str, cuts: list[int]) -> None:
    places = sorted({0, *(min(cut, len(text)) for cut in cuts), len(text)})
    splitter = SentenceSplitter()
    found = [s for start, end in pairwise(places) for s in splitter.feed(text[start:end])]
    assert [s.text for s in (*found, *splitter.flush())] == split_sentences(text)


@given(TEXT)
def test_that_one_letter_at_a_time_loses_nothing(text: str) -> None:
    splitter = SentenceSplitter()
    found = [sentence.text for letter in text for sentence in splitter.feed(letter)]
    found += [sentence.text for sentence in splitter.flush()]
    assert "".join("".join(found).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("It costs Rs. 30 a box. Fine.", ["It costs Rs. 30 a box.", "Fine."]),
        ("It costs 12.50 in all. Fine.", ["It costs 12.50 in all.", "Fine."]),
        ("A Mini box costs Rs 95. A Jain box costs Rs 150.", ["A Mini box costs Rs 95.", "A Jain box costs Rs 150."]),
        ("1. Take off the lid. 2. Heat it.", ["1. Take off the lid.", "2. Heat it."]),
        ("Ask for Mr. Rao. He knows.", ["Ask for Mr. Rao.", "He knows."]),
        ("Open until 5 p.m. every day. Come.", ["Open until 5 p.m. every day.", "Come."]),
        ("डब्बा आएगा। ठीक है।", ["डब्बा आएगा।", "ठीक है।"]),
        ('He said "no." Then yes.', ['He said "no."', "Then yes."]),
        ("first line\nsecond line\n\nthird", ["first line", "second line", "third"]),
        ("Wait… what?!", ["Wait…", "what?!"]),
        ("  \n ", []),
        ("", []),
    ],
)
def test_that_text_is_cut_at_its_sentence_ends(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


def test_that_an_open_sentence_is_kept_back() -> None:
    splitter = SentenceSplitter()
    assert splitter.feed("It costs 12.") == []
    assert splitter.feed("50 in all.") == []
    assert splitter.feed(" And") == [Sentence("It costs 12.50 in all.")]
    assert splitter.flush() == [Sentence("And")]
    assert splitter.flush() == []
