"""Which setting wins, which are on the front, and what a half tells of the other."""

from __future__ import annotations

import pytest

from knowledge.evaluate.sweep.plan import Cutting, Setting, SweepPlan
from knowledge.evaluate.sweep.points import Point, front, half_checks, half_of, point_of, tied, winner
from knowledge.ranking import Way
from tests.knowledge.evaluate.made import asked

CUTTING = Cutting(200, 30)
QUESTIONS = tuple(f"q{number}" for number in range(12))


def point(k: int, tokens: float, *scores: float, recall: float = 0.0) -> Point:
    return Point(
        setting=Setting(CUTTING, Way.HYBRID, k),
        chunks=9,
        recall=recall,
        mrr=0,
        ndcg=sum(scores) / len(scores),
        prompt_tokens=tokens,
        languages={},
        scores=dict(zip(QUESTIONS, scores, strict=False)),
    )


def test_that_a_point_counts_the_k_passages_that_its_setting_takes() -> None:
    found = [asked(1, 1, 0, 0), asked(2, 0, 0, 1), asked(3, 0, 1, 1, known=2), asked(4)]
    two, three = (point_of(Setting(CUTTING, Way.DENSE, k), 9, found) for k in (2, 3))
    assert (two.recall, three.recall) == ((1 + 0 + 1 / 2 + 0) / 4, (1 + 1 + 1 + 0) / 4)
    assert (two.mrr, three.mrr) == (pytest.approx(1.5 / 4), pytest.approx((1 + 1 / 3 + 1 / 2) / 4))
    # nDCG of question 3 with three passages: (1/log2 3 + 1/2) / (1 + 1/log2 3) = 0.69343
    assert three.scores == {
        "q1": 1,
        "q2": pytest.approx(0.5),
        "q3": pytest.approx(0.69343, abs=1e-5),
        "q4": 0,
    }
    assert (two.prompt_tokens, three.prompt_tokens) == (60 / 4, 90 / 4)
    assert three.languages == {"en": (three.recall, three.ndcg)}


def test_that_of_settings_within_one_standard_error_the_cheapest_wins() -> None:
    best = point(8, 800, 1, 1, 1, 1, 1, 0.9)
    near = point(3, 300, 1, 1, 1, 1, 0.5, 0.9)  # mean difference 0.083, standard error 0.083
    worse = point(1, 100, 0.5, 0.5, 0.5, 0.5, 1, 0.9)  # mean difference 0.33, standard error 0.17
    assert winner([worse, best, near]) is near
    assert tied([worse, best, near]) == (best, near)
    assert winner([worse, best]) is best
    assert winner([best, point(5, 500, 1, 1, 1, 1, 1, 0.9)]).setting.k == 5


def test_that_the_front_has_what_no_other_beats_in_recall_and_tokens() -> None:
    points = [point(k, tokens, 1, recall=recall) for k, tokens, recall in ((5, 50, 0.9), (1, 10, 0.6), (3, 30, 0.6))]
    points += [point(4, 40, 1, recall=0.8), point(2, 50, 1, recall=0.7)]
    assert [one.setting.k for one in front(points)] == [1, 4, 5]


def test_that_each_half_judges_the_winner_of_the_other() -> None:
    halves = {name: [key for key in QUESTIONS if half_of(key) == name] for name in ("first", "second")}
    assert all(len(keys) >= 2 for keys in halves.values())
    fits_first = point(8, 800, *(float(key in halves["first"]) for key in QUESTIONS))
    steady = point(4, 400, *(0.8 for _ in QUESTIONS))
    first, second = half_checks([fits_first, steady])
    assert (first.half, first.setting.k, first.here, first.there, first.best_there) == (
        "first",
        8,
        1,
        0,
        pytest.approx(0.8),
    )
    assert (second.setting.k, second.here, second.there, second.best_there) == (
        4,
        pytest.approx(0.8),
        pytest.approx(0.8),
        1,
    )
    assert first.questions + second.questions == len(QUESTIONS)


def test_that_a_half_without_questions_judges_nothing() -> None:
    assert half_checks([point(4, 400, 1)]) == ()


def test_that_a_plan_tries_each_possible_cutting_once_and_the_current_one_first() -> None:
    plan = SweepPlan(chunk_tokens=(30, 100, 250, 300), overlaps=(0, 30), ks=(1, 5))
    found = plan.cuttings(Cutting(100, 0), most_tokens=250)
    assert found == tuple(Cutting(*one) for one in ((100, 0), (30, 0), (100, 30), (250, 0), (250, 30)))
    assert plan.taken(4) == (1, 4, 5)
    assert plan.taken(20) == (1, 5, 10)


@pytest.mark.parametrize("wrong", [{"ks": (0,)}, {"ks": (11,)}, {"ways": ()}, {"chunk_tokens": ()}])
def test_that_a_plan_that_tries_nothing_is_refused(wrong: dict[str, tuple[int, ...]]) -> None:
    with pytest.raises(ValueError, match=r"passages must be|at least one"):
        SweepPlan(**wrong)  # pyright: ignore[reportArgumentType]
