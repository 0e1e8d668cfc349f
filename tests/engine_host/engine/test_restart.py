"""An engine that dies is started again, within its budget, and only if nobody wants otherwise."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import pytest

from engine_host.engine.session import EngineSession
from engine_host.engine.state import EngineStatus
from tests.engine_host.engine.conftest import PROFILE, lives, until, until_status
from tests.fakes.fake_vllm import Behaviour

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from engine_host.engine.state import EngineState
    from storage.paths import Home
    from storage.settings import Settings

    Behave = Callable[[Behaviour], None]


@pytest.fixture
async def session(home: Home, settings: Settings, behave: Behave) -> AsyncIterator[EngineSession]:
    """With a budget of one restart."""
    engine = settings.engine.model_copy(update={"restarts": 1})
    one = EngineSession(home, settings.model_copy(update={"engine": engine}))
    yield one
    await one.stop()
    await one.close()


def kill(session: EngineSession) -> None:
    group = session.state.value.process_group
    assert group is not None
    os.kill(group, signal.SIGKILL)


def waits(state: EngineState) -> bool:
    return state.status is EngineStatus.FAILED and state.restart is not None


async def test_that_a_dead_engine_is_started_again_after_a_pause_and_a_crash_loop_ends(session: EngineSession) -> None:
    await session.start(PROFILE)
    first = session.state.value
    kill(session)
    failed = await until(session, waits)
    assert failed.next_step == "It is started again in 1 s (1 of 1)."
    again = await until_status(session, EngineStatus.READY)
    assert again.run != first.run
    assert (again.reason, again.restart) == ("", None)
    kill(session)
    gave_up = await until_status(session, EngineStatus.FAILED)
    assert gave_up.restart is None
    assert "It died 2 times within 10 minutes and is not started again by itself." in gave_up.reason
    assert "killed by signal 9" in gave_up.reason
    assert not lives(first.process_group)


async def test_that_a_restart_that_fails_is_a_death_too(session: EngineSession, behave: Behave) -> None:
    await session.start(PROFILE)
    behave(Behaviour(exit_at_start=3))
    kill(session)
    await until(session, waits)
    gave_up = await until(session, lambda state: state.status is EngineStatus.FAILED and state.restart is None)
    assert "exit status 3" in gave_up.reason
    assert "It died 2 times" in gave_up.reason


@pytest.mark.parametrize("moment", ["the pause", "the start"])
async def test_that_stop_ends_the_restart(session: EngineSession, behave: Behave, moment: str) -> None:
    await session.start(PROFILE)
    behave(Behaviour(with_worker=True, start_delay_s=60))
    kill(session)
    await until(session, waits)
    if moment == "the start":
        await until(session, lambda state: state.status is EngineStatus.STARTING and state.process_group is not None)
    group = session.state.value.process_group
    await session.stop()
    stopped = session.state.value
    assert (stopped.status, stopped.restart, stopped.reason) == (EngineStatus.STOPPED, None, "")
    assert not lives(group)


async def test_that_a_start_by_hand_does_not_wait_for_the_pause(session: EngineSession) -> None:
    await session.start(PROFILE)
    kill(session)
    await until(session, waits)
    await session.start(PROFILE)
    ready = session.state.value
    assert ready.status is EngineStatus.READY
    kill(session)
    assert (await until(session, waits)).next_step == "It is started again in 1 s (1 of 1)."


async def test_that_closing_ends_the_restart(session: EngineSession) -> None:
    await session.start(PROFILE)
    kill(session)
    await until(session, waits)
    await session.close()
    tasks = [task.get_name() for task in asyncio.all_tasks()]
    assert "engine restart" not in tasks
    assert "engine start" not in tasks
