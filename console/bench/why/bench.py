"""`dabba bench why`: incidents are made to happen at a real engine, and "Why slow?" is asked for the cause."""

from __future__ import annotations

import asyncio
import random
import sys
from typing import TYPE_CHECKING, Final

from console.bench.engine_kills.killing import BenchSpoilt
from console.bench.report import judge
from console.bench.why.figures import TARGETS, Verdict, figures_of
from console.bench.why.house import staged_house
from console.bench.why.incidents import INCIDENTS
from console.bench.why.stage import Stage
from console.live.reading import LiveReader
from console.live.view import View
from console.live.why_reading import SETTLED_S, WhyReader
from engine_host.metrics.why_told import Cause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.bench.report import BenchResult
    from storage.paths import Home

PEERS: Final = 20
"""Usual turns before the first incident, one in four about an order."""
BETWEEN: Final = 4
"""Usual turns between two incidents."""
LIMIT_S: Final = 180.0


async def run_why_bench(
    home: Home, times: int = 1, seed: int = 1, causes: Sequence[Cause] = tuple(INCIDENTS)
) -> BenchResult:
    """Every cause is planted once in each of `times` houses. `home` lends its runtime and models.

    Raises BenchSpoilt when an incident did not come about, and what opening a house raises.
    """
    verdicts = [verdict for number in range(times) for verdict in await _one_house(home, seed + number, causes)]
    return judge("why", figures_of(verdicts), TARGETS)


async def _one_house(home: Home, seed: int, causes: Sequence[Cause]) -> list[Verdict]:
    verdicts: list[Verdict] = []
    async with staged_house(home) as house:
        stage = Stage(house, seed, await house.orders.known_customers())
        why = WhyReader(house)
        async with stage.usual_day():
            await stage.usual_turns(PEERS)
            for cause in in_some_order(causes, seed):
                verdicts.append(await _planted(stage, cause, why))
                print(f"  {verdicts[-1].words}", file=sys.stderr)
    return verdicts


def in_some_order(causes: Sequence[Cause], seed: int) -> list[Cause]:
    """One by chance; the restart comes last, it leaves two engines behind."""
    early = [cause for cause in causes if cause is not Cause.RESTART]
    random.Random(seed).shuffle(early)  # noqa: S311 - no secrets
    return [*early, *(cause for cause in causes if cause is Cause.RESTART)]


async def _planted(stage: Stage, cause: Cause, why: WhyReader) -> Verdict:
    await stage.usual_turns(BETWEEN)
    try:
        async with asyncio.timeout(LIMIT_S):
            turn_id = await INCIDENTS[cause](stage, stage.questions(cause.name))
    except TimeoutError:
        raise BenchSpoilt(f"The incident {cause.value!r} was not over within {LIMIT_S:.0f} s.") from None
    await asyncio.sleep(SETTLED_S)
    # A reader reads the hour once, then what may have changed within seconds: this one reads once.
    told = why.why(turn_id, await LiveReader(stage.house).read(View()))
    if told is None:
        raise BenchSpoilt(f"The turn that was slow by {cause.value!r} is not in the ledger.")
    return Verdict(cause, told.why, told.turn.total)
