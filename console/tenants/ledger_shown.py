"""The panel "Ledger = engine counters", from one comparison of each engine. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, tzinfo

    from console.tenants.reading import Checked
    from engine_host.answering.reconcile import Comparison

NOTHING: Final = (
    "There is nothing to compare: no engine that was started here is ready. An attached engine counts the tokens of "
    "others too."
)
NOT_YET: Final = "Not compared yet."


@dataclass(frozen=True, slots=True)
class CounterRow:
    """`engine_name` is empty while there is one engine only."""

    counter: str
    ours: int
    engine: int
    engine_name: str = ""

    @property
    def drift(self) -> int:
        """Engine less ledger."""
        return self.engine - self.ours

    @property
    def words(self) -> str:
        return f"{self.engine_name}, {self.counter}" if self.engine_name else self.counter


@dataclass(frozen=True, slots=True)
class LedgerShown:
    """`agrees` None = nothing was compared. `words` explain what the rows say."""

    words: str
    unit: str = ""
    rows: tuple[CounterRow, ...] = ()
    agrees: bool | None = None

    @property
    def drift(self) -> str:
        if self.agrees is None:
            return ""
        return f"drift {signed(sum(abs(row.drift) for row in self.rows))}"


def derive_ledger(checked: Checked | None, zone: tzinfo) -> LedgerShown:
    if checked is None:
        return LedgerShown(NOT_YET)
    at = f"Compared at {_clock(checked.at, zone)}."
    found = [(one.engine, one.comparison) for one in checked.engines if one.comparison is not None]
    if not found:
        return LedgerShown(f"{NOTHING} {at}")
    alone = len(found) == 1
    unit = found[0][0] if alone else f"{len(found)} engines"
    rows = tuple(row for name, one in found for row in _rows(one, "" if alone else name))
    comparisons = [one for _, one in found]
    left = [one.engine for one in checked.engines if one.comparison is None and one.engine]
    words = f"{_words(comparisons)}{_left_words(left)} {at}"
    return LedgerShown(words, unit, rows, all(one.agrees for one in comparisons))


def _rows(comparison: Comparison, name: str) -> tuple[CounterRow, ...]:
    ours, engine = comparison.ledger.tokens, comparison.engine
    return (
        CounterRow("in" if name else "tokens in", ours.prompt, engine.prompt, name),
        CounterRow("out" if name else "tokens out", ours.output, engine.output, name),
    )


def _words(comparisons: Sequence[Comparison]) -> str:
    turns = sum(one.ledger.requests for one in comparisons)
    under_way = sum(one.ledger.open_turns for one in comparisons)
    told = f"{turns:,} turn{'' if turns == 1 else 's'}"
    if len(comparisons) > 1:
        return f"{told}, {under_way:,} under way.{_why(comparisons)}"
    cached = comparisons[0].ledger.tokens.cached
    return f"{told} of this run, {under_way:,} under way; {cached:,} tokens in were cached.{_why(comparisons)}"


def _why(comparisons: Sequence[Comparison]) -> str:
    apart = [one for one in comparisons if not one.agrees]
    if not apart:
        return ""
    others = "Turns are under way, or somebody" if any(one.ledger.open_turns for one in apart) else "Somebody"
    return f" {others} else uses {'this engine' if len(comparisons) == 1 else 'an engine that differs'}."


def _left_words(names: Sequence[str]) -> str:
    """Those that are attached, stopped or silent."""
    return f" Not compared: {', '.join(names)}." if names else ""


def signed(number: int) -> str:
    return f"{number:,}".replace("-", "\u2212")


def _clock(moment: datetime, zone: tzinfo) -> str:
    return f"{moment.astimezone(zone):%H:%M:%S}"
