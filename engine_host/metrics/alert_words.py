"""What is said of an alert: the sentences of its rule, filled in. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine_host.metrics.alert_figures import FIGURES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine_host.metrics.alert_rules import Rule
    from engine_host.metrics.alert_seen import Seen

UNKNOWN: Final = "–"
SWITCHED_OFF: Final = "This alert was switched off while it was firing."
GONE: Final = "What it watched is no longer there."


def title_of(rule: Rule, name: str) -> str:
    return rule.title.format_map(_words(rule, name, {}, None))


def firing_words(rule: Rule, name: str, seen: Mapping[str, Seen], worst: float | None) -> str:
    return rule.firing.format_map(_words(rule, name, seen, worst)).strip()


def cleared_words(rule: Rule, name: str, seen: Mapping[str, Seen], worst: float | None) -> str:
    return rule.cleared.format_map(_words(rule, name, seen, worst)).strip()


def unknown_words(rule: Rule, worst: float | None) -> str:
    """Of an alert whose figures do not come: it stays as it is."""
    _, condition = rule.shown
    furthest = "highest" if condition.above is not None else "lowest"
    before = "" if worst is None else f"; {furthest} so far {_said(rule, worst)}"
    return f"Not known at the moment{before}."


def _words(rule: Rule, name: str, seen: Mapping[str, Seen], worst: float | None) -> dict[str, str]:
    _, condition = rule.shown
    more = {word: UNKNOWN for figure in rule.when for word in FIGURES[figure].more}
    told = {word: text for one in seen.values() for word, text in one.more.items()}
    values = {
        figure: UNKNOWN if (value := _value(seen, figure)) is None else FIGURES[figure].words(value)
        for figure in rule.when
    }
    plain = {
        "limit": _said(rule, condition.limit),
        "worst": UNKNOWN if worst is None else _said(rule, worst),
        "for": f"{rule.for_s:g} s",
        "name": name,
    }
    return {**more, **told, **values, **plain}


def _value(seen: Mapping[str, Seen], figure: str) -> float | None:
    return seen[figure].value if figure in seen else None


def _said(rule: Rule, value: float) -> str:
    figure, _ = rule.shown
    return figure.words(value)
