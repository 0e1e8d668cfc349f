"""`dabba eval sweep`: which setting serves the user's own questions best."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import typer

from console.commands.opened import opened_house
from console.commands.output import print_json, print_table
from console.commands.progress import progress_line
from console.setup.lines import duration_text
from knowledge.evaluate.sweep.plan import SweepPlan
from knowledge.ranking import Way

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.commands.evaluation import Wanted
    from knowledge.evaluate.sweep.points import Point
    from knowledge.evaluate.sweep.report import SweepReport
    from knowledge.evaluate.sweep.running import SweepProgress

HEADER: Final = ("tokens a piece", "overlap", "way", "passages", "prompt tokens", "recall", "MRR", "nDCG@5", "")


def plan_of(sizes: str, overlaps: str, passages: str, ways: str, most_texts: int) -> SweepPlan:
    """From lists with commas. Raises BadParameter."""
    try:
        return SweepPlan(
            chunk_tokens=_numbers(sizes),
            overlaps=_numbers(overlaps),
            ks=_numbers(passages),
            ways=_ways(ways),
            most_texts=most_texts,
        )
    except ValueError as error:
        raise typer.BadParameter(f"{error}") from error


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(number) for number in text.split(","))
    except ValueError:
        raise ValueError(f"{text} is no list of numbers such as 100,200") from None


def _ways(text: str) -> tuple[Way, ...]:
    wanted = [way.strip() for way in text.split(",")]
    if unknown := [way for way in wanted if way not in set(Way)]:
        raise ValueError(f"there is no way {unknown[0]}; choose from {', '.join(Way)}")
    return tuple(Way(way) for way in dict.fromkeys(wanted))


async def run_sweep(wanted: Wanted, plan: SweepPlan, embedder: str, as_json: bool) -> None:
    from console.commands.evaluation_library import settings_with
    from console.setup.version import program_version
    from knowledge.embedding_choice import embedder_of
    from knowledge.evaluate.sweep.report import SweepBook
    from knowledge.evaluate.sweep.running import SweepOrder, sweep

    async with opened_house() as house:
        questions = await wanted.questions(house)
        settings = settings_with(house.settings, embedder)
        order = SweepOrder(
            plan=plan,
            questions=questions,
            on=wanted.day(house),
            settings=settings,
            load_embedder=embedder_of(settings.knowledge, house.home),
            version=program_version(),
        )
        with progress_line() as tell:
            report = await sweep(house.library, order, _teller(tell))
        if wanted.is_own_set:
            await SweepBook(house.database).keep(report)
    if as_json:
        print_json(report.plot())
    else:
        print_sweep(report)


def _teller(tell: Callable[[str], None]) -> Callable[[SweepProgress], None]:
    began = time.monotonic()

    def told(progress: SweepProgress) -> None:
        left = (time.monotonic() - began) * (progress.total - progress.done) / max(progress.done, 1)
        share = progress.done / progress.total
        tell(f"{share:.0%}  {progress.step}, about {duration_text(left)} left. Ctrl+C leaves nothing behind.")

    return told


def print_sweep(report: SweepReport) -> None:
    best, front = report.winner, report.front
    print(f"Sweep {report.run_id}: {report.questions} questions, {len(report.points)} settings, {report.embedder}.\n")
    print("Recall against prompt tokens, the settings that no other beats in both:")
    print_table(HEADER, [_row(point, report) for point in front], frozenset({0, 1, 3, 4, 5, 6, 7}))
    print("\nThe best of each way, and now:")
    tops = [max(group, key=lambda point: point.ndcg) for way in Way if (group := _of_way(report, way))]
    now = [point for point in report.points if point.setting == report.current]
    print_table(HEADER, [_row(point, report) for point in (*tops, *now)], frozenset({0, 1, 3, 4, 5, 6, 7}))
    print(
        f"\nThe winner on these questions: {best.setting}. Its nDCG@5 is {best.ndcg:.3f} for {best.prompt_tokens:.0f} "
        f"prompt tokens; the highest of all is {max(point.ndcg for point in report.points):.3f}. Settings within one "
        "standard error count as equal, and of those the cheapest wins."
        f" The setting of now {'counts' if report.is_current_tied else 'does not count'} as equal to the best."
    )
    for check in report.halves:
        print(
            f"Chosen on the {check.half} half only ({check.questions} questions): {check.setting}; nDCG@5 "
            f"{check.here:.3f} there, {check.there:.3f} on the other half, where the best has {check.best_there:.3f}."
        )
    for sentence in report.skipped:
        print(sentence)
    if report.failed:
        print(f"{report.failed} searches could not be run and count as missed.")


def _of_way(report: SweepReport, way: Way) -> list[Point]:
    return [point for point in report.points if point.setting.way is way]


def _row(point: Point, report: SweepReport) -> tuple[object, ...]:
    setting = point.setting
    marks = [
        mark
        for mark, holds in (("wins", setting == report.winner.setting), ("now", setting == report.current))
        if holds
    ]
    return (
        setting.cutting.chunk_tokens,
        setting.cutting.overlap,
        setting.way.value,
        setting.k,
        f"{point.prompt_tokens:.0f}",
        f"{point.recall:.3f}",
        f"{point.mrr:.3f}",
        f"{point.ndcg:.3f}",
        ", ".join(marks),
    )
