"""The folder of an engine's own sockets: there while it runs, gone however it ends; nothing else is removed."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from engine_host.engine import sockets
from engine_host.engine.errors import StartFailed
from engine_host.engine.run_file import read_run_file
from engine_host.engine.state import EngineStatus
from tests.engine_host.engine.conftest import PROFILE, until_status

if TYPE_CHECKING:
    from engine_host.engine.session import EngineSession

SOCKET_NAME = len("/") + 36  # vLLM names a socket by a UUID
LONGEST_PATH = 107


def folder_of(session: EngineSession) -> Path:
    known = read_run_file(session.run_file)
    assert known is not None
    return Path(known.sockets)


async def test_that_an_engine_has_a_folder_of_its_own_until_it_is_stopped(session: EngineSession) -> None:
    await session.start(PROFILE)
    folder = folder_of(session)
    told = psutil.Process(session.state.value.process_group).environ()
    assert told[sockets.VARIABLE] == str(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    await session.stop()
    assert not folder.exists()


async def test_that_a_killed_engine_leaves_no_socket(session: EngineSession) -> None:
    await session.start(PROFILE)
    folder = folder_of(session)
    (folder / "3b0f").touch()
    group = session.state.value.process_group
    assert group is not None
    os.killpg(group, signal.SIGKILL)
    await until_status(session, EngineStatus.FAILED)
    await session.stop()
    assert not folder.exists()


async def test_that_a_full_disk_is_told_before_a_process_is_made(
    session: EngineSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(**_wanted: str) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.mkdtemp", full)
    with pytest.raises(StartFailed, match=r"temporary files takes nothing \(No space left on device\)") as caught:
        await session.start(PROFILE)
    assert "Make room there" in caught.value.next_step


async def test_that_a_start_that_cannot_be_recorded_leaves_no_folder(
    session: EngineSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_wanted: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("engine_host.engine.launch.write_run_file", full)
    with pytest.raises(StartFailed, match="No space left on device"):
        await session.start(PROFILE)  # what is left then is found where every test here ends


def test_that_a_socket_in_it_has_a_path_that_the_system_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/tmp")
    folder = sockets.make_folder()
    try:
        assert len(str(folder)) + SOCKET_NAME <= LONGEST_PATH
    finally:
        sockets.remove_folder(folder)
    assert not folder.exists()


def test_that_only_such_a_folder_is_removed(tmp_path: Path) -> None:
    other, linked = tmp_path / "papers", tmp_path / "dabba-linked"
    other.mkdir()
    (other / "letter").touch()
    linked.symlink_to(other)
    for folder in (other, linked, tmp_path / "dabba-gone"):
        sockets.remove_folder(folder)
    assert (other / "letter").exists()
