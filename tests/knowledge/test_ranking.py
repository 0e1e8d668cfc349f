from __future__ import annotations

from datetime import date

import pytest

from knowledge.article import Asker, Audience
from knowledge.lexical import WordMatch
from knowledge.point_store import Hit
from knowledge.ranking import Candidate, by_meaning_and_words, in_order
from knowledge.retrieve import languages_to_fall_back_to, own_language


def test_that_shared_words_move_a_near_hit_up_but_leave_its_score() -> None:
    hits = [Hit("a", "x", 0.60), Hit("b", "x", 0.55), Hit("c", "x", 0.20)]
    found = by_meaning_and_words(hits, [WordMatch("b", 8.0, 0.9), WordMatch("c", 9.0, 1.0)])
    assert [(one.point_id, one.score) for one in found] == [("b", 0.55), ("a", 0.60), ("c", 0.20)]


def test_that_without_shared_words_the_score_decides() -> None:
    hits = [Hit("a", "x", 0.6), Hit("b", "x", 0.7)]
    assert [one.point_id for one in by_meaning_and_words(hits, [])] == ["b", "a"]


def test_that_passages_over_the_threshold_come_before_the_own_language() -> None:
    own = [Candidate("a", "x", 0.2), Candidate("b", "x", 0.1)]
    other = [Candidate("c", "x", 0.9), Candidate("d", "x", 0.3)]
    assert [one.point_id for one in in_order([own, other], 0.5)] == ["c", "a", "b", "d"]


@pytest.mark.parametrize(
    ("language", "question", "own"),
    [
        ("en", "When is my refund?", "en"),
        ("hi-Latn", "refund kab aayega", "hi"),
        ("hi-IN", "refund", "hi"),
        ("mr", "डबा कधी येईल?", "mr"),
        ("en", "डबा उशिरा आला तर काय आहे?", "mr"),
        ("en", "पैसे कब वापस मिलते हैं?", "hi"),
    ],
)
def test_that_the_language_searched_first_is_the_askers_or_that_of_the_script(
    language: str, question: str, own: str
) -> None:
    asker = Asker("kamala", Audience.CUSTOMERS, language, date(2026, 11, 30))
    assert own_language(question, asker) == own


@pytest.mark.parametrize(
    ("own", "present", "expected"),
    [
        ("en", {"en", "hi", "mr"}, []),
        ("en", {"hi"}, ["hi"]),
        ("hi", {"en", "hi", "mr"}, ["en", "mr"]),
        ("hi", {"hi"}, []),
    ],
)
def test_that_other_languages_are_tried_where_that_finds_more_than_accidents(
    own: str, present: set[str], expected: list[str]
) -> None:
    assert languages_to_fall_back_to(own, present, frozenset({"en"})) == expected
