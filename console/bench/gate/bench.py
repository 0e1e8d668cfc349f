"""The gate bench: what the gate costs, what it withholds wrongly, and what it lets out wrongly."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Final

from console.bench.gate.labelled import ORDER_CLAIM, labelled_sentences, verdicts
from console.bench.gate.timing import answers, delay_of_the_first, timed
from console.bench.report import BenchResult, judge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from console.bench.gate.labelled import Verdict
    from console.bench.gate.timing import Answer, Timed

TIME_TARGETS: Final[Mapping[str, str]] = {"sentence_ms_p95": "<= 3", "first_sentence_delay": "<= 1"}
VERDICT_TARGETS: Final[Mapping[str, str]] = {
    "verbatim_withheld": "<= 0.02",
    "order_claims_released": "== 0",
    "unsupported_released": "<= 0.05",
}


def run_gate_bench() -> BenchResult:
    """Times on every labelled sentence, verdicts on the held-out ones. Without a checkout there is nothing to measure:
    the figures are empty and the targets missed."""
    heldout = labelled_sentences("heldout")
    written = tuple(answers((*labelled_sentences("dev"), *heldout)))
    for answer in written[:3]:
        timed(answer)  # the word lists and patterns are read once a program, not once a turn
    figures = time_figures([timed(answer) for answer in written]) | delay_figures(written)
    return judge("gate", figures | verdict_figures(verdicts(heldout)), {**TIME_TARGETS, **VERDICT_TARGETS})


def time_figures(turns: Sequence[Timed]) -> dict[str, float | None]:
    sentences = sorted(ms for turn in turns for ms in turn.sentences)
    first = sorted(turn.sentences[0] for turn in turns if turn.sentences)
    prepared = sorted(turn.prepare for turn in turns)
    return {
        "sentence_ms_p50": _share_below(sentences, 0.5),
        "sentence_ms_p95": _share_below(sentences, 0.95),
        "first_sentence_ms_p95": _share_below(first, 0.95),
        "passages_ms_p50": _share_below(prepared, 0.5),
        "passages_ms_p95": _share_below(prepared, 0.95),
        "sentence_cpu_ms_p95": _share_below(sorted(ms for turn in turns for ms in turn.cpu), 0.95),
        "sentences": float(len(sentences)),
    }


def delay_figures(written: Sequence[Answer]) -> dict[str, float | None]:
    """In sentences: the longest delay of a first sentence, and the mean."""
    delays = [delay for answer in written if (delay := delay_of_the_first(answer)) is not None]
    return {
        "first_sentence_delay": float(max(delays)) if delays else None,
        "first_sentence_delay_mean": statistics.fmean(delays) if delays else None,
    }


def verdict_figures(judged: Sequence[Verdict]) -> dict[str, float | None]:
    """Shares of the labelled sentences that got the wrong verdict, and of the unsupported ones by kind."""
    supported = [one for one in judged if one.row.supported]
    claims = [one for one in judged if one.row.kind == ORDER_CLAIM]
    others = [one for one in judged if not one.row.supported and one.row.kind != ORDER_CLAIM]
    by_kind = {
        f"released_{kind.replace(' ', '_')}": _share([one.released for one in others if one.row.kind == kind])
        for kind in sorted({one.row.kind for one in others})
    }
    return {
        "verbatim_withheld": _share([not one.released for one in supported if one.row.is_verbatim]),
        "paraphrase_withheld": _share([not one.released for one in supported if not one.row.is_verbatim]),
        "order_claims_released": _share([one.released for one in claims]),
        "unsupported_released": _share([one.released for one in others]),
        **by_kind,
        "verbatim": float(sum(one.row.is_verbatim for one in supported)),
        "paraphrases": float(sum(not one.row.is_verbatim for one in supported)),
        "unsupported": float(len(claims) + len(others)),
    }


def _share(wrong: Sequence[bool]) -> float | None:
    return sum(wrong) / len(wrong) if wrong else None


def _share_below(ordered: Sequence[float], share: float) -> float | None:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else None
