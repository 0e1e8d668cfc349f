"""From asked questions to figures, by language and by article. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Final

from knowledge.evaluate.metrics import mean, ndcg_at, recall_at, reciprocal_rank

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from knowledge.evaluate.asking import Asked

ALL: Final = "all"
AMONG: Final = 5


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a group of questions: all, one language's, or one article's. Shares and means are 0 to 1.

    `questions` are those that an article answers, `unanswerable` the others; `refused` counts those of the others to
    which nothing was given. `failed` and `outdated` count among both. `right_given` = a prompt would get a right
    passage, `answered` = the first passage is of an article that answers, and given. `prompt_tokens` is the mean of the
    given passages' tokens.
    """

    group: str
    questions: int
    recall_at_1: float
    recall_at_3: float
    recall_at_5: float
    recall_at_10: float
    mrr: float
    ndcg_at_5: float
    right_given: float
    answered: float
    unanswerable: int
    refused: int
    failed: int
    outdated: int
    prompt_tokens: float
    elapsed_p50_ms: float | None


def figures_of(group: str, asked: Sequence[Asked]) -> Figures:
    known = [one for one in asked if one.known]
    open_ones = [one for one in asked if not one.known]
    times = [one.elapsed_ms for one in asked if one.elapsed_ms is not None]

    def recall(k: int) -> float:
        return mean(recall_at(k, one.gains, one.known) for one in known)

    return Figures(
        group=group,
        questions=len(known),
        recall_at_1=recall(1),
        recall_at_3=recall(3),
        recall_at_5=recall(AMONG),
        recall_at_10=recall(10),
        mrr=mean(reciprocal_rank(one.gains) for one in known),
        ndcg_at_5=mean(ndcg_at(AMONG, one.gains, one.known) for one in known),
        right_given=mean(is_right_given(one) for one in known),
        answered=mean(one.answered for one in known),
        unanswerable=len(open_ones),
        refused=sum(one.refused for one in open_ones),
        failed=sum(bool(one.failure) for one in asked),
        outdated=sum(one.outdated for one in asked),
        prompt_tokens=mean(given_tokens(one) for one in asked),
        elapsed_p50_ms=median(times) if times else None,
    )


def figures_by_language(asked: Iterable[Asked]) -> tuple[Figures, ...]:
    """One line of figures for each language, in the order of their names."""
    groups: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        groups[one.question.language].append(one)
    return tuple(figures_of(language, groups[language]) for language in sorted(groups))


def figures_by_article(asked: Iterable[Asked]) -> tuple[Figures, ...]:
    """One line for each article that is known to answer something, the hardest to find first."""
    groups: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        for article in {support.article for support in one.question.supports}:
            groups[article].append(one)
    lines = [figures_of(article, group) for article, group in groups.items()]
    return tuple(sorted(lines, key=lambda line: (line.ndcg_at_5, line.group)))


def is_right_given(asked: Asked) -> bool:
    return any(gain and given for gain, given in zip(asked.gains, asked.given, strict=True))


def given_tokens(asked: Asked) -> int:
    return sum(tokens for tokens, given in zip(asked.tokens, asked.given, strict=True) if given)
