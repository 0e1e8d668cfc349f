from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import pytest

from engine_host.client.types import ChatDelta, ChatMessage, ChatRequest
from engine_host.engine import health
from engine_host.engine.errors import RuntimeUnusable, StartFailed, StartStopped
from engine_host.engine.health import WarmUp
from engine_host.engine.session import EngineSession
from engine_host.engine.state import EngineStatus, StartPhase
from storage.settings import EngineSettings, Settings
from tests.engine_host.engine.conftest import PROFILE, has_segment, lives, until, until_line, until_status
from tests.fakes.fake_vllm import STORY, Behaviour

if TYPE_CHECKING:
    from collections.abc import Callable

    from storage.paths import Home

    Behave = Callable[[Behaviour], None]

LOG = (
    "(Worker pid=1) INFO 11-30 09:51:39 [cpu_model_runner.py:68] Starting to load model Qwen...",
    "(EngineCore pid=1) INFO 11-30 09:51:41 [kv_cache_utils.py:2327] CPU KV cache size: 46,592 tokens",
    "(EngineCore pid=1) INFO 11-30 09:51:42 [core.py:402] init engine (profile, create kv cache, warmup) took 1.09 s",
)


async def test_that_a_started_engine_is_ready_answers_and_stops_without_a_trace(
    session: EngineSession, behave: Behave
) -> None:
    behave(Behaviour(with_worker=True, log=LOG))
    await session.start(PROFILE)
    state = session.state.value
    assert (state.status, state.name, state.model) == (EngineStatus.READY, "cpu-demo", PROFILE.model.name)
    assert state.hosted
    assert [one.phase for one in state.phases] == [
        StartPhase.ENVIRONMENT,
        StartPhase.WEIGHTS,
        StartPhase.KV,
        StartPhase.WARM_UP,
        StartPhase.READY,
    ]
    assert lives(state.process_group)
    assert session.warm_up == WarmUp(31, 1)
    assert session.context_tokens == 4096
    segment = await until_line(session, "worker has ")
    assert session.client is not None
    request = ChatRequest(state.model, (ChatMessage("user", "Hi"),), max_tokens=50)
    told = [event.text async for event in session.client.stream(request) if isinstance(event, ChatDelta)]
    assert "".join(told) == STORY
    await session.stop()
    assert session.state.value.status is EngineStatus.STOPPED
    assert session.client is None
    assert not lives(state.process_group)
    assert not has_segment(segment)
    assert not session.run_file.exists()
    assert LOG[0] in session.log.lines


async def test_that_a_killed_server_is_failed_and_leaves_no_worker(session: EngineSession) -> None:
    await session.start(PROFILE)
    group = session.state.value.process_group
    assert group is not None
    segment = await until_line(session, "worker has ")
    os.kill(group, signal.SIGKILL)
    failed = await until_status(session, EngineStatus.FAILED)
    assert "killed by signal 9" in failed.reason
    assert failed.next_step
    assert not lives(group)
    assert not has_segment(segment)
    assert not session.run_file.exists()
    await session.start(PROFILE)
    assert session.state.value.status is EngineStatus.READY
    assert session.state.value.reason == ""


@pytest.mark.parametrize("status", [0, 1])
async def test_that_an_engine_that_ends_by_itself_is_failed_whatever_its_exit_status(
    session: EngineSession, behave: Behave, status: int
) -> None:
    behave(Behaviour(exit_at_start=status))
    with pytest.raises(StartFailed, match=f"exit status {status}"):
        await session.start(PROFILE)
    assert session.state.value.status is EngineStatus.FAILED


async def test_that_a_dead_core_under_a_living_server_is_failed(session: EngineSession) -> None:
    await session.start(PROFILE)
    group = session.state.value.process_group
    assert group is not None
    os.kill(group, signal.SIGUSR1)
    await until_status(session, EngineStatus.FAILED)
    assert not lives(group)


async def test_that_a_silent_engine_is_stalled_and_ready_again(
    session: EngineSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "HEALTH_S", 0.2)
    await session.start(PROFILE)
    group = session.state.value.process_group
    assert group is not None
    os.kill(group, signal.SIGSTOP)
    assert (await until_status(session, EngineStatus.STALLED)).can_answer
    os.kill(group, signal.SIGCONT)
    await until_status(session, EngineStatus.READY)


async def test_that_a_failed_start_says_why_from_the_log(session: EngineSession, behave: Behave) -> None:
    why = (
        "(EngineCore pid=2) ERROR 11-30 09:53:14 [core.py:1510] RuntimeError: Worker failed with error 'Available "
        "memory on node 0 (15.26/17.34 GiB) on kv cache allocation is less than requested memory for kv (500.0 GiB).'"
    )
    behave(Behaviour(log=(why,), exit_at_start=1))
    with pytest.raises(StartFailed) as caught:
        await session.start(PROFILE)
    assert str(caught.value) == (
        "The engine stopped while it was starting: 500.0 GiB of KV cache were asked for and 15.26 GiB of memory is "
        "free. Choose a smaller KV space, or close other programs."
    )
    assert session.state.value.next_step == "Choose a smaller KV space, or close other programs."


@pytest.mark.parametrize("moment", ["before the process", "while it loads"])
async def test_that_a_cancelled_start_leaves_no_process(session: EngineSession, behave: Behave, moment: str) -> None:
    behave(Behaviour(with_worker=True, start_delay_s=60))
    starting = asyncio.create_task(session.start(PROFILE))
    if moment == "while it loads":
        await until(session, lambda state: state.process_group is not None)
    else:
        await until_status(session, EngineStatus.STARTING)
    group = session.state.value.process_group
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert session.state.value.status is EngineStatus.STOPPED
    assert not lives(group)
    assert not session.run_file.exists()


async def test_that_stop_ends_a_start(session: EngineSession, behave: Behave) -> None:
    behave(Behaviour(with_worker=True, start_delay_s=60))
    starting = asyncio.create_task(session.start(PROFILE))
    group = (await until(session, lambda state: state.process_group is not None)).process_group
    await session.stop()
    with pytest.raises(StartStopped):
        await starting
    assert session.state.value.status is EngineStatus.STOPPED
    assert not lives(group)


async def test_that_an_engine_that_ignores_the_request_to_end_is_killed(
    session: EngineSession, behave: Behave, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine_host.engine.session.STOP_LIMIT_S", 0.2)
    behave(Behaviour(with_worker=True, ignore_term=True))
    await session.start(PROFILE)
    group = session.state.value.process_group
    await asyncio.gather(session.stop(), session.stop())
    assert session.state.value.status is EngineStatus.STOPPED
    assert not lives(group)


async def test_that_a_second_start_is_refused(session: EngineSession) -> None:
    await session.start(PROFILE)
    with pytest.raises(StartFailed, match="another one is in use"):
        await session.start(PROFILE)
    assert session.state.value.status is EngineStatus.READY


async def test_that_a_missing_runtime_is_said_with_the_next_step(home: Home) -> None:
    one = EngineSession(home, Settings())
    with pytest.raises(StartFailed, match=r"runtime is not installed\. Run \./dabba"):
        await one.start(PROFILE)
    assert one.state.value.status is EngineStatus.FAILED


@pytest.mark.parametrize("python", ["/nowhere/python", "true"])
async def test_that_a_named_python_without_vllm_is_refused(home: Home, python: str) -> None:
    one = EngineSession(home, Settings(engine=EngineSettings(python=python)))
    with pytest.raises(RuntimeUnusable, match="The Python named for the engine"):
        await one.start(PROFILE)
    assert python in one.state.value.reason


async def test_that_a_taken_port_is_tried_again_with_another(
    session: EngineSession, behave: Behave, monkeypatch: pytest.MonkeyPatch
) -> None:
    behave(Behaviour(log=("OSError: [Errno 98] Address already in use",), exit_at_start=1))
    runs: set[str | None] = set()
    session.state.watch(lambda state: runs.add(state.run))
    with pytest.raises(StartFailed, match="port was taken"):
        await session.start(PROFILE)
    assert len(runs - {None}) == 3
