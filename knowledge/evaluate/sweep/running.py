"""The sweep itself: one temporary library after the other, every question in every way."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from knowledge.article import ArticleStatus
from knowledge.chunking import ChunkLimits, chunk
from knowledge.errors import SweepRefused, SweepTooLarge
from knowledge.evaluate.asking import DEPTH, Conditions, ask_all
from knowledge.evaluate.runs import SHORT_ID
from knowledge.evaluate.sweep.plan import Setting, current_cutting
from knowledge.evaluate.sweep.points import point_of
from knowledge.evaluate.sweep.remembering import SharedLoad
from knowledge.evaluate.sweep.report import SweepReport
from knowledge.evaluate.sweep.temporary import temporary_library
from knowledge.ranking import Way
from storage.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from knowledge.article import ArticleText
    from knowledge.embedding import Embedder
    from knowledge.evaluate.questions import KnownQuestion
    from knowledge.evaluate.sweep.plan import Cutting, SweepPlan
    from knowledge.evaluate.sweep.points import Point
    from knowledge.library import Library
    from storage.settings import Settings


@dataclass(frozen=True, slots=True)
class SweepProgress:
    """How far a sweep is: `step` in words, and units of work (an article put in, a question asked) done and in all."""

    step: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class SweepOrder:
    """What to try on which questions, as on this day, from these settings, by this version of the program."""

    plan: SweepPlan
    questions: Sequence[KnownQuestion]
    on: date
    settings: Settings
    load_embedder: Callable[[], Embedder]
    version: str


async def sweep(library: Library, order: SweepOrder, report: Callable[[SweepProgress], None]) -> SweepReport:
    """Try every setting of the plan on the published articles. The live index is neither read nor written.

    May be cancelled at any moment: nothing is left. Raises SweepRefused, KnowledgeError, StorageError.
    """
    if not any(question.supports for question in order.questions):
        raise SweepRefused("There is no question that an article answers: nothing can be compared. Add some first.")
    texts = [one.text for one in await library.articles() if one.status is ArticleStatus.PUBLISHED]
    if not texts:
        raise SweepRefused("There are no published articles: nothing can be found. Add some first.")
    load = SharedLoad(order.load_embedder, order.plan.most_texts)
    knowledge = order.settings.knowledge
    worker = Worker("sweep-cutting")
    try:
        embedder = await worker.run(load)
        cuttings = order.plan.cuttings(current_cutting(knowledge), embedder.max_tokens)
        run = _Run(order, library, texts, load, report, len(cuttings))
        for cutting in cuttings:
            pieces = await worker.run(_pieces, texts, embedder, cutting)
            await run.try_cutting(cutting, pieces)
    finally:
        await worker.aclose()
    if not run.points:
        raise SweepRefused(f"No cutting could be tried. {run.skipped[0]}")
    return SweepReport(
        run_id=uuid.uuid4().hex[:SHORT_ID],
        at=datetime.now(UTC),
        version=order.version,
        embedder=embedder.name,
        questions=sum(bool(question.supports) for question in order.questions),
        points=tuple(run.points),
        current=Setting(cuttings[0], Way.HYBRID, min(knowledge.passages, DEPTH)),
        skipped=tuple(run.skipped),
        failed=run.failed,
    )


def _pieces(texts: Sequence[ArticleText], embedder: Embedder, cutting: Cutting) -> _Pieces:
    limits = ChunkLimits(cutting.chunk_tokens, cutting.overlap)
    return tuple((piece.start, piece.end) for text in texts for piece in chunk(text, embedder.count_tokens, limits))


_Pieces = tuple[tuple[int, int], ...]


class _Run:
    """One sweep under way."""

    def __init__(
        self,
        order: SweepOrder,
        library: Library,
        texts: Sequence[ArticleText],
        load: Callable[[], Embedder],
        report: Callable[[SweepProgress], None],
        cuttings: int,
    ) -> None:
        self.points: list[Point] = []
        self.skipped: list[str] = []
        self.failed = 0
        self._order = order
        self._library = library
        self._texts = texts
        self._load = load
        self._report = report
        self._cuttings = cuttings
        self._one = len(texts) + len(order.questions) * len(order.plan.ways)
        self._begun = 0
        self._tried: dict[_Pieces, list[Point]] = {}

    async def try_cutting(self, cutting: Cutting, pieces: _Pieces) -> None:
        """Measure a cutting; one that cuts the very same pieces as another has the same points."""
        before = self._begun * self._one
        self._begun += 1
        found = self._tried.get(pieces) or await self._measured(cutting, before)
        self._tried[pieces] = found
        self.points += [replace(point, setting=replace(point.setting, cutting=cutting)) for point in found]
        self._tell(f"{cutting}: done", before + self._one)

    async def _measured(self, cutting: Cutting, before: int) -> list[Point]:

        def on_article(done: int) -> None:
            self._tell(f"{cutting}: {done} of {len(self._texts)} articles", before + done)

        base = (self._order.settings, self._library.timezone)
        try:
            async with temporary_library(self._texts, cutting, base, self._load, on_article) as library:
                return await self._asked(library, cutting, before + len(self._texts))
        except SweepTooLarge as error:
            self.skipped.append(f"{cutting} was left out: {error}")
            return []

    async def _asked(self, library: Library, cutting: Cutting, before: int) -> list[Point]:
        points: list[Point] = []
        plan, questions = self._order.plan, self._order.questions
        chunks = sum(article.chunk_count for article in await library.articles())
        for number, way in enumerate(plan.ways):
            start = before + number * len(questions)

            def on_asked(done: int, start: int = start, way: Way = way) -> None:
                self._tell(f"{cutting}: {way}, {done} of {len(questions)} questions", start + done)

            asked = await ask_all(library, questions, Conditions(self._order.on, DEPTH, way), on_asked)
            self.failed += sum(bool(one.failure) for one in asked)
            taken = plan.taken(self._order.settings.knowledge.passages)
            points += [point_of(Setting(cutting, way, k), chunks, asked) for k in taken]
        return points

    def _tell(self, step: str, done: int) -> None:
        self._report(SweepProgress(step, done, self._cuttings * self._one))
