"""`dabba bench failover`: two engines, and the one that answers is killed in mid-answer, again and again."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import tempfile
from contextlib import aclosing, asynccontextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from console.bench.failover.figures import TARGETS, Changes, Kill, Told, changes, figures_of
from console.bench.failover.listening import Heard, ListeningPool
from console.bench.report import judge
from console.bench.sample_house import DAY, furnish
from console.house import open_house
from engine_host.answering.events import Ended, Question, Quoted, Resumed, Stated, Text
from engine_host.engine.models import SMOLLM2
from engine_host.engine.profile import profile_from
from knowledge.evaluate import read_questions
from storage.paths import Home
from storage.settings import EngineSettings, MoreEngine, Settings, save_settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from console.bench.report import BenchResult
    from console.house import House
    from console.house_engines import HouseEngines
    from engine_host.answering.events import TurnEvent
    from knowledge.evaluate import KnownQuestion

FEWEST_TOKENS: Final = 8
"""A question whose answer is shorter is not killed at: there is no middle in it."""
QUESTIONS: Final = 12
BACK_S: Final = 240.0
EXACT: Final = "float32"
"""Numbers in which a prompt read at once and a text written word by word come to the same next word."""
ENGINES: Final = EngineSettings(
    kv_space_gib=0.5, max_num_seqs=8, restarts=20, restart_window_s=10.0, canary=False, more=(MoreEngine(),)
)


async def run_failover_bench(times: int, home: Home, seed: int = 1, dtype: str = EXACT) -> BenchResult:
    """`home` lends its runtime and models; nothing else of it is touched.

    Raises EngineRoomError, KnowledgeError or StorageError when the house can't be opened.
    """
    dice = random.Random(seed)  # noqa: S311 - moments, not secrets
    async with _house(home, dtype) as (house, pool):
        wholes = await _uninterrupted(house, pool, min(times, QUESTIONS))
        kills: list[Kill] = []
        for number in range(times):
            question, whole, tokens = wholes[number % len(wholes)]
            kills.append(await _killed(house, pool, question, whole, dice.randrange(tokens)))
            _tell(number, times, kills[-1])
    return judge("failover", figures_of(kills), TARGETS)


async def _killed(house: House, pool: ListeningPool, question: KnownQuestion, whole: Told, after: int) -> Kill:
    """One turn whose engine is killed with all its processes when `after` tokens of it came."""

    def strike(run: str) -> None:
        groups = [one.state.process_group for one in house.engines.pool.members if one.state.run == run]
        os.killpg(next(group for group in groups if group), signal.SIGKILL)

    heard = Heard(after, strike)
    told, events = await _ask(house, pool, question, heard)
    moves = tuple(event.pause_ms for event in events if isinstance(event, Resumed))
    return Kill(question.text, after, whole, told, moves, back=await _all_answer(house, but=heard.runs[0]))


async def _uninterrupted(house: House, pool: ListeningPool, wanted: int) -> list[tuple[KnownQuestion, Told, int]]:
    """`wanted` questions whose answers are long enough, with the answer and how many pieces it came in.

    Each is asked twice: an answer that is not the same a second time proves nothing.
    """
    found: list[tuple[KnownQuestion, Told, int]] = []
    for question in _sample_questions():
        heard = Heard()
        told, _ = await _ask(house, pool, question, heard)
        if heard.tokens >= FEWEST_TOKENS and told == (await _ask(house, pool, question, Heard()))[0]:
            found.append((question, told, heard.tokens))
        if len(found) == wanted:
            break
    return found


async def _ask(
    house: House, pool: ListeningPool, question: KnownQuestion, heard: Heard
) -> tuple[Told, list[TurnEvent]]:
    pool.heard = heard
    async with aclosing(house.turns.answer(Question(question.text, question.tenant_id, token=None))) as turn:
        events = [event async for event in turn]
    released = " ".join(event.text for event in events if isinstance(event, Text | Quoted | Stated))
    (ended,) = [event for event in events if isinstance(event, Ended)]
    return Told(ended.outcome, heard.text, released), events


async def _all_answer(house: House, but: str) -> bool:
    """Whether every engine is ready within the limit, `but` the dead run: its own session starts the engine again."""
    members = house.engines.pool.members
    try:
        async with asyncio.timeout(BACK_S):
            while not all(one.can_answer and one.state.run != but for one in members):  # noqa: ASYNC110
                await asyncio.sleep(0.2)
    except TimeoutError:
        return False
    return True


def _sample_questions() -> tuple[KnownQuestion, ...]:
    with as_file(files("assets") / "sample_kitchen") as folder:
        return read_questions(folder / "questions.en.jsonl")


@asynccontextmanager
async def _house(home: Home, dtype: str) -> AsyncGenerator[tuple[House, ListeningPool]]:
    """A house of its own with the sample kitchen and two hosted engines, both ready."""
    listening: list[ListeningPool] = []

    def listen(engines: HouseEngines, _settings: Settings) -> ListeningPool:
        listening.append(ListeningPool(engines.pool))
        return listening[0]

    with tempfile.TemporaryDirectory(prefix="dabba-failover-") as folder:
        own = Home(Path(folder))
        own.models.symlink_to(home.models, target_is_directory=True)
        own.engine_runtime.symlink_to(home.engine_runtime, target_is_directory=True)
        save_settings(own, Settings(engine=ENGINES))
        house = await open_house(own, listen, today=lambda: DAY)
        try:
            profile = profile_from(ENGINES, SMOLLM2).with_values(dtype=dtype)
            engines = house.engines
            await asyncio.gather(furnish(house), engines.first.start(profile), engines.crew.start(profile))
            yield house, listening[0]
        finally:
            await house.close()


def _tell(number: int, times: int, kill: Kill) -> None:
    found = changes(kill.whole.written, kill.told.written)
    pauses = ", ".join(f"{pause:.0f} ms" for pause in kill.moves) or "no move"
    same = "the same words" if found == Changes() else f"{found}"
    print(f"  {number + 1} of {times}: after {kill.after} tokens, pause {pauses}, {same}", file=sys.stderr)
