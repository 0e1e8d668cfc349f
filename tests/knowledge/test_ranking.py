from __future__ import annotations

from datetime import date

import pytest

from knowledge.article import Asker, Audience
from knowledge.catalogue import Shelved
from knowledge.point_store import Hit
from knowledge.ranking import Candidate, by_meaning, by_meaning_and_words, in_order, score_of
from knowledge.retrieve import languages_to_fall_back_to, own_language

NOWHERE: dict[str, Shelved] = {}


def test_that_the_nearest_sentence_and_shared_words_count_beside_the_passage() -> None:
    hits = [Hit("a", "x", 0.60, 0.60), Hit("b", "x", 0.50, 0.90), Hit("c", "x", 0.50, 0.50)]
    found = by_meaning_and_words(hits, {"a": 0.2, "b": 0.0, "c": 1.0}.__getitem__, NOWHERE)
    assert [(one.point_id, pytest.approx(one.score)) for one in found] == [("c", 0.6), ("b", 0.56), ("a", 0.52)]


def test_that_meaning_alone_orders_by_the_passage_and_its_nearest_sentence() -> None:
    hits = [Hit("a", "x", 0.60, 0.60), Hit("b", "x", 0.50, 0.90), Hit("own", "y", 0.55, 0.75)]
    found = by_meaning(hits, {"y": Shelved("en", own=True)})
    assert [(one.point_id, pytest.approx(one.score)) for one in found] == [("own", 0.65), ("b", 0.7), ("a", 0.6)]


def test_that_the_score_is_one_only_where_meaning_and_words_agree_wholly() -> None:
    assert score_of(1, 1, 1) == 1
    assert score_of(1, 1, 0) < 1
    assert score_of(0, 0, 1) < 0.43


def test_that_an_article_for_the_tenant_comes_before_one_for_all_but_has_no_other_score() -> None:
    hits = [Hit("all", "x", 0.60, 0.60), Hit("own", "y", 0.55, 0.55)]
    articles = {"x": Shelved("en"), "y": Shelved("en", own=True)}
    found = by_meaning_and_words(hits, lambda _: 0.0, articles)
    assert [one.point_id for one in found] == ["own", "all"]
    assert found[0].score < found[1].score


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
