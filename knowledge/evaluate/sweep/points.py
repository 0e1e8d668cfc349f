"""What a sweep found, a point a setting, and which of them is to be preferred. Pure."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from knowledge.evaluate.figures import AMONG
from knowledge.evaluate.metrics import mean, ndcg_at, recall_at, reciprocal_rank, standard_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from knowledge.evaluate.asking import Asked
    from knowledge.evaluate.sweep.plan import Setting

HALVES: Final = ("first", "second")


@dataclass(frozen=True, slots=True)
class Point:
    """A setting on the user's questions that an article answers.

    `recall`, `mrr` and `ndcg` (at 5) are of the k passages that it takes, `prompt_tokens` their mean sum, over or under
    the threshold: that belongs to one way only. `scores` is each question's nDCG by its id, `languages` the recall and
    nDCG of each language.
    """

    setting: Setting
    chunks: int
    recall: float
    mrr: float
    ndcg: float
    prompt_tokens: float
    languages: Mapping[str, tuple[float, float]]
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class HalfCheck:
    """What would have won on one half of the questions, and what it is worth on the other: `there` well below `here`,
    or below `best_there`, means that the choice fits these questions more than questions to come."""

    half: str
    questions: int
    setting: Setting
    here: float
    there: float
    best_there: float


def point_of(setting: Setting, chunks: int, asked: Sequence[Asked]) -> Point:
    """The point of a setting, out of questions that were asked for at least its k passages."""
    known = [one for one in asked if one.known]
    scores = {one.question.question_id: ndcg_at(AMONG, one.gains[: setting.k], one.known) for one in known}
    recalls = {one.question.question_id: recall_at(setting.k, one.gains, one.known) for one in known}
    groups: dict[str, list[str]] = {}
    for one in known:
        groups.setdefault(one.question.language, []).append(one.question.question_id)
    return Point(
        setting=setting,
        chunks=chunks,
        recall=mean(recalls.values()),
        mrr=mean(reciprocal_rank(one.gains[: setting.k]) for one in known),
        ndcg=mean(scores.values()),
        prompt_tokens=mean(sum(one.tokens[: setting.k]) for one in known),
        languages={
            language: (mean(recalls[key] for key in group), mean(scores[key] for key in group))
            for language, group in sorted(groups.items())
        },
        scores=scores,
    )


def winner(points: Sequence[Point]) -> Point:
    """The highest nDCG@5; of all that are within one standard error of it, the one with the fewest prompt tokens.

    The error is that of the mean difference, question by question: every setting was asked the same ones.
    """
    return min(tied(points), key=lambda point: (point.prompt_tokens, -point.ndcg))


def tied(points: Sequence[Point]) -> tuple[Point, ...]:
    """The settings that count as equal to the best one, that one among them."""
    best = max(points, key=lambda point: (point.ndcg, -point.prompt_tokens))
    return tuple(point for point in points if _is_tied(point, best))


def front(points: Iterable[Point]) -> tuple[Point, ...]:
    """The settings that no other beats in both recall and prompt tokens, the cheapest first."""
    found: list[Point] = []
    for point in sorted(points, key=lambda point: (point.prompt_tokens, -point.recall)):
        if not found or point.recall > found[-1].recall:
            found.append(point)
    return tuple(found)


def half_checks(points: Sequence[Point]) -> tuple[HalfCheck, ...]:
    """Each half's winner, on both halves; none when a half has no question."""
    halves = [[_within(point, lambda key, half=half: half_of(key) == half) for point in points] for half in HALVES]
    if not all(point.scores for half in halves for point in half):
        return ()
    checks: list[HalfCheck] = []
    for name, here, there in zip(HALVES, halves, reversed(halves), strict=True):
        won = winner(here)
        other = there[here.index(won)]
        best = max(point.ndcg for point in there)
        checks.append(HalfCheck(name, len(won.scores), won.setting, won.ndcg, other.ndcg, best))
    return tuple(checks)


def half_of(question_id: str) -> str:
    """The half that a question is in, by its id: it stays there when others come and go."""
    return HALVES[hashlib.sha256(question_id.encode()).digest()[0] % 2]


def _is_tied(point: Point, best: Point) -> bool:
    differences = [best.scores[key] - score for key, score in point.scores.items()]
    return mean(differences) <= standard_error(differences)


def _within(point: Point, chosen: Callable[[str], bool]) -> Point:
    """The point on some of its questions, as far as a winner is chosen by it."""
    scores = {key: score for key, score in point.scores.items() if chosen(key)}
    return Point(
        setting=point.setting,
        chunks=point.chunks,
        recall=point.recall,
        mrr=point.mrr,
        ndcg=mean(scores.values()),
        prompt_tokens=point.prompt_tokens,
        languages={},
        scores=scores,
    )
