"""The panel "Ledger = engine counters", from one comparison. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
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
    counter: str
    ours: int
    engine: int

    @property
    def drift(self) -> int:
        """Engine less ledger."""
        return self.engine - self.ours


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
    at = f"Checked every 10 s while this page is shown, last at {_clock(checked.at, zone)}."
    comparison = checked.comparison
    if comparison is None:
        return LedgerShown(f"{NOTHING} {at}")
    run = f"this run of {checked.engine}"
    return LedgerShown(f"{_words(comparison)} {at}", run, _rows(comparison), comparison.agrees)


def _rows(comparison: Comparison) -> tuple[CounterRow, ...]:
    ours, engine = comparison.ledger.tokens, comparison.engine
    return (
        CounterRow("tokens in", ours.prompt, engine.prompt),
        CounterRow("tokens out", ours.output, engine.output),
    )


def _words(comparison: Comparison) -> str:
    ledger = comparison.ledger
    turns = (
        f"{ledger.requests:,} turn{'' if ledger.requests == 1 else 's'} of this run, {ledger.open_turns:,} under way"
    )
    cached = f"{ledger.tokens.cached:,} of the tokens in were cached"
    others = "Turns are under way, or somebody else uses" if ledger.open_turns else "Somebody else uses"
    why = "" if comparison.agrees else f" {others} this engine."
    return f"{turns}; {cached}, which the engine counts by block and is not compared.{why}"


def signed(number: int) -> str:
    return f"{number:,}".replace("-", "\u2212")


def _clock(moment: datetime, zone: tzinfo) -> str:
    return f"{moment.astimezone(zone):%H:%M:%S}"
