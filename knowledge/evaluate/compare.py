"""Two runs beside each other: what was set otherwise, what changed, and whether the difference is more than chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from knowledge.evaluate.figures import AMONG
from knowledge.evaluate.metrics import mean, ndcg_at, recall_at, standard_error

if TYPE_CHECKING:
    from knowledge.evaluate.figures import Figures
    from knowledge.evaluate.runs import EvaluationRun, QuestionResult

COMPARED: Final = ("recall_at_1", "recall_at_5", "mrr", "ndcg_at_5", "right_given", "answered", "prompt_tokens")


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure of one group in both runs."""

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
    return Comparison(
        before=before.run_id,
        after=after.run_id,
        settings=_settings(before, after),
        differences=_differences(before.figures, after.figures),
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


def _differences(before: tuple[Figures, ...], after: tuple[Figures, ...]) -> tuple[Difference, ...]:
    new = {line.group: line for line in after}
    return tuple(
        Difference(line.group, figure, getattr(line, figure), getattr(new[line.group], figure))
        for line in before
        if line.group in new
        for figure in COMPARED
    )


def _ndcg(result: QuestionResult) -> float:
    return ndcg_at(AMONG, result.gains, result.known)


def _recall(result: QuestionResult) -> float:
    return recall_at(AMONG, result.gains, result.known)
