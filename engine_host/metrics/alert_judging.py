"""Whether the condition of an alert holds at one moment, and how it goes on from there. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from engine_host.metrics.alert_figures import FIGURES
from engine_host.metrics.alert_seen import NOT_KNOWN, Asked, Seen

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine_host.metrics.alert_facts import AlertFacts
    from engine_host.metrics.alert_figures import Subject
    from engine_host.metrics.alert_rules import Condition, Rule

LONGEST_STEP_S: Final = 5.0
"""More than this between two looks is not counted: nobody was looking."""


class Verdict(StrEnum):
    HOLDS = "holds"
    ENDS = "ends"
    UNKNOWN = "unknown"


class Phase(StrEnum):
    INACTIVE = "inactive"
    PENDING = "pending"
    FIRING = "firing"


@dataclass(frozen=True, slots=True)
class AlertState:
    """`began_at` is when the condition began to hold, `worst` the furthest value since.

    `counted_s` are known seconds towards the next phase: in which the condition held while pending, in which it had
    ended while firing. `counting_from` is the monotonic second of the last look that counted.
    """

    phase: Phase = Phase.INACTIVE
    began_at: datetime | None = None
    worst: float | None = None
    counted_s: float = 0.0
    counting_from: float | None = None


QUIET: Final = AlertState()


def look(rule: Rule, facts: AlertFacts) -> Mapping[Subject, Mapping[str, Seen]] | None:
    """Each subject of the alert with its figures; None = it is not known which subjects there are."""
    seen: dict[Subject, dict[str, Seen]] = {}
    for name, condition in rule.when.items():
        told = FIGURES[name].read(facts, Asked(condition.window_s, condition.least))
        if told is None:
            return None
        for subject, figure in told.items():
            seen.setdefault(subject, {})[name] = figure
    return seen


def judge(rule: Rule, seen: Mapping[str, Seen], *, firing: bool) -> Verdict:
    """All conditions must hold. One that is known not to ends it, whatever is unknown of the others."""
    verdicts = [_of(condition, seen.get(name, NOT_KNOWN), firing=firing) for name, condition in rule.when.items()]
    if Verdict.ENDS in verdicts:
        return Verdict.ENDS
    return Verdict.UNKNOWN if Verdict.UNKNOWN in verdicts else Verdict.HOLDS


def step(rule: Rule, state: AlertState, verdict: Verdict, value: float | None, facts: AlertFacts) -> AlertState:
    """The state after one more look. From FIRING to INACTIVE means that the alert has cleared."""
    if verdict is Verdict.UNKNOWN:
        return replace(state, counting_from=None)
    if state.phase is Phase.FIRING:
        return _while_firing(rule, state, verdict, value, facts.mono)
    if verdict is Verdict.ENDS:
        return QUIET
    began = state if state.phase is Phase.PENDING else AlertState(Phase.PENDING, facts.at)
    counted = began.counted_s + _seconds(began, facts.mono)
    pending = replace(began, worst=_worst(rule, began, value), counted_s=counted, counting_from=facts.mono)
    if counted < rule.for_s:
        return pending
    return replace(pending, phase=Phase.FIRING, counted_s=0.0, counting_from=None)


def _while_firing(rule: Rule, state: AlertState, verdict: Verdict, value: float | None, mono: float) -> AlertState:
    if verdict is Verdict.HOLDS:
        return replace(state, worst=_worst(rule, state, value), counted_s=0.0, counting_from=None)
    counted = state.counted_s + _seconds(state, mono)
    if counted >= rule.clears_after_s:
        return QUIET
    return replace(state, counted_s=counted, counting_from=mono)


def _seconds(state: AlertState, mono: float) -> float:
    if state.counting_from is None:
        return 0.0
    return min(max(0.0, mono - state.counting_from), LONGEST_STEP_S)


def _worst(rule: Rule, state: AlertState, value: float | None) -> float | None:
    _, condition = rule.shown
    if value is None or state.worst is None:
        return state.worst if value is None else value
    return condition.worse(state.worst, value)


def _of(condition: Condition, seen: Seen, *, firing: bool) -> Verdict:
    if not seen.known:
        return Verdict.UNKNOWN
    if seen.value is None:
        return Verdict.ENDS
    return Verdict.HOLDS if condition.holds(seen.value, firing=firing) else Verdict.ENDS
