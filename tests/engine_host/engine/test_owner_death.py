"""The program that started an engine is killed: the engine ends too, or is found by the next one, as was chosen."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from engine_host.engine.errors import StopFailed
from engine_host.engine.left_behind import Kind, end_left, engines_of
from engine_host.engine.process import group_members
from engine_host.engine.run_file import read_run_file
from engine_host.engine.state import EngineStatus
from tests.engine_host.engine.conftest import PROFILE, ROOT, lives, until_status

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from engine_host.engine.session import EngineSession
    from storage.paths import Home

    Owner = Callable[[bool], Awaitable[asyncio.subprocess.Process]]

OWNER = """
import asyncio, sys
from pathlib import Path
from engine_host.engine.session import EngineSession
from storage.paths import Home
from storage.settings import EngineSettings, Settings
from tests.engine_host.engine.conftest import PROFILE

async def main():
    settings = Settings(engine=EngineSettings(python=sys.argv[2]))
    session = EngineSession(Home(Path(sys.argv[1])), settings)
    await session.start(PROFILE, keep_running=sys.argv[3] == "keep")
    print("ready", flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.fixture
async def owner(home: Home, session: EngineSession) -> AsyncIterator[Owner]:
    """Starts a program that has started an engine in our home."""
    started: list[asyncio.subprocess.Process] = []

    async def start(keep: bool) -> asyncio.subprocess.Process:
        python = session.settings.engine.python
        words = [str(home.root), str(python), "keep" if keep else "end"]
        one = await asyncio.create_subprocess_exec(
            sys.executable, "-c", OWNER, *words, cwd=ROOT, stdout=asyncio.subprocess.PIPE
        )
        started.append(one)
        assert one.stdout is not None
        assert (await one.stdout.readline()).strip() == b"ready"
        return one

    yield start
    for one in started:
        if one.returncode is None:
            one.kill()
            await one.wait()


def run_of(session: EngineSession) -> int:
    known = read_run_file(session.run_file)
    assert known is not None
    return known.pid


async def killed(owner: asyncio.subprocess.Process) -> None:
    os.kill(owner.pid, signal.SIGKILL)
    await owner.wait()


async def gone(group: int) -> None:
    async with asyncio.timeout(10):
        while lives(group):  # noqa: ASYNC110 - processes of others have no event
            await asyncio.sleep(0.1)


async def test_that_an_engine_ends_with_the_program_that_started_it(session: EngineSession, owner: Owner) -> None:
    program = await owner(False)
    group = run_of(session)
    assert lives(group)
    await killed(program)
    await gone(group)
    assert not await session.adopt()
    assert not session.run_file.exists()


async def test_that_the_next_start_waits_for_an_engine_that_is_ending(session: EngineSession, owner: Owner) -> None:
    program = await owner(False)
    group = run_of(session)
    await killed(program)
    assert not await session.adopt()
    assert not lives(group)


async def test_that_an_engine_that_was_to_go_on_is_taken_back(session: EngineSession, owner: Owner, home: Home) -> None:
    program = await owner(True)
    group = run_of(session)
    await killed(program)
    kept = engines_of(home)[0]
    assert (kept.kind, kept.pid, kept.slot) == (Kind.KEPT, group, "engine")
    assert await session.adopt()
    assert session.state.value.adopted
    assert session.state.value.process_group == group
    await session.close()
    assert lives(group)
    await end_left(home, kept.run)
    assert not lives(group)
    assert engines_of(home) == ()


@pytest.mark.parametrize("same", [True, False])
async def test_that_an_engine_that_was_taken_back_is_started_again_if_its_profile_is_known(
    session: EngineSession, owner: Owner, same: bool
) -> None:
    engine = session.settings.engine.model_copy(update={"restarts": 1})
    session.settings = session.settings.model_copy(update={"engine": engine})
    program = await owner(True)
    group = run_of(session)
    await killed(program)
    assert await session.adopt(again=PROFILE if same else replace(PROFILE, name="another"))
    os.kill(group, signal.SIGKILL)
    failed = await until_status(session, EngineStatus.FAILED)
    assert (failed.restart is not None) is same
    if same:
        assert (await until_status(session, EngineStatus.READY)).process_group != group


async def test_that_what_is_in_use_or_unknown_is_not_ended(session: EngineSession, owner: Owner, home: Home) -> None:
    program = await owner(False)
    group = run_of(session)
    used = engines_of(home)[0]
    assert (used.kind, used.memory > 0, used.processes >= 2) == (Kind.IN_USE, True, True)
    with pytest.raises(StopFailed, match="is in use"):
        await end_left(home, used.run)
    with pytest.raises(StopFailed, match="No engine of this home has the id nobody"):
        await end_left(home, "nobody")
    assert lives(group)
    await killed(program)
    await gone(group)


async def test_that_workers_without_their_server_are_listed_and_ended_by_id(
    session: EngineSession, owner: Owner, home: Home
) -> None:
    program = await owner(True)
    group = run_of(session)
    while len(group_members(group)) < 2:  # noqa: ASYNC110 - the worker starts after its server answers
        await asyncio.sleep(0.05)
    await killed(program)
    os.kill(group, signal.SIGKILL)
    while [one.kind for one in engines_of(home)] != [Kind.WORKERS]:  # noqa: ASYNC110 - as above
        await asyncio.sleep(0.05)
    left = engines_of(home)[0]
    assert left.memory > 0
    await end_left(home, left.run)
    assert not lives(group)
