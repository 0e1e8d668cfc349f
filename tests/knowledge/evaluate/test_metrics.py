"""Metrics against values computed by hand."""

from __future__ import annotations

import pytest

from knowledge.evaluate.metrics import mean, ndcg_at, place_of, recall_at, reciprocal_rank, standard_error
from knowledge.evaluate.questions import Support
from knowledge.evaluate.relevance import gains_of, holds

# log2(2) = 1, log2(3) = 1.58496, log2(4) = 2, log2(6) = 2.58496
ONE_SECOND, TWO_OF_TWO, TWO_OF_THREE = (
    1 / 1.58496,
    (1 + 1 / 2) / (1 + 1 / 1.58496),
    (1 / 1.58496 + 1 / 2.58496) / 2.13093,
)


@pytest.mark.parametrize(
    ("gains", "known", "recall_1", "recall_5", "rank", "ndcg_5"),
    [
        ((1, 0, 0), 1, 1, 1, 1, 1),
        ((0, 1, 0), 1, 0, 1, 1 / 2, ONE_SECOND),
        ((1, 0, 1), 2, 1 / 2, 1, 1, TWO_OF_TWO),
        ((0, 1, 0, 0, 1), 3, 0, 2 / 3, 1 / 2, TWO_OF_THREE),
        ((0, 0, 0, 0, 0, 1), 1, 0, 0, 1 / 6, 0),
        ((0, 2), 2, 0, 1, 1 / 2, 2 * ONE_SECOND / (1 + ONE_SECOND)),
        ((2, 0), 2, 1, 1, 1, 1),
        ((), 1, 0, 0, 0, 0),
        ((1,) * 5, 7, 1 / 7, 5 / 7, 1, 1),
    ],
)
def test_that_a_ranking_is_measured(
    gains: tuple[int, ...], known: int, recall_1: float, recall_5: float, rank: float, ndcg_5: float
) -> None:
    found = (recall_at(1, gains, known), recall_at(5, gains, known), reciprocal_rank(gains), ndcg_at(5, gains, known))
    assert found == pytest.approx((recall_1, recall_5, rank, ndcg_5), abs=1e-5)


def test_that_what_is_not_among_the_first_k_counts_nothing() -> None:
    assert ndcg_at(2, (0, 0, 1), 1) == recall_at(2, (0, 0, 1), 1) == 0


def test_that_means_say_how_sure_they_are() -> None:
    assert (mean([]), mean([1, 0, 0])) == (0, pytest.approx(1 / 3))
    assert standard_error([1, 0, 1, 0]) == pytest.approx(0.57735 / 2, abs=1e-5)
    assert standard_error([1]) == standard_error([]) == 0
    assert (place_of([0, 0, 3]), place_of([])) == (3, None)


@pytest.mark.parametrize(
    ("passage", "wanted", "held"),
    [
        ("A **late** dabba\n is free. Call us.", "a late dabba is free.", True),
        ("A late dabba is", "A late dabba is free.", False),
        ("One. Two. Five.", "One. Two. Three.", True),
        ("One. Five.", "One. Two.", False),
        ("देर हुई। पैसे वापस।", "पैसे वापस।", True),
        ("Anything.", "", False),
    ],
)
def test_that_a_passage_holds_a_text_when_it_has_most_of_its_sentences(passage: str, wanted: str, held: bool) -> None:
    assert holds(passage, wanted) is held


def test_that_a_support_is_gained_once_and_only_from_its_article() -> None:
    supports = (Support("late", "It is free."), Support("late", "Call us."), Support("steel.md", "Rs 250."))
    passages = [
        ({"other"}, "It is free."),
        ({"late"}, "It is free."),
        ({"late"}, "It is free. Call us."),
        ({"steel", "steel.md"}, "Rs 250."),
    ]
    assert gains_of(passages, supports) == (0, 1, 1, 1)
