"""The route bench: every labelled question is routed as in a turn, by code alone; the model is not asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import quantiles
from typing import TYPE_CHECKING

from console.bench.report import BenchResult, judge
from console.bench.route.cases import kitchen_cases, own_cases, public_cases
from console.bench.route.fit import fitted_weights
from engine_host.answering.event_json import event_to_json
from engine_host.answering.nearest import Examples
from engine_host.answering.route import Asked, Router
from knowledge.embedding import FastembedEmbedder
from knowledge.embedding_model import embedding_model_folder
from storage.records import NewTurn, SettledTurn, TokenUse, Turn, TurnOutcome, TurnTimes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from console.bench.route.cases import Case, Half
    from engine_host.answering.events import Routed
    from engine_host.answering.way import Spent
    from storage.paths import Home

PREFIXES = ("KD",)
TARGETS: Mapping[str, str] = {
    "recall_en": ">= 0.98",
    "recall_hi": ">= 0.95",
    "recall_mr": ">= 0.95",
    "recall_hinglish": ">= 0.95",
    "recall_en_unseen": ">= 0.98",
    "recall_hi_unseen": ">= 0.95",
    "recall_mr_unseen": ">= 0.95",
    "recall_hinglish_unseen": ">= 0.95",
    "recall_bitext": ">= 0.98",
    "recall_clinc150": ">= 0.98",
    "code_ms_p50": "<= 3",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the route said to one case; `ms` with the embedding of the question, `code_ms` without."""

    case: Case
    order: bool
    ms: float
    code_ms: float


class EmbedderMeanings:
    """The embedder without a library around it."""

    def __init__(self, embedder: FastembedEmbedder) -> None:
        self._embedder = embedder

    async def model(self) -> str:
        return self._embedder.name

    async def of(self, question: str) -> NDArray[np.float32]:
        return self._embedder.embed_question(question)

    async def of_all(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._embedder.embed(texts)


class NoEngine:
    """Code decides alone."""

    run = None

    async def writer(self) -> None:
        return None


async def run_route_bench(home: Home, data: Path | None, half: Half = "heldout") -> BenchResult:
    """Raises ModelMissing when the embedding model is not installed in `home`."""
    nearest = examples_of(home)
    await nearest.warm()
    cases = own_cases(half) + (own_cases("unseen") if half == "heldout" else [])
    cases += public_cases(half, data) if data else []
    router, by_code = Router(nearest, NoEngine()), Router(Examples(None), NoEngine())
    return judged([await _answered(router, by_code, case) for case in cases])


async def new_weights(home: Home, data: Path | None) -> dict[str, float]:
    """Weights fitted to our examples, the sample kitchen's questions and the dev halves. Raises ModelMissing."""
    own = [*own_cases("dev"), *kitchen_cases()]
    nearest = examples_of(home)
    await nearest.warm()
    return await fitted_weights(nearest, own, public_cases("dev", data) if data else [])


def examples_of(home: Home) -> Examples:
    return Examples(EmbedderMeanings(FastembedEmbedder(embedding_model_folder(home))))


def judged(answers: Sequence[Answer]) -> BenchResult:
    """Recall and precision of every set; a target is only held against a set that was there."""
    figures: dict[str, float | None] = {}
    for group in dict.fromkeys(answer.case.group for answer in answers):
        figures |= _figures(group, [answer for answer in answers if answer.case.group == group])
    figures["code_ms_p50"], figures["code_ms_p95"] = _middle_and_slow([answer.code_ms for answer in answers])
    figures["ms_p50"], figures["ms_p95"] = _middle_and_slow([answer.ms for answer in answers])
    always = ("recall_en", "recall_hi", "recall_mr", "recall_hinglish", "code_ms_p50")
    targets = {name: target for name, target in TARGETS.items() if name in figures or name in always}
    return judge("route", figures, targets)


async def _answered(router: Router, by_code: Router, case: Case) -> Answer:
    earlier = (turn_of(case.before, await router.route(Asked(case.before, PREFIXES), _ignore)),) if case.before else ()
    asked = Asked(case.text, PREFIXES, earlier)
    routed = await router.route(asked, _ignore)
    return Answer(case, routed.order, routed.elapsed_ms, (await by_code.route(asked, _ignore)).elapsed_ms)


def turn_of(question: str, routed: Routed) -> Turn:
    """A settled turn that was routed so."""
    now = datetime.now(UTC)
    opened = NewTurn("before", "talk", "kamala", None, "", question, now, None)
    settled = SettledTurn(
        "before", TurnOutcome.ANSWERED, "en", "", TokenUse(), TurnTimes(), (event_to_json(routed),), withheld=0
    )
    return Turn(opened, settled)


def _figures(group: str, answers: Sequence[Answer]) -> dict[str, float | None]:
    counted = [answer for answer in answers if answer.case.order is not None]
    if not counted:
        return {f"looked_up_{group}": _share(sum(answer.order for answer in answers), len(answers))}
    wanted = [answer for answer in counted if answer.case.order]
    found = sum(answer.order for answer in wanted)
    looked_up = sum(answer.order for answer in counted)
    others = len(counted) - len(wanted)
    figures = {f"false_alarms_{group}": _share(looked_up - found, others)}
    if wanted:
        figures = {f"recall_{group}": found / len(wanted), f"precision_{group}": _share(found, looked_up)} | figures
    return figures


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _middle_and_slow(times: Sequence[float]) -> tuple[float | None, float | None]:
    if len(times) < 2:
        return None, None
    cuts = quantiles(times, n=20)
    return cuts[9], cuts[18]


def _ignore(spent: Spent) -> None:
    """No model is asked, so there is nothing to count."""
