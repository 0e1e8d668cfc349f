"""What the evaluation view says of runs: a row a run, its figures by language and article, and what changed. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from console.articles.words import count_text, moment_text
from console.widgets.job_row import JobShown
from console.widgets.pill import PillMark
from knowledge.evaluate.compare import compare
from knowledge.evaluate.metrics import place_of
from knowledge.evaluate.runs import EvaluationRun
from knowledge.evaluate.sweep.report import SweepReport

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime, tzinfo

    from console.articles.evaluation_calls import Evaluated
    from console.bridge.jobs import JobState
    from knowledge.evaluate.compare import Comparison
    from knowledge.evaluate.figures import Figures
    from knowledge.evaluate.runs import QuestionResult

NO_QUESTIONS: Final = (
    "No known question yet: nothing can be measured. Try a question in the search test, choose the right passage and "
    "make it a known question; or make one of a customer's question in Coverage or in Chat."
)
NO_RUNS: Final = "No evaluation yet. Run one: it asks every known question and keeps the figures."
AMONG: Final = 5
SECONDS_UNTIL_S: Final = 90
SETTING_NAMES: Final = {
    "chunk_tokens": "tokens a chunk",
    "chunk_overlap": "overlap",
    "embedder": "embedder",
    "passages": "passages",
    "threshold": "threshold",
    "articles": "articles",
    "chunks": "chunks",
    "questions": "questions",
    "on": "day",
    "version": "version",
}


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run in the list; shares are 0 to 1, `tokens` the mean of a prompt."""

    run_id: str
    made: str
    made_at: datetime
    setting: str
    questions: int
    recall: float
    mrr: float
    ndcg: float


@dataclass(frozen=True, slots=True)
class GroupRow:
    """Figures of all questions, one language's or one article's. `changes` since the run that it is compared with, by
    the name of the figure; empty = not compared."""

    group: str
    questions: int
    recall: float
    mrr: float
    ndcg: float
    tokens: float
    changes: Mapping[str, float]

    def change(self, figure: str) -> float | None:
        return self.changes.get(figure)


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What came of a question. `place` of the first right passage, 0 = not among the first five; `before` is what the
    other run made of it, "" when that did not ask it."""

    question_id: str
    text: str
    language: str
    mark: PillMark
    place: int
    before: str
    reason: str


def derive_run_rows(runs: Sequence[EvaluationRun], now: datetime, zone: tzinfo) -> tuple[RunRow, ...]:
    return tuple(
        RunRow(
            run.run_id,
            moment_text(run.at, now, zone),
            run.at,
            f"{run.settings['embedder']}, {run.settings['chunk_tokens']}/{run.settings['chunk_overlap']}",
            run.figures[0].questions + run.figures[0].unanswerable,
            run.figures[0].recall_at_5,
            run.figures[0].mrr,
            run.figures[0].ndcg_at_5,
        )
        for run in runs
    )


def derive_languages(run: EvaluationRun, before: EvaluationRun | None) -> tuple[GroupRow, ...]:
    """All questions first, then each language."""
    changes: dict[str, dict[str, float]] = {}
    for one in compare(before, run).differences if before else ():
        changes.setdefault(one.group, {})[one.figure] = one.change
    return tuple(_group(figures, changes.get(figures.group, {})) for figures in run.figures if figures.questions)


def derive_articles(run: EvaluationRun, before: EvaluationRun | None) -> tuple[GroupRow, ...]:
    """The article whose passages are hardest to find first."""
    old = {figures.group: figures for figures in before.articles} if before else {}
    return tuple(_group(figures, _changes(old.get(figures.group), figures)) for figures in run.articles)


def derive_results(run: EvaluationRun, before: EvaluationRun | None) -> tuple[ResultRow, ...]:
    """What was missed first."""
    old = {result.question_id: result for result in before.results} if before else {}
    rows = [_result(result, old.get(result.question_id)) for result in run.results]
    return tuple(sorted(rows, key=lambda row: (row.mark.kind == "ok", row.text)))


def derive_summary(run: EvaluationRun) -> str:
    """`96 questions: 88 that an article answers, 7 of 8 others refused; 412 tokens a prompt.`"""
    every = run.figures[0]
    total = every.questions + every.unanswerable
    others = f", {every.refused:,} of {count_text(every.unanswerable, 'other')} refused" if every.unanswerable else ""
    failed = f", {every.failed:,} could not be run and count as missed" if every.failed else ""
    outdated = f", {every.outdated:,} name a text that no article has any more" if every.outdated else ""
    return (
        f"{count_text(total, 'question')}: {every.questions:,} that an article answers{others}{failed}{outdated}; "
        f"{every.prompt_tokens:,.0f} tokens a prompt."
    )


def derive_verdict(run: EvaluationRun, before: EvaluationRun | None) -> str:
    """Whether the difference is more than chance, and what was set otherwise; "" when there is nothing to compare."""
    if before is None:
        return ""
    found = compare(before, run)
    changed = "; ".join(_setting_text(*one) for one in found.settings if one[0] in SETTING_NAMES)
    return f"{_verdict(found)}{f' Otherwise: {changed}.' if changed else ''}"


def derive_evaluation_line(evaluated: Evaluated, now: datetime, zone: tzinfo) -> str:
    """The line of truth beside the title."""
    if not evaluated.questions:
        return "No known question yet"
    languages = len({question.language for question in evaluated.questions})
    asked = f"{count_text(len(evaluated.questions), 'known question')} in {count_text(languages, 'language')}"
    if not evaluated.runs:
        return f"{asked}, never asked"
    when = moment_text(evaluated.runs[0].at, now, zone)
    return f"{asked}, asked last {'at' if ':' in when else 'on'} {when}"


def derive_job(job: JobState) -> JobShown:
    title = f"{job.what} under way" if not job.ended else f"{job.what} failed: {job.sentence}"
    rate = f"{job.rate:.1f} a second" if job.rate else ""
    figures = tuple(part for part in (job.progress.note, rate, _left_text(job.left_s)) if part)
    return JobShown(title, "lab", job.fraction, figures if not job.ended else (), cancellable=not job.ended)


def derive_done(found: object) -> str:
    """What a run came to, for a notice."""
    if isinstance(found, EvaluationRun):
        every = found.figures[0]
        return f"Evaluation done: recall@5 {every.recall_at_5:.3f}, MRR {every.mrr:.3f}, nDCG@5 {every.ndcg_at_5:.3f}."
    if isinstance(found, SweepReport):
        return f"Sweep done: of {len(found.points):,} settings {found.winner.setting} wins."
    raise TypeError(found)


def _group(figures: Figures, changes: Mapping[str, float]) -> GroupRow:
    return GroupRow(
        figures.group, figures.questions, figures.recall_at_5, figures.mrr, figures.ndcg_at_5, figures.prompt_tokens,
        changes,
    )  # fmt: skip


def _changes(old: Figures | None, new: Figures) -> dict[str, float]:
    names = ("recall_at_5", "mrr", "ndcg_at_5")
    return {name: getattr(new, name) - getattr(old, name) for name in names} if old else {}


def _result(result: QuestionResult, old: QuestionResult | None) -> ResultRow:
    place = _place(result)
    before = _mark(old, _place(old)).text.lower().removeprefix("found, ") if old else ""
    mark = _mark(result, place)
    return ResultRow(result.question_id, result.text, result.language, mark, place, before, _why(result))


def _place(result: QuestionResult) -> int:
    return place_of(result.gains[:AMONG]) or 0


def _mark(result: QuestionResult, place: int) -> PillMark:
    if result.failure:
        return PillMark("Failed", "error")
    if not result.known:
        return PillMark("Refused", "ok") if result.refused else PillMark("Not refused", "warn")
    return PillMark(f"Found, place {place}", "ok") if place else PillMark("Missed", "warn")


def _why(result: QuestionResult) -> str:
    if result.outdated:
        return "its text is in no article any more"
    return result.failure


def _verdict(found: Comparison) -> str:
    if not found.shared:
        return found.verdict
    measured = f"nDCG@5 {found.gain:+.3f} ± {found.error:.3f} on {count_text(found.shared, 'shared question')}"
    if abs(found.gain) <= found.error or not found.gain:
        return f"No difference beyond chance: {measured}."
    return f"{'Better' if found.gain > 0 else 'Worse'} than the earlier run: {measured}."


def _setting_text(name: str, before: Any, after: Any) -> str:
    return f"{SETTING_NAMES[name]} {before} before, {after} now"


def _left_text(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{seconds:.0f} s left" if seconds < SECONDS_UNTIL_S else f"{seconds / 60:.0f} min left"
