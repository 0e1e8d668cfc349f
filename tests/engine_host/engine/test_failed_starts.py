"""The kinds of failed start: each has its sentence and what would help, and leaves no process, no file and no port."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from typing import TYPE_CHECKING

import pytest

from engine_host.engine.errors import RuntimeUnusable, StartFailed
from engine_host.engine.reasons import causes, reason_of
from engine_host.engine.session import EngineSession
from engine_host.engine.state import EngineStatus
from storage.settings import EngineSettings, Settings
from tests.engine_host.engine.conftest import PROFILE, lives, until
from tests.engine_host.engine.failed_starts import KINDS
from tests.fakes.fake_vllm import Behaviour

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from engine_host.engine.state import EngineState
    from storage.paths import Home
    from tests.engine_host.engine.failed_starts import Kind

    Behave = Callable[[Behaviour], None]


@pytest.fixture
async def session(home: Home, settings: Settings, behave: Behave) -> AsyncIterator[EngineSession]:
    one = EngineSession(home, settings)
    yield one
    await one.stop()
    await one.close()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_that_a_failed_start_has_its_sentence_its_next_step_and_its_change(kind: Kind) -> None:
    reason = reason_of(["a line before", *kind.lines, "a line after"], kind.status)
    assert (reason.why, reason.next_step, reason.change) == (kind.why, kind.step, kind.change)


def test_that_what_would_help_is_a_setting_that_exists() -> None:
    for cause in causes():
        assert set(cause.change) <= set(EngineSettings.model_fields)
    for kind in KINDS:
        assert EngineSettings.model_validate(kind.change)


@pytest.mark.parametrize("kind", [one for one in KINDS if one.name != "port taken"], ids=lambda kind: kind.name)
async def test_that_a_failed_start_leaves_nothing(session: EngineSession, behave: Behave, kind: Kind) -> None:
    behave(Behaviour(with_worker=True, log=kind.lines, exit_at_start=kind.status))
    groups: set[int | None] = set()
    session.state.watch(lambda state: groups.add(state.process_group))
    with pytest.raises(StartFailed) as caught:
        await session.start(PROFILE)
    state = session.state.value
    assert groups - {None}
    assert (state.status, state.next_step, state.change) == (EngineStatus.FAILED, kind.step, kind.change)
    assert state.reason == f"The engine stopped while it was starting: {kind.why}."
    assert caught.value.change == kind.change
    assert not any(lives(group) for group in groups)
    assert_nothing_left(session, state.url)


async def test_that_a_start_that_takes_too_long_is_ended(session: EngineSession, behave: Behave) -> None:
    engine = session.settings.engine.model_copy(update={"start_limit_s": 0.5})
    session.settings = session.settings.model_copy(update={"engine": engine})
    behave(Behaviour(with_worker=True, start_delay_s=60))
    with pytest.raises(StartFailed, match=r"was not ready within 0\.5 s: it is still at environment"):
        await session.start(PROFILE)
    assert session.state.value.change == {"start_limit_s": 1.0}
    assert_nothing_left(session, session.state.value.url)


async def test_that_a_model_that_takes_no_conversation_is_told(session: EngineSession, behave: Behave) -> None:
    behave(Behaviour(with_worker=True, refuse_status=400, refuse_message="you must provide a chat template."))
    with pytest.raises(StartFailed, match="takes no conversation: it said “you must provide a chat template”"):
        await session.start(PROFILE)
    assert_nothing_left(session, session.state.value.url)


async def test_that_a_start_that_is_killed_says_the_signal(session: EngineSession, behave: Behave) -> None:
    behave(Behaviour(with_worker=True, start_delay_s=60))

    def kill(state: EngineState) -> None:
        if state.process_group is not None and state.status is EngineStatus.STARTING:
            os.kill(state.process_group, signal.SIGKILL)

    session.state.watch(kill)
    with pytest.raises(StartFailed, match="it was killed by signal 9, which the system also does when memory runs out"):
        await session.start(PROFILE)
    assert_nothing_left(session, session.state.value.url)


async def test_that_a_python_that_cannot_run_is_told_before_a_process_is_made(home: Home, tmp_path: Path) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho 'vllm-version 0.32.0'\nrm -f \"$0\"\n", encoding="utf-8")
    broken.chmod(0o755)
    one = EngineSession(home, Settings(engine=EngineSettings(python=str(broken))))
    with pytest.raises((StartFailed, RuntimeUnusable)) as caught:
        await one.start(PROFILE)
    assert "could not be started: there is no such program" in str(caught.value)
    assert one.state.value.change == {"python": None}


async def test_that_a_start_is_stopped_while_its_runtime_is_being_found(home: Home, tmp_path: Path) -> None:
    slow = tmp_path / "python"
    slow.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    slow.chmod(0o755)
    one = EngineSession(home, Settings(engine=EngineSettings(python=str(slow))))
    starting = asyncio.create_task(one.start(PROFILE))
    await until(one, lambda state: state.status is EngineStatus.STARTING)
    await one.stop()
    assert one.state.value.status is EngineStatus.STOPPED
    with pytest.raises(StartFailed, match="The start was stopped"):
        await starting


def assert_nothing_left(session: EngineSession, url: str) -> None:
    assert not session.run_file.exists()
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", int(url.rsplit(":", 1)[1])))
