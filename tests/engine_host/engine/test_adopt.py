"""An engine that another process of this home started, and one that runs elsewhere."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from engine_host.engine.errors import AttachFailed, StartFailed
from engine_host.engine.run_file import RunFile, read_run_file, write_run_file
from engine_host.engine.session import EngineSession
from engine_host.engine.state import EngineStatus
from tests.engine_host.engine.conftest import PROFILE, lives, until, until_status
from tests.fakes.fake_vllm import Behaviour, FakeVllm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from storage.paths import Home
    from storage.settings import Settings


@pytest.fixture
async def other(home: Home, settings: Settings) -> AsyncIterator[EngineSession]:
    """A session as another process of the same home would have it."""
    one = EngineSession(home, settings)
    yield one
    await one.close()


def owned_by(session: EngineSession, pid: int) -> None:
    known = read_run_file(session.run_file)
    assert known is not None
    write_run_file(session.run_file, replace(known, owner=pid, owner_created=1.0))


async def test_that_a_running_engine_is_shared_and_left_running(session: EngineSession, other: EngineSession) -> None:
    await session.start(PROFILE)
    owned_by(session, os.getppid())
    assert await other.adopt()
    assert other.state.value.run == session.state.value.run
    assert other.state.value.phases == ()
    assert other.warm_up == session.warm_up
    assert (await asyncio.gather(other.adopt(), other.adopt())) == [True, True]


async def test_that_an_engine_meant_to_outlive_us_does(session: EngineSession, other: EngineSession) -> None:
    await session.start(PROFILE, keep_running=True)
    group = session.state.value.process_group
    await session.close()
    assert session.state.value.status is EngineStatus.NONE
    assert lives(group)
    assert await other.adopt()
    await other.stop()
    assert not lives(group)


async def test_that_an_engine_of_a_crashed_program_is_taken_over_and_stopped(
    session: EngineSession, other: EngineSession
) -> None:
    await session.start(PROFILE, keep_running=True)
    group = session.state.value.process_group
    known = read_run_file(session.run_file)
    assert known is not None
    await session.close()
    write_run_file(session.run_file, replace(known, keep_running=False, owner=2**22 - 1, owner_created=1.0))
    assert await other.adopt()
    await other.close()
    assert not lives(group)
    assert not session.run_file.exists()


async def test_that_workers_left_by_a_killed_server_are_cleared_away(
    session: EngineSession, other: EngineSession
) -> None:
    await session.start(PROFILE, keep_running=True)
    group = session.state.value.process_group
    assert group is not None
    await session.close()
    os.kill(group, signal.SIGKILL)
    os.waitpid(group, 0)  # noqa: ASYNC222 - it was killed the line before
    assert lives(group)
    assert not await other.adopt()
    assert not lives(group)
    assert not session.run_file.exists()


async def test_that_an_engine_that_is_still_starting_is_waited_for(
    session: EngineSession, other: EngineSession, behave: Callable[[Behaviour], None]
) -> None:
    behave(Behaviour(with_worker=True, start_delay_s=0.3))
    starting = asyncio.create_task(session.start(PROFILE))
    await until(session, lambda state: state.process_group is not None)
    owned_by(session, os.getppid())
    assert await other.adopt()
    await starting


async def test_that_nothing_or_a_stale_file_is_not_adopted(session: EngineSession) -> None:
    assert not await session.adopt()
    session.run_file.write_text("{ broken", encoding="utf-8")
    assert not await session.adopt()
    assert session.state.value.status is EngineStatus.NONE


@pytest.mark.parametrize(
    "damage",
    [
        {"pid": -1}, {"pid": 0}, {"pid": "one"}, {"pid": None}, {"pid": 10**30}, {"pid": 1.5}, {"port": "x"},
        {"port": 0}, {"created": None}, {"run": 5}, {"log": 7}, {"owner": -1},
    ],
)  # fmt: skip
async def test_that_a_damaged_run_file_is_not_adopted(session: EngineSession, damage: dict[str, object]) -> None:
    whole = RunFile("r", 2**22 - 1, 1.0, 4000, "n", "m", 4096, "no.log", True, 2**22 - 1, 1.0)
    write_run_file(session.run_file, whole)
    session.run_file.write_text(json.dumps(json.loads(session.run_file.read_text()) | damage))
    assert not await session.adopt()
    await session.stop()
    assert session.state.value.status is EngineStatus.NONE


async def test_that_a_home_runs_one_engine_only(session: EngineSession, other: EngineSession) -> None:
    await session.start(PROFILE, keep_running=True)
    with pytest.raises(StartFailed, match="running already"):
        await other.start(PROFILE)
    assert session.state.value.status is EngineStatus.READY


async def test_that_an_attached_engine_is_lost_and_found_again(other: EngineSession) -> None:
    async with FakeVllm(model="qwen") as fake:
        port = fake.port
        await other.attach(fake.url)
        first = other.state.value
        assert (first.status, first.model, first.hosted) == (EngineStatus.READY, "qwen", False)
        assert first.name == f"127.0.0.1:{port}"
        assert other.context_tokens == 4096
    lost = await until_status(other, EngineStatus.LOST)
    assert lost.reason
    assert other.client is None
    async with FakeVllm(model="qwen", port=port):
        again = await until_status(other, EngineStatus.READY)
        assert again.run != first.run
        await other.detach()
    assert other.state.value.status is EngineStatus.NONE


@pytest.mark.parametrize(
    ("behaviour", "key", "sentence"),
    [
        (Behaviour(key="right"), "wrong", "refused the key"),
        (Behaviour(key="right"), None, "refused the key"),
        (Behaviour(models=False), None, "offers no model"),
    ],
)
async def test_that_what_cannot_be_attached_says_why(
    other: EngineSession, behaviour: Behaviour, key: str | None, sentence: str
) -> None:
    async with FakeVllm(behaviour) as fake:
        with pytest.raises(AttachFailed, match=sentence):
            await other.attach(fake.url, key)
    assert other.state.value.status is EngineStatus.NONE


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "nonsense", "http://"])
async def test_that_nothing_at_the_address_is_said(other: EngineSession, url: str) -> None:
    with pytest.raises(AttachFailed, match="nothing answers"):
        await other.attach(url)
