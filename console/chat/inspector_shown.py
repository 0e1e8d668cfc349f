"""What the inspector shows of a turn, derived from its events and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from console.chat.message_shown import sentence
from console.chat.words import UNKNOWN, count, milliseconds
from console.widgets.pill import PillMark
from engine_host.answering.events import Ended, PassagesFound, Routed, Text, Withheld
from engine_host.answering.unknown_reason import unknown_reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.chat.tracked import TrackedTurn
    from knowledge.article import Passage


NO_RULES: Final = (
    "everything else", "order number", "follow-up", "short question", "like an example", "in doubt", "the model",
)  # fmt: skip
DECIDED_BY: Final = {
    "number": "its order number",
    "rule": "a rule",
    "follow-up": "its form: it leans on the turn before, or is too short to stand alone",
    "example": "the nearest labelled example",
    "model": "the model",
    "doubt": "doubt: a look-up costs little",
    "small talk": "a rule",
}


@dataclass(frozen=True, slots=True)
class RouteShown:
    """`ways` are a pill and the rule that said so, last why the turn does not know; `by` says what decided.

    `why` is the turn's own sentence about its end, for staff.
    """

    figure: str = UNKNOWN
    ways: tuple[tuple[PillMark, str], ...] = ()
    by: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class PassageShown:
    """`number` is the citation's; those that were not given come after all that were. `share` is the score, 0 to 1."""

    number: str
    title: str
    heading: str
    share: float
    score: str
    cited: bool
    given: bool


@dataclass(frozen=True, slots=True)
class PassagesShown:
    figure: str = UNKNOWN
    rows: tuple[PassageShown, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class WithheldShown:
    figure: str = UNKNOWN
    rows: tuple[tuple[str, str], ...] = ()


def derive_route(turn: TrackedTurn) -> RouteShown:
    routed, ended = turn.last_of(Routed), turn.last_of(Ended)
    why = (ended.why if ended else "") or turn.fault
    if routed is None:
        return RouteShown(why=why)
    ways: list[tuple[PillMark, str]] = []
    if routed.order:
        ways.append((PillMark("Order", "accent"), _rule(routed.order_rule)))
    if routed.help:
        ways.append((PillMark("Help", "accent"), _rule(routed.help_rule)))
    if not ways:
        ways.append((PillMark("Small talk"), "no look-up, no model"))
    if (unknown := unknown_reason(turn.events)) is not None:
        ways.append((PillMark("Does not know"), unknown.value))
    figure = milliseconds(routed.elapsed_ms) if routed.elapsed_ms >= 1 else "under 1 ms"
    return RouteShown(figure, tuple(ways), _by(routed), why)


def _rule(rule: str) -> str:
    """Rules are named after what a customer types; what else decides has no such name."""
    return rule if not rule or rule.startswith(NO_RULES) else f"rule “{rule}”"


def _by(routed: Routed) -> str:
    decided = f"Decided by {DECIDED_BY.get(routed.by, routed.by)}"
    if not routed.nearest:
        return f"{decided}."
    example = f"“{routed.nearest}”"
    return f"{decided}: {example}." if routed.by == "example" else f"{decided}. Nearest labelled example: {example}."


def derive_passages(turn: TrackedTurn, cited: tuple[int, ...]) -> PassagesShown:
    """Numbered as they are cited, whatever order they were found in: those given to the model first."""
    found = turn.last_of(PassagesFound)
    if found is None:
        return PassagesShown()
    figure = f"{len(found.passages)} of {count(found.searched, 'chunk')}, threshold {found.threshold:.2f}"
    given = [passage for passage in found.passages if passage.given]
    left_out = [passage for passage in found.passages if not passage.given]
    rows = tuple(
        _passage(passage, number, cited=passage.given and number in cited)
        for number, passage in enumerate((*given, *left_out), start=1)
    )
    return PassagesShown(figure, rows, _note(left_out, len(given) + 1, found.threshold))


def _passage(passage: Passage, number: int, *, cited: bool) -> PassageShown:
    return PassageShown(
        number=str(number),
        title=passage.title,
        heading=passage.heading_path[-1] if passage.heading_path else "",
        share=min(max(passage.score, 0.0), 1.0),
        score=f"{passage.score:.2f}",
        cited=cited,
        given=passage.given,
    )


def _note(left_out: Sequence[Passage], first: int, threshold: float) -> str:
    """Why passages were not given to the model; a near one tells of a single order, which no article can know."""
    under = [number for number, passage in enumerate(left_out, first) if passage.score < threshold]
    tales = [number for number, passage in enumerate(left_out, first) if passage.score >= threshold]
    told = (
        _were(under, "is under the threshold and was", "are under the threshold and were"),
        _were(tales, "tells of a single order and was", "tell of single orders and were"),
    )
    return " ".join(filter(None, told))


def _were(numbers: list[int], one: str, many: str) -> str:
    if not numbers:
        return ""
    *most, last = map(str, numbers)
    names = f"{', '.join(most)} and {last}" if most else last
    return f"{names} {many if most else one} not given to the model."


def derive_withheld(turn: TrackedTurn) -> WithheldShown:
    withheld = turn.all_of(Withheld)
    written = len(withheld) + len(turn.all_of(Text))
    if not written:
        return WithheldShown()
    figure = f"{len(withheld)} of {count(written, 'sentence')}" if withheld else f"none of {count(written, 'sentence')}"
    return WithheldShown(figure, tuple((event.text, sentence(event.reason)) for event in withheld))
