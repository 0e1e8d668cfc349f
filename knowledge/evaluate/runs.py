"""Runs: the user's own questions asked of the library as it stands, with both branches alone beside it, and kept."""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, Final

from knowledge.article import ArticleStatus
from knowledge.errors import RunUnknown
from knowledge.evaluate.asking import Conditions, ask_all
from knowledge.evaluate.figures import ALL, Figures, figures_by_article, figures_by_language, figures_of
from knowledge.ranking import Way
from storage.evaluation_records import EvaluationRunRow
from storage.queries.evaluation import keep_run, list_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from knowledge.evaluate.asking import Asked
    from knowledge.evaluate.questions import KnownQuestion
    from knowledge.library import Library
    from storage.database import Database
    from storage.settings import KnowledgeSettings

RUN: Final = "run"
LAST: Final = "last"
SHORT_ID: Final = 8


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """What came of one question, as kept: `gains` as in Asked, up to the last passage that gained anything."""

    question_id: str
    text: str
    language: str
    tenant_id: str
    articles: tuple[str, ...]
    known: int
    gains: tuple[int, ...]
    refused: bool
    prompt_tokens: int
    failure: str
    outdated: bool


@dataclass(frozen=True, slots=True)
class EvaluationRun:
    """A run as kept. `ways` has figures of all questions and of each language for every way of searching; `articles`
    and `results` are of the way that answers take."""

    run_id: str
    at: datetime
    version: str
    settings: Mapping[str, Any]
    ways: Mapping[Way, tuple[Figures, ...]]
    articles: tuple[Figures, ...]
    results: tuple[QuestionResult, ...]

    @property
    def figures(self) -> tuple[Figures, ...]:
        """Of all questions, then of each language, as answers search."""
        return self.ways[Way.HYBRID]


@dataclass(frozen=True, slots=True)
class RunOrder:
    """What is to be measured: these questions, as on this day, with these settings, by this version of the program."""

    questions: Sequence[KnownQuestion]
    on: date
    settings: KnowledgeSettings
    version: str


async def measure(
    library: Library, order: RunOrder, on_asked: Callable[[int, int], None] | None = None
) -> EvaluationRun:
    """Ask every question in every way; `on_asked` gets (asked, in all). Raises KnowledgeError, StorageError."""
    total = len(order.questions) * len(Way)
    asked: dict[Way, tuple[Asked, ...]] = {}
    for number, way in enumerate(Way):

        def report(done: int, before: int = number * len(order.questions)) -> None:
            if on_asked:
                on_asked(before + done, total)

        conditions = Conditions(order.on, order.settings.passages, way)
        asked[way] = await ask_all(library, order.questions, conditions, report)
    articles = await library.articles()
    published = [article for article in articles if article.status is ArticleStatus.PUBLISHED]
    return EvaluationRun(
        run_id=uuid.uuid4().hex[:SHORT_ID],
        at=datetime.now(UTC),
        version=order.version,
        settings=order.settings.model_dump(mode="json", exclude={"qdrant_url", "embedder_key_secret"})
        | {"on": order.on.isoformat(), "articles": len(published), "chunks": sum(one.chunk_count for one in published)},
        ways={way: (figures_of(ALL, found), *figures_by_language(found)) for way, found in asked.items()},
        articles=figures_by_article(asked[Way.HYBRID]),
        results=tuple(result_of(one) for one in asked[Way.HYBRID]),
    )


class RunBook:
    """The runs that were kept, in the database. Every method raises StorageError as the database does."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def keep(self, run: EvaluationRun) -> None:
        row = _row_of(run)
        await self._db.run(lambda session: keep_run(session, row))

    async def runs(self, limit: int = 50) -> tuple[EvaluationRun, ...]:
        """The newest first."""
        return tuple(_run_of(row) for row in await self._db.run(lambda session: list_runs(session, RUN, limit)))

    async def run(self, name: str) -> EvaluationRun:
        """By its id, the beginning of it, or `last`, `last-1` and so on. Raises RunUnknown."""
        runs = await self.runs(limit=1000)
        back = name.removeprefix(LAST).removeprefix("-") or "0"
        if name.startswith(LAST) and back.isdecimal() and int(back) < len(runs):
            return runs[int(back)]
        found = [run for run in runs if name and run.run_id.startswith(name)]
        if len(found) != 1:
            fact = f"{len(found)} runs begin with it" if found else "none is kept under that name"
            raise RunUnknown(f"There is no run {name}: {fact}. See the list with `dabba eval retrieval --list`.")
        return found[0]


def result_of(asked: Asked) -> QuestionResult:
    last = max((place for place, gain in enumerate(asked.gains, start=1) if gain), default=0)
    question = asked.question
    return QuestionResult(
        question_id=question.question_id,
        text=question.text,
        language=question.language,
        tenant_id=question.tenant_id,
        articles=tuple(sorted({support.article for support in question.supports})),
        known=asked.known,
        gains=asked.gains[:last],
        refused=asked.refused,
        prompt_tokens=sum(tokens for tokens, given in zip(asked.tokens, asked.given, strict=True) if given),
        failure=asked.failure,
        outdated=asked.outdated,
    )


def _row_of(run: EvaluationRun) -> EvaluationRunRow:
    figures = {
        "ways": {way.value: [asdict(line) for line in lines] for way, lines in run.ways.items()},
        "articles": [asdict(line) for line in run.articles],
    }
    results = tuple(asdict(result) for result in run.results)
    return EvaluationRunRow(run.run_id, RUN, run.at, run.version, run.settings, figures, results)


def _run_of(row: EvaluationRunRow) -> EvaluationRun:
    ways: Mapping[str, list[dict[str, Any]]] = row.figures["ways"]
    return EvaluationRun(
        run_id=row.run_id,
        at=row.at,
        version=row.version,
        settings=row.settings,
        ways={Way(way): tuple(Figures(**line) for line in lines) for way, lines in ways.items()},
        articles=tuple(Figures(**line) for line in row.figures["articles"]),
        results=tuple(_kept_result(dict(result)) for result in row.results),
    )


def _kept_result(result: dict[str, Any]) -> QuestionResult:
    articles, gains = tuple(result.pop("articles")), tuple(result.pop("gains"))
    return QuestionResult(articles=articles, gains=gains, **result)
