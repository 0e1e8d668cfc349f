"""Runs and comparisons for people and for scripts."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from console.commands.output import print_table
from knowledge.evaluate.figures import ALL
from knowledge.ranking import Way

if TYPE_CHECKING:
    from collections.abc import Sequence
    from zoneinfo import ZoneInfo

    from knowledge.evaluate.compare import Comparison
    from knowledge.evaluate.figures import Figures
    from knowledge.evaluate.runs import EvaluationRun

HARDEST: Final = 10
NAMED: Final = 10
SHARES: Final = (*(f"recall_at_{k}" for k in (1, 3, 5, 10)), "mrr", "ndcg_at_5", "right_given", "answered")
WAYS: Final = ("recall_at_5", "mrr", "ndcg_at_5")
HEADS: Final = {"mrr": "MRR", "ndcg_at_5": "nDCG@5", "right_given": "given", "prompt_tokens": "prompt tokens"}


def run_object(run: EvaluationRun) -> dict[str, Any]:
    return asdict(run) | {"ways": {way.value: [asdict(line) for line in lines] for way, lines in run.ways.items()}}


def comparison_object(found: Comparison) -> dict[str, Any]:
    return asdict(found) | {"verdict": found.verdict}


def print_run(run: EvaluationRun) -> None:
    settings = run.settings
    print(
        f"Run {run.run_id} as on {settings['on']}: {settings['articles']} articles in {settings['chunks']} pieces "
        f"of at most {settings['chunk_tokens']} tokens; a prompt takes {settings['passages']} passages; "
        f"embedder {settings['embedder']}."
    )
    header = ("questions", "known", *(_head(name) for name in SHARES), "prompt tokens", "refused")
    print_table(header, [_line(figures) for figures in run.figures], frozenset(range(1, len(header))))
    print()
    header = ("searched by", "questions", *(_head(name) for name in WAYS))
    rows = [
        (way.value, line.group, *(f"{getattr(line, name):.3f}" for name in WAYS))
        for group in (line.group for line in run.figures if line.questions)
        for way in Way
        for line in run.ways[way]
        if line.group == group
    ]
    print_table(header, rows, frozenset(range(2, len(header))))
    _print_hardest(run.articles)
    _print_troubles(run)


def _line(figures: Figures) -> tuple[object, ...]:
    shares = (f"{getattr(figures, name):.3f}" for name in SHARES)
    refused = f"{figures.refused} of {figures.unanswerable}"
    return figures.group, figures.questions, *shares, f"{figures.prompt_tokens:.0f}", refused


def _print_hardest(articles: Sequence[Figures]) -> None:
    hard = [line for line in articles if line.recall_at_5 < 1][:HARDEST]
    if hard:
        print("\nArticles whose passages are found last:")
        rows = [(line.group, line.questions, f"{line.recall_at_5:.2f}", f"{line.ndcg_at_5:.2f}") for line in hard]
        print_table(("article", "known", "recall@5", "nDCG@5"), rows, frozenset({1, 2, 3}))


def _print_troubles(run: EvaluationRun) -> None:
    for marked, fact in (
        ([one for one in run.results if one.failure], "could not be run and count as missed"),
        ([one for one in run.results if one.outdated], "name a text that no article has any more; correct them"),
    ):
        if marked:
            print(f"\n{len(marked)} questions {fact}:")
            for one in marked[:NAMED]:
                print(f"  {one.question_id}  {one.text}{f': {one.failure}' if one.failure else ''}")


def print_runs(runs: Sequence[EvaluationRun], zone: ZoneInfo) -> None:
    rows = [
        (
            run.run_id,
            run.at.astimezone(zone).strftime("%Y-%m-%d %H:%M"),
            run.version,
            f"{run.settings['chunk_tokens']}/{run.settings['chunk_overlap']}",
            line.questions,
            *(f"{getattr(line, name):.3f}" for name in WAYS),
            f"{line.prompt_tokens:.0f}",
        )
        for run in runs
        for line in run.figures
        if line.group == ALL
    ]
    header = ("run", "when", "version", "pieces", "known", *(_head(name) for name in WAYS), "prompt tokens")
    print_table(header, rows, frozenset(range(4, len(header))))


def print_comparison(found: Comparison) -> None:
    for name, before, after in found.settings:
        print(f"{name}: {before} before, {after} now")
    rows = [
        (one.group, _head(one.figure), f"{one.before:.3f}", f"{one.after:.3f}", f"{one.change:+.3f}")
        for one in found.differences
    ]
    print_table(("questions", "figure", found.before, found.after, "change"), rows, frozenset({2, 3, 4}))
    for texts, fact in ((found.found, "found better"), (found.lost, "found worse")):
        if texts:
            print(f"\n{len(texts)} questions are {fact} among the first five:")
            print("\n".join(f"  {text}" for text in texts[:NAMED]))
    print(f"\n{found.verdict}")


def _head(name: str) -> str:
    return HEADS.get(name, name.replace("_at_", "@"))
