"""Runs made up for tests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from knowledge.evaluate.asking import Asked
from knowledge.evaluate.figures import ALL, figures_by_article, figures_of
from knowledge.evaluate.questions import KnownQuestion, Support
from knowledge.evaluate.runs import EvaluationRun, result_of
from knowledge.ranking import Way

if TYPE_CHECKING:
    from collections.abc import Mapping

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
SETTINGS = {
    "on": "2026-11-30",
    "articles": 2,
    "chunks": 9,
    "chunk_tokens": 200,
    "chunk_overlap": 30,
    "passages": 4,
    "embedder": "bundled",
}


def asked(number: int, *gains: int, known: int = 1) -> Asked:
    """A question whose passages have ten tokens each and are all given."""
    supports = tuple(Support(f"a{number}", f"text {support}") for support in range(known))
    here = KnownQuestion(f"q{number}", f"question {number}", "en", "kamala", supports)
    marks = tuple(bool(gain) for gain in gains)
    return Asked(here, gains, marks, (True,) * len(gains), (10,) * len(gains), 2.0)


def run_of(
    run_id: str, *found: Asked, at: datetime = NOW, settings: Mapping[str, object] | None = None
) -> EvaluationRun:
    figures = (figures_of(ALL, found),)
    return EvaluationRun(
        run_id=run_id,
        at=at,
        version="0.1",
        settings={**SETTINGS, **(settings or {})},
        ways=dict.fromkeys(Way, figures),
        articles=figures_by_article(found),
        results=tuple(result_of(one) for one in found),
    )
