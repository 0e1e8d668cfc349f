"""`dabba bench attached`: are an engine's tokens slower while the console watches it?"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from console.bench.attached.engine import unwatched_engine
from console.bench.attached.figures import STATISTICS, TARGETS, Round, Stretch, figures_of
from console.bench.attached.load import load
from console.bench.attached.watching import watching
from console.bench.engine_kills import place
from console.bench.report import judge
from storage.paths import Home
from storage.settings import EngineSettings, Settings, save_settings

if TYPE_CHECKING:
    from console.bench.report import BenchResult

LOAD_SETTLE_S: Final = 3.0
"""From the first token of the last answer to the measurement: every prompt is read then."""
CONSOLE_SETTLE_S: Final = 8.0
"""From the page's first figures to the load: the start of the console does not count."""
LATENCIES_LEAST: Final = 20
"""With fewer, a p95 means nothing: the stretch goes on until they have come."""
AGAIN_S: Final = 1.0


class Kind(StrEnum):
    ATTACHED = "with the console"
    ALONE = "without"
    AGAIN = "without, again"


@dataclass(frozen=True, slots=True)
class Wanted:
    """`pairs` rounds of three stretches, each measured for `seconds` under `streams` answers at a time.

    `seed` is that of the order of each round; the settle times are seconds before a stretch counts.
    """

    pairs: int = 10
    seconds: float = 20.0
    streams: int = 8
    seed: int = 1
    load_settle_s: float = LOAD_SETTLE_S
    console_settle_s: float = CONSOLE_SETTLE_S


async def run_attached_bench(wanted: Wanted, home: Home) -> BenchResult:
    """`home` lends its runtime and models; nothing else of it is touched.

    Raises EngineRoomError or EngineError when engine, load or console fail.
    """
    async with unwatched_engine(home, place.PROFILE) as url:
        rounds = await measure(url, place.PROFILE.model.name, wanted)
    return judge("attached", figures_of(rounds, wanted.streams), TARGETS)


async def measure(url: str, model: str, wanted: Wanted) -> list[Round]:
    """The rounds against the engine at `url`, after a stretch that warms it and is not counted."""
    dice = random.Random(wanted.seed)  # noqa: S311 - the order of stretches, not a secret
    rounds: list[Round] = []
    with tempfile.TemporaryDirectory(prefix="dabba-attached-") as folder:
        console = Home(Path(folder)).make()
        save_settings(console, Settings(engine=EngineSettings(attach_url=url)))
        await _stretch(url, model, wanted)
        for number in range(wanted.pairs):
            order = dice.sample(tuple(Kind), len(Kind))
            found = {kind: await _of_kind(kind, url, model, wanted, console) for kind in order}
            rounds.append(Round(found[Kind.ATTACHED], found[Kind.ALONE], found[Kind.AGAIN]))
            _tell(number + 1, wanted.pairs, rounds[-1], order)
    return rounds


async def _of_kind(kind: Kind, url: str, model: str, wanted: Wanted, console: Home) -> Stretch:
    """Nothing reads the engine in a stretch without a console: it is started for its own stretch, and ended after."""
    if kind is not Kind.ATTACHED:
        return Stretch(await _stretch(url, model, wanted))
    async with watching(console, wanted.console_settle_s) as one:
        one.begin()
        itl_ms = await _stretch(url, model, wanted)
        share = one.cpu_share()
    return Stretch(itl_ms, share, one.facts.get("scrapes_a_second"))


async def _stretch(url: str, model: str, wanted: Wanted) -> tuple[float, ...]:
    """Its answers begin with it, so that those of every stretch are equally long."""
    async with load(url, model, wanted.streams) as one:
        await one.hold(wanted.load_settle_s)
        begun = time.monotonic()
        await one.hold(wanted.seconds)
        while len(found := one.latencies_ms(begun, time.monotonic())) < LATENCIES_LEAST:
            await one.hold(AGAIN_S)
    return found


def _tell(number: int, of: int, one: Round, order: list[Kind]) -> None:
    """Told at once: a long bench that is cut short has not been for nothing."""
    said = ", ".join(
        f"{name} {one.difference(statistic):+.1f} % (null {one.null_difference(statistic):+.1f} %)"
        for name, statistic in STATISTICS.items()
    )
    print(f"  {number} of {of}: {said}; order: {'; '.join(order)}", file=sys.stderr)
