"""A sweep as it is shown, plotted and kept."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from knowledge.evaluate.sweep.points import front, half_checks, tied, winner
from storage.evaluation_records import EvaluationRunRow
from storage.queries.evaluation import keep_run, list_runs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from knowledge.evaluate.sweep.plan import Setting
    from knowledge.evaluate.sweep.points import HalfCheck, Point
    from storage.database import Database

SWEEP: Final = "sweep"


@dataclass(frozen=True, slots=True)
class SweepReport:
    """`points` are in the order in which they were tried, `current` is how the program is set now. `skipped` are
    sentences about cuttings that were left out, `failed` counts questions that could not be run, once each time."""

    run_id: str
    at: datetime
    version: str
    embedder: str
    questions: int
    points: tuple[Point, ...]
    current: Setting
    skipped: tuple[str, ...]
    failed: int

    @property
    def winner(self) -> Point:
        return winner(self.points)

    @property
    def is_current_tied(self) -> bool:
        """Whether the setting of now counts as equal to the best."""
        return any(point.setting == self.current for point in tied(self.points))

    @property
    def front(self) -> tuple[Point, ...]:
        return front(self.points)

    @property
    def halves(self) -> tuple[HalfCheck, ...]:
        return half_checks(self.points)

    def plot(self) -> dict[str, Any]:
        """Plain JSON values: `points` has recall against prompt tokens, with marks for the front and the winner."""
        best, on_front = self.winner.setting, {point.setting for point in self.front}
        return {
            "run_id": self.run_id,
            "at": self.at.isoformat(),
            "version": self.version,
            "embedder": self.embedder,
            "questions": self.questions,
            "points": [
                _setting(point.setting)
                | {
                    "chunks": point.chunks,
                    "prompt_tokens": point.prompt_tokens,
                    "recall": point.recall,
                    "mrr": point.mrr,
                    "ndcg_at_5": point.ndcg,
                    "languages": {
                        language: {"recall": recall, "ndcg_at_5": ndcg}
                        for language, (recall, ndcg) in point.languages.items()
                    },
                    "on_front": point.setting in on_front,
                    "wins": point.setting == best,
                    "is_current": point.setting == self.current,
                }
                for point in self.points
            ],
            "winner": _setting(best),
            "current": _setting(self.current),
            "is_current_tied": self.is_current_tied,
            "halves": [asdict(check) | {"setting": _setting(check.setting)} for check in self.halves],
            "skipped": list(self.skipped),
            "failed": self.failed,
        }


class SweepBook:
    """The sweeps that were kept, in the database."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def keep(self, report: SweepReport) -> None:
        row = EvaluationRunRow(report.run_id, SWEEP, report.at, report.version, {}, report.plot(), ())
        await self._db.run(lambda session: keep_run(session, row))

    async def plots(self, limit: int = 20) -> tuple[Mapping[str, Any], ...]:
        """What `SweepReport.plot` gave, the newest first."""
        return tuple(row.figures for row in await self._db.run(lambda session: list_runs(session, SWEEP, limit)))


def _setting(setting: Setting) -> dict[str, Any]:
    cutting = setting.cutting
    return {
        "chunk_tokens": cutting.chunk_tokens,
        "overlap": cutting.overlap,
        "way": setting.way.value,
        "k": setting.k,
    }
