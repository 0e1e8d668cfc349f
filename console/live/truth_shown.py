"""What the Truth panel shows of the turns that ended in the window. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from console.live.latency_shown import LEAST_TURNS
from console.live.view import UNKNOWN
from console.live.windows import nearest_rank
from console.widgets.tile import Figure, TileFigures
from engine_host.answering.unknown_reason import UnknownReason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.live.reading import LiveRead
    from console.live.truth import Truth
    from console.live.view import View

NO_FIGURES: Final = TileFigures((Figure(UNKNOWN),))


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """`leads`: no other reason was more frequent."""

    words: str
    turns: int = 0
    leads: bool = False


@dataclass(frozen=True, slots=True)
class TruthShown:
    """`empty` is a sentence in place of everything else. `warning` names status words that nobody mapped."""

    withheld: TileFigures = NO_FIGURES
    lookup: TileFigures = NO_FIGURES
    unknown: TileFigures = NO_FIGURES
    reasons: tuple[ReasonRow, ...] = ()
    warning: str = ""
    empty: str = ""


def derive_truth(read: LiveRead, view: View) -> TruthShown:
    if read.ledger_fault:
        return TruthShown(empty=read.ledger_fault)
    truths = [turn.truth for turn in read.ledger.inside(view.window_s, read.now)]
    if not truths:
        return TruthShown(empty=f"No turn ended in the last {view.window_words}. Ask something, or look further back.")
    return TruthShown(
        withheld=_withheld(truths),
        lookup=_lookup(truths),
        unknown=_unknown(truths),
        reasons=_reasons(truths),
        warning=warning_of(tuple(dict.fromkeys(word for truth in truths for word in truth.unmapped))),
    )


def warning_of(words: Sequence[str]) -> str:
    """Status words of the order system without a meaning, as one sentence; "" when there are none."""
    if not words:
        return ""
    named = ", ".join(f"“{word}”" for word in words)
    return f"Status {named} is not mapped." if len(words) == 1 else f"Statuses {named} are not mapped."


def _withheld(truths: Sequence[Truth]) -> TileFigures:
    held, written = sum(truth.withheld for truth in truths), sum(truth.written for truth in truths)
    if not written:
        return TileFigures((Figure("0", "sentences"),), "the model wrote nothing")
    figure = Figure(f"{held:,}", f"of {_count(written, 'sentence')}")
    where = _count(sum(truth.withheld > 0 for truth in truths), "turn")
    return TileFigures((figure,), f"in {where}; only staff see them" if held else "every sentence passed the gate")


def _lookup(truths: Sequence[Truth]) -> TileFigures:
    """Of fewer than 20 turns the 95th percentile is only the slowest, and is called so."""
    times = sorted(truth.lookup_s * 1000 for truth in truths if truth.lookup_s is not None)
    if not times:
        return TileFigures((Figure(UNKNOWN),), "no order was looked up")
    high = "p95" if len(times) >= LEAST_TURNS else "slowest"
    figures = (
        Figure(f"{nearest_rank(times, 0.5):,.0f}", "p50"),
        Figure(f"{nearest_rank(times, 0.95):,.0f}", high),
    )
    return TileFigures(figures, f"{_count(len(times), 'turn')} looked an order up")


def _unknown(truths: Sequence[Truth]) -> TileFigures:
    unknown = sum(truth.unknown is not None for truth in truths)
    figure = Figure(f"{unknown:,}", f"of {_count(len(truths), 'turn')}")
    return TileFigures((figure,), f"{100 * unknown / len(truths):.1f} %, by reason" if unknown else "no turn")


def _reasons(truths: Sequence[Truth]) -> tuple[ReasonRow, ...]:
    """All of them in their own order, so that a row never moves."""
    counted = Counter(truth.unknown for truth in truths if truth.unknown is not None)
    most = max(counted.values(), default=0)
    return tuple(
        ReasonRow(reason.value, counted[reason], leads=0 < counted[reason] == most) for reason in UnknownReason
    )


def _count(number: int, what: str) -> str:
    return f"{number:,} {what if number == 1 else what + 's'}"
