"""Engines side by side in one home, and run files that are not to be believed."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from engine_host.engine.errors import StartFailed
from engine_host.engine.run_file import RunFile, all_runs, orphans_of, read_run_file, write_run_file
from engine_host.engine.session import EngineSession
from engine_host.engine.state import EngineStatus
from tests.engine_host.engine.conftest import PROFILE, lives

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from storage.paths import Home
    from storage.settings import Settings


@pytest.fixture
async def second(home: Home, settings: Settings) -> AsyncIterator[EngineSession]:
    one = EngineSession(home, settings, slot="engine-2")
    yield one
    await one.stop()
    await one.close()


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    """A process of ours that is no engine, in a group of its own."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True)
    yield child
    child.communicate()


def run_of(child: subprocess.Popen[bytes], **changes: object) -> RunFile:
    known = {"run": "r", "pid": child.pid, "created": psutil.Process(child.pid).create_time(), "port": 4711}
    rest = {"name": "n", "model": "m", "context": 4096, "log": "no.log", "keep_running": True}
    return RunFile(**(known | rest | {"owner": child.pid, "owner_created": 1.0} | changes))  # type: ignore[arg-type]


async def test_that_two_engines_run_side_by_side_and_each_is_found_and_stopped_alone(
    session: EngineSession, second: EngineSession, home: Home, settings: Settings
) -> None:
    await session.start(PROFILE)
    await second.start(PROFILE, keep_running=True)
    groups = session.state.value.process_group, second.state.value.process_group
    assert (lives(groups[0]), lives(groups[1])) == (True, True)
    assert [slot for slot, _ in all_runs(home)] == ["engine", "engine-2"]
    assert session.log.path != second.log.path
    again = EngineSession(home, settings, slot="engine-2")
    assert await again.adopt()
    assert again.state.value.process_group == groups[1]
    await again.close()
    await session.stop()
    assert (lives(groups[0]), lives(groups[1])) == (False, True)
    assert second.state.value.status is EngineStatus.READY


async def test_that_a_slot_holds_one_engine(second: EngineSession, home: Home, settings: Settings) -> None:
    await second.start(PROFILE)
    other = EngineSession(home, settings, slot="engine-2")
    with pytest.raises(StartFailed, match="running already"):
        await other.start(PROFILE)


@pytest.mark.parametrize("slot", ["", "../engine", "orders", "Engine", "a/b", ".x"])
def test_that_a_slot_is_a_plain_name_that_nobody_else_uses(home: Home, settings: Settings, slot: str) -> None:
    with pytest.raises(ValueError, match="cannot name"):
        EngineSession(home, settings, slot=slot)


async def test_that_a_run_file_that_names_another_program_ends_nothing(
    session: EngineSession, stranger: subprocess.Popen[bytes]
) -> None:
    write_run_file(session.run_file, run_of(stranger))
    assert not await session.adopt()
    await session.stop()
    assert stranger.poll() is None


async def test_that_a_run_file_of_an_earlier_process_of_that_number_ends_nothing(
    session: EngineSession, stranger: subprocess.Popen[bytes]
) -> None:
    earlier = run_of(stranger, created=1.0)
    write_run_file(session.run_file, earlier)
    assert not orphans_of(earlier)
    assert not await session.adopt()
    earlier.process().kill_now()
    assert stranger.poll() is None


@pytest.mark.parametrize("kind", ["readable by others", "a link", "a folder"])
async def test_that_a_run_file_that_is_not_private_is_not_believed(
    session: EngineSession, tmp_path: Path, stranger: subprocess.Popen[bytes], kind: str
) -> None:
    path = session.run_file
    if kind == "a folder":
        path.mkdir()
    else:
        written = path if kind == "readable by others" else tmp_path / "elsewhere.json"
        write_run_file(written, run_of(stranger))
        assert read_run_file(written) is not None
        path.chmod(0o644) if kind == "readable by others" else path.symlink_to(written)
    assert read_run_file(path) is None
    assert not await session.adopt()
