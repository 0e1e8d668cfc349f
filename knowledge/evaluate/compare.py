"""Two runs beside each other: what was set otherwise, what changed, and whether the difference is more than chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from knowledge.evaluate.figures import ALL, AMONG
from knowledge.evaluate.metrics import mean, ndcg_at, recall_at, reciprocal_rank, standard_error

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from knowledge.evaluate.runs import EvaluationRun, QuestionResult

COMPARED: Final[Mapping[str, Callable[[QuestionResult], float]]] = {
    "recall_at_1": lambda result: recall_at(1, result.gains, result.known),
    "recall_at_5": lambda result: recall_at(AMONG, result.gains, result.known),
    "mrr": lambda result: reciprocal_rank(result.gains),
    "ndcg_at_5": lambda result: ndcg_at(AMONG, result.gains, result.known),
    "prompt_tokens": lambda result: result.prompt_tokens,
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure of a group of questions (all, or one language's) in both runs: of those that both asked."""

    group: str
    figure: str
    before: float
    after: float

    @property
    def change(self) -> float:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Comparison:
    """`settings` are names with the value before and after. `found` and `lost` are questions whose right passages
    came among the first five in only one of the runs. `gain` is the mean change of nDCG@5 of the `shared` questions
    that both runs asked with an answer, `error` its standard error."""

    before: str
    after: str
    settings: tuple[tuple[str, Any, Any], ...]
    differences: tuple[Difference, ...]
    found: tuple[str, ...]
    lost: tuple[str, ...]
    shared: int
    gain: float
    error: float

    @property
    def verdict(self) -> str:
        """One sentence for people."""
        if not self.shared:
            return "The runs share no question that an article answers: they can't be compared."
        measured = f"nDCG@{AMONG} changed by {self.gain:+.3f} ± {self.error:.3f} on {self.shared} shared questions"
        if abs(self.gain) <= self.error or not self.gain:
            return f"No difference beyond chance: {measured}."
        return f"{self.after} is {'better' if self.gain > 0 else 'worse'} than {self.before}: {measured}."


def compare(before: EvaluationRun, after: EvaluationRun) -> Comparison:
    old, new = ({one.question_id: one for one in run.results if one.known} for run in (before, after))
    shared = [(old[key], new[key]) for key in sorted(old.keys() & new.keys())]
    changes = [_ndcg(there) - _ndcg(here) for here, there in shared]
    groups = {ALL: shared} | {
        language: [pair for pair in shared if pair[0].language == language]
        for language in sorted({here.language for here, _ in shared})
    }
    return Comparison(
        before=before.run_id,
        after=after.run_id,
        settings=_settings(before, after),
        differences=tuple(_difference(group, name, pairs) for group, pairs in groups.items() for name in COMPARED),
        found=tuple(there.text for here, there in shared if _recall(there) > _recall(here)),
        lost=tuple(there.text for here, there in shared if _recall(there) < _recall(here)),
        shared=len(shared),
        gain=mean(changes),
        error=standard_error(changes),
    )


def _settings(before: EvaluationRun, after: EvaluationRun) -> tuple[tuple[str, Any, Any], ...]:
    old = {**before.settings, "version": before.version, "questions": len(before.results)}
    new = {**after.settings, "version": after.version, "questions": len(after.results)}
    names = sorted(old.keys() | new.keys())
    return tuple((name, old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name))


def _difference(group: str, name: str, pairs: Sequence[tuple[QuestionResult, QuestionResult]]) -> Difference:
    figure = COMPARED[name]
    return Difference(group, name, mean(figure(here) for here, _ in pairs), mean(figure(there) for _, there in pairs))


def _ndcg(result: QuestionResult) -> float:
    return COMPARED["ndcg_at_5"](result)


def _recall(result: QuestionResult) -> float:
    return COMPARED["recall_at_5"](result)
