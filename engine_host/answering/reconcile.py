"""The ledger held against the engine's own counters.

A turn that is cancelled hears the engine's token counts up to the last chunk that it read; the engine may write a
token more before it learns of the cancellation. When the engine is idle and no turn is open, what its counters hold
beyond the ledger belongs to the cancelled and broken turns of this run, and is added to the newest of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_host.metrics.poller import read_once
from engine_host.metrics.samples import MetricSample
from storage.queries.turns import add_output_tokens, has_open_turns, newest_broken_turn
from storage.queries.usage import engine_run_totals
from storage.records import TokenUse

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from engine_host.engine.session import EngineSession
    from storage.database import Database
    from storage.records import EngineRunTotals


@dataclass(frozen=True, slots=True)
class Comparison:
    """Tokens of one engine run: what the ledger says and what the engine counted since it became ready."""

    ledger: EngineRunTotals
    engine: TokenUse

    @property
    def drift(self) -> TokenUse:
        """Engine less ledger; `cached` is not compared: the engine counts it by block, at scheduling."""
        return TokenUse(
            self.engine.prompt - self.ledger.tokens.prompt, 0, self.engine.output - self.ledger.tokens.output
        )

    @property
    def agrees(self) -> bool:
        return self.drift == TokenUse()

    def as_object(self) -> dict[str, object]:
        """For `--json`."""
        return {
            "run": self.ledger.engine_run,
            "turns": self.ledger.requests,
            "open_turns": self.ledger.open_turns,
            "ledger": {"prompt": self.ledger.tokens.prompt, "output": self.ledger.tokens.output},
            "engine": {"prompt": self.engine.prompt, "output": self.engine.output},
            "drift": {"prompt": self.drift.prompt, "output": self.drift.output},
            "agrees": self.agrees,
        }

    def sentence(self) -> str:
        ours, theirs = self.ledger.tokens, self.engine
        if self.agrees:
            return (
                f"Ledger and engine agree: {theirs.prompt:,} tokens in, {theirs.output:,} out since the engine's start."
            )
        return (
            f"The engine counted {theirs.prompt:,} tokens in and {theirs.output:,} out, the ledger {ours.prompt:,} and "
            f"{ours.output:,}: turns are under way, or somebody else uses this engine."
        )


async def compare(database: Database, session: EngineSession) -> Comparison | None:
    """The current run's comparison, after tokens of broken turns were put where they belong.

    None when there is nothing to compare: no engine of ours, or one that publishes no counters. An attached engine
    has counted others' tokens before we came, so it is not compared.
    """
    state = session.state.value
    if state.run is None or not state.hosted:
        return None
    sample = await read_once(state.url)
    if not isinstance(sample, MetricSample) or sample.prompt_tokens is None or sample.output_tokens is None:
        return None
    run, warm_up = state.run, session.warm_up
    quiet = _is_idle(sample) and not session.is_being_checked
    counted = TokenUse(
        int(sample.prompt_tokens) - warm_up.prompt_tokens, 0, int(sample.output_tokens) - warm_up.output_tokens
    )

    def settle(db: Session) -> Comparison:
        comparison = Comparison(engine_run_totals(db, run), counted)
        broken = newest_broken_turn(db, run) if quiet and not has_open_turns(db) else None
        if broken is None or not _belongs_to_broken_turns(comparison.drift):
            return comparison
        add_output_tokens(db, broken.opened.turn_id, comparison.drift, run)
        return Comparison(engine_run_totals(db, run), counted)

    return await database.run(settle)


def _is_idle(sample: MetricSample) -> bool:
    return sample.running == 0 and sample.waiting == 0


def _belongs_to_broken_turns(drift: TokenUse) -> bool:
    return drift != TokenUse() and drift.prompt >= 0 and drift.output >= 0
