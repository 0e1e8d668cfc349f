"""Evaluations as the page reads and runs them: coroutines that hold no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from console.bridge.jobs import JobProgress
from console.setup.version import program_version
from knowledge.evaluate.book import QuestionBook
from knowledge.evaluate.runs import RunBook, RunOrder, measure
from knowledge.evaluate.sweep.report import SweepBook
from storage.queries.tenants import all_tenants

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, tzinfo

    from console.bridge.jobs import Report
    from console.house import House
    from knowledge.evaluate.questions import KnownQuestion
    from knowledge.evaluate.runs import EvaluationRun
    from knowledge.evaluate.sweep.report import SweepReport
    from knowledge.evaluate.sweep.running import SweepProgress
    from storage.records import Tenant

RUNS: Final = 50


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The known questions, the runs and the plots of the sweeps that were kept, newest first."""

    questions: tuple[KnownQuestion, ...] = ()
    runs: tuple[EvaluationRun, ...] = ()
    sweeps: tuple[Mapping[str, Any], ...] = ()
    tenants: tuple[Tenant, ...] = ()

    @property
    def answerable(self) -> int:
        return sum(bool(question.supports) for question in self.questions)


async def read_evaluated(house: House) -> Evaluated:
    questions = await QuestionBook(house.database).questions()
    runs = await RunBook(house.database).runs(RUNS)
    sweeps = await SweepBook(house.database).plots()
    return Evaluated(questions, runs, sweeps, tuple(await house.database.run(all_tenants)))


async def run_evaluation(house: House, zone: tzinfo, report: Report) -> EvaluationRun:
    """Ask every known question as of today and keep the run. Raises KnowledgeError, StorageError."""
    questions = await QuestionBook(house.database).questions()
    order = RunOrder(questions, _today(zone), house.settings.knowledge, program_version())
    run = await measure(house.library, order, partial(_tell_asked, report))
    await RunBook(house.database).keep(run)
    return run


async def run_sweep(house: House, zone: tzinfo, report: Report) -> SweepReport:
    """Try the usual settings on temporary indexes and keep what came of it. Raises KnowledgeError, StorageError."""
    from knowledge.embedding_choice import embedder_of
    from knowledge.evaluate.sweep.plan import SweepPlan
    from knowledge.evaluate.sweep.running import SweepOrder, sweep

    questions = await QuestionBook(house.database).questions()
    load = embedder_of(house.settings.knowledge, house.home)
    order = SweepOrder(SweepPlan(), questions, _today(zone), house.settings, load, program_version())
    found = await sweep(house.library, order, partial(_tell_step, report))
    await SweepBook(house.database).keep(found)
    return found


def _today(zone: tzinfo) -> date:
    return datetime.now(UTC).astimezone(zone).date()


def _tell_asked(report: Report, done: int, total: int) -> None:
    report(JobProgress(done, total, note=f"{done:,} of {total:,} searches"))


def _tell_step(report: Report, progress: SweepProgress) -> None:
    report(JobProgress(progress.done, progress.total, note=progress.step))
