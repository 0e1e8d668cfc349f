"""The figures of this bench, from its verdicts: counts of what must not happen, shares of what should; by kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.bench.order_truth.cases import LANGUAGES, Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from console.bench.order_truth.judge import Verdict
    from console.bench.order_truth.runner import Judged

TARGETS = {
    "false_facts": "== 0",
    "stale": "== 0",
    "failed_turns": "== 0",
    "correct_given": ">= 0.97",
    "faults_ended_unknown": "== 1",
}
MOVES_TARGETS = {name: TARGETS[name] for name in ("false_facts", "stale", "failed_turns", "correct_given")}


def figures_of(judged: Sequence[Judged], seconds: float) -> dict[str, float | None]:
    """None where nothing of a kind came up, so that a target on it can't hold by accident."""
    verdicts = [one.verdict for one in judged]
    figures: dict[str, float | None] = {
        "conversations": float(len({verdict.case.number for verdict in verdicts})),
        "turns": float(len(verdicts)),
        "failed_turns": float(sum(bool(verdict.error) for verdict in verdicts)),
        "moved_in_turn": float(sum(verdict.moved for verdict in verdicts)),
        **_headline("", verdicts),
    }
    for language in LANGUAGES:
        figures |= _headline(f".{language}", [v for v in verdicts if v.case.language == language])
    for fault in Fault:
        of_fault = [verdict for verdict in verdicts if verdict.turn.fault is fault]
        figures |= {name: value for name, value in _of_fault(fault, of_fault).items() if value is not None}
    return figures | _delays(judged) | {"seconds": round(seconds, 1)}


def _headline(suffix: str, verdicts: Sequence[Verdict]) -> dict[str, float | None]:
    return {
        f"false_facts{suffix}": float(sum(len(v.false) + len(v.lies_shown) for v in verdicts)),
        f"stale{suffix}": float(sum(len(v.stale) for v in verdicts)),
        f"correct_given{suffix}": share(v.given for v in verdicts),
        f"faults_ended_unknown{suffix}": share(v.unknown for v in verdicts),
        f"help_answered{suffix}": share(v.helped for v in verdicts),
        f"help_wrongly_withheld{suffix}": share(v.withheld for v in verdicts),
    }


def _of_fault(fault: Fault, verdicts: Sequence[Verdict]) -> Mapping[str, float | None]:
    return {
        f"turns.{fault}": float(len(verdicts)),
        f"false_facts.{fault}": float(sum(len(v.false) + len(v.lies_shown) for v in verdicts)),
        f"correct_given.{fault}": share(v.given for v in verdicts),
        f"unknown.{fault}": share(v.unknown for v in verdicts),
    }


def _delays(judged: Sequence[Judged]) -> dict[str, float | None]:
    delays = [one.delay for one in judged if one.delay]
    gates = [one.gate_ms for one in judged if one.gate_ms is not None]
    return {
        "first_sentence_delay_ms_p50": quantile([delay.ms for delay in delays], 0.5),
        "first_sentence_delay_ms_p95": quantile([delay.ms for delay in delays], 0.95),
        "first_sentence_delay_sentences_p95": quantile([float(delay.sentences) for delay in delays], 0.95),
        "gate_ms_a_turn_p50": quantile(gates, 0.5),
        "gate_ms_a_turn_p95": quantile(gates, 0.95),
    }


def share(answers: Iterable[bool | None]) -> float | None:
    asked = [answer for answer in answers if answer is not None]
    return round(sum(asked) / len(asked), 4) if asked else None


def quantile(values: Sequence[float], at: float) -> float | None:
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(at * len(ordered)))], 2) if ordered else None
