"""Ten incidents, made to happen at a real engine. Each gives the id of the turn that was slow because of it."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import psutil

from console.bench.engine_kills.killing import BenchSpoilt, Victim, pid_of
from console.bench.why.house import PROFILE
from console.bench.why.stage import NEWCOMER, REGULARS
from engine_host.engine.pool_crew import profile_of
from engine_host.metrics.why_told import Cause
from engine_host.orders.demo.run_file import Running, read_record
from storage.settings import MoreEngine

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator, Mapping

    from console.bench.why.stage import Stage
    from console.bench.why.words import Questions

ASKER, OFFICE = REGULARS
TRIES: Final = 5


async def long_letters_in_a_small_cache(stage: Stage, ask: Questions) -> str:
    """Three of them fill the cache, and the rest wait with the victim behind them."""
    letters = [stage.begin(ask.letter(OFFICE)) for _ in range(ask.chance.randint(4, 5))]
    await stage.writing(letters, 2)
    return await stage.ask(ask.usual(ASKER))


async def a_long_letter(stage: Stage, ask: Questions) -> str:
    return await stage.ask(ask.letter(ASKER))


async def the_first_question_of_a_tenant(stage: Stage, ask: Questions) -> str:
    """As long as all others, and nothing of it has been read before."""
    return await stage.ask(ask.usual(NEWCOMER))


async def a_slow_order_system(stage: Stage, ask: Questions) -> str:
    record = read_record(stage.house.home.run / "orders.json")
    if not isinstance(record, Running):
        raise BenchSpoilt("The demo order system does not run, so it could not be made slow. Run the bench again.")
    with stopped(record.pid):
        asking = stage.begin(ask.order(ASKER))
        await asyncio.sleep(ask.chance.uniform(0.9, 2.4))
    return await asking.end()


async def lunch_time(stage: Stage, ask: Questions) -> str:
    """More than the batch takes, of both tenants alike."""
    for number in range(ask.chance.randint(14, 18)):
        stage.begin(ask.usual(REGULARS[number % 2]))
    await asyncio.sleep(ask.chance.uniform(0.2, 0.6))
    return await stage.ask(ask.usual(ASKER))


async def a_core_that_is_stopped(stage: Stage, ask: Questions) -> str:
    asking = stage.begin(ask.usual(ASKER))
    await asyncio.sleep(ask.chance.uniform(0.05, 0.5))
    with stopped(pid_of(stage.house.engine, Victim.CORE)):
        await asyncio.sleep(ask.chance.uniform(3.5, 6.0))
    return await asking.end()


async def one_office_asks_all_at_once(stage: Stage, ask: Questions) -> str:
    for _ in range(ask.chance.randint(20, 28)):
        stage.begin(ask.usual(OFFICE))
    await asyncio.sleep(ask.chance.uniform(0.3, 0.8))
    return await stage.ask(ask.usual(ASKER))


async def a_sentence_without_an_end(stage: Stage, ask: Questions) -> str:
    return await stage.ask(ask.list(ASKER))


async def an_engine_that_dies(stage: Stage, ask: Questions) -> str:
    """A second one is there, as where it matters; the one that writes is killed with all its processes."""
    engines = stage.house.engines
    await engines.add(MoreEngine()).start(profile_of(2, PROFILE))
    await stage.usual_turns(4)
    for _ in range(TRIES):
        asking = stage.begin(ask.usual(ASKER))
        await stage.at_engine(asking)
        await asyncio.sleep(ask.chance.uniform(0.1, 0.5))
        if run := await stage.at_engine(asking):
            states = [session.state.value for session in engines.sessions]
            os.killpg(next(one.process_group for one in states if one.run == run and one.process_group), signal.SIGKILL)
            return await asking.end()
    raise BenchSpoilt(f"An engine was to be killed while it writes, and {TRIES} times it had written all before.")


async def a_phone_in_a_lift(stage: Stage, ask: Questions) -> str:
    return await stage.ask(replace(ask.usual(ASKER), reader_s=ask.chance.uniform(1.5, 4.0)))


INCIDENTS: Final[Mapping[Cause, Callable[[Stage, Questions], Awaitable[str]]]] = {
    Cause.KV_FULL: long_letters_in_a_small_cache,
    Cause.LONG_PREFILL: a_long_letter,
    Cause.COLD_PREFIX: the_first_question_of_a_tenant,
    Cause.SLOW_LOOKUP: a_slow_order_system,
    Cause.QUEUE_LIMIT: lunch_time,
    Cause.STALLED: a_core_that_is_stopped,
    Cause.FLOOD: one_office_asks_all_at_once,
    Cause.SLOW_GATE: a_sentence_without_an_end,
    Cause.SLOW_CLIENT: a_phone_in_a_lift,
    Cause.RESTART: an_engine_that_dies,
}
"""The last one leaves two engines behind: it is staged last."""


@contextmanager
def stopped(pid: int) -> Generator[None]:
    """A process stands still, and goes on afterwards."""
    process = psutil.Process(pid)
    process.suspend()
    try:
        yield
    finally:
        process.resume()
