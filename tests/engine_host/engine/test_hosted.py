"""What is left of an engine that died."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

import pytest

from engine_host.engine.errors import StopFailed
from engine_host.engine.hosted import HostedEngine

if TYPE_CHECKING:
    from engine_host.engine.log_tail import LogTail
    from engine_host.engine.process import EngineProcess
    from engine_host.engine.run_file import RunFile


class DyingSlowly:
    """Processes that need a while to end. `freed` once their shared memory is removed."""

    group = 4_000_000

    def __init__(self, refuses: str = "") -> None:
        self.may_end = asyncio.Event()
        self.freed = asyncio.Event()
        self._refuses = refuses

    async def end_group(self) -> None:
        await self.may_end.wait()
        if self._refuses:
            raise StopFailed(self._refuses)
        self.freed.set()


class Silent:
    def read_new(self) -> None:
        pass


def engine_of(process: DyingSlowly) -> HostedEngine:
    return HostedEngine(cast("RunFile", None), cast("EngineProcess", process), cast("LogTail", Silent()), began=0.0)


async def test_that_a_start_that_comes_meanwhile_does_not_keep_shared_memory_from_being_freed() -> None:
    process = DyingSlowly()
    engine = engine_of(process)
    watch = asyncio.create_task(engine.end())
    await asyncio.sleep(0)
    watch.cancel()
    await asyncio.gather(watch, return_exceptions=True)
    process.may_end.set()
    await asyncio.wait_for(process.freed.wait(), 5)


async def test_that_a_group_that_stays_is_told_to_whoever_ends_it() -> None:
    process = DyingSlowly("process 7 is still there")
    process.may_end.set()
    with pytest.raises(StopFailed, match="process 7 is still there"):
        await engine_of(process).end()
