from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine_host.engine.models import QWEN_1B
from engine_host.engine.process import group_members
from engine_host.engine.profile import EngineProfile
from engine_host.engine.session import EngineSession
from storage.paths import Home
from storage.settings import EngineSettings, Settings
from tests.fakes.fake_vllm import Behaviour

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from engine_host.engine.state import EngineState, EngineStatus

ROOT = Path(__file__).parents[3]
PROFILE = EngineProfile("cpu-demo", QWEN_1B)
FAKE_PYTHON = f"""#!/bin/sh
if [ "$1" = "-c" ]; then echo "vllm-version 0.32.0"; exit 0; fi
shift 2
cd {ROOT}
exec {sys.executable} -m tests.fakes.fake_vllm "$@"
"""


@pytest.fixture(autouse=True)
def temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for temporary files. Whatever happens to an engine, nothing of it stays there."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", None)
    yield folder
    assert not list(folder.glob("dabba-*"))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home").make()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings whose engine Python is the fake vLLM."""
    python = tmp_path / "python"
    python.write_text(FAKE_PYTHON, encoding="utf-8")
    python.chmod(0o755)
    return Settings(engine=EngineSettings(python=str(python), restarts=0, drain_s=2.0))


@pytest.fixture
def behave(monkeypatch: pytest.MonkeyPatch) -> Callable[[Behaviour], None]:
    """Decides how the fake vLLM behaves that is started next."""

    def set_behaviour(behaviour: Behaviour) -> None:
        monkeypatch.setenv("FAKE_VLLM", json.dumps(asdict(behaviour)))

    set_behaviour(Behaviour(with_worker=True))
    return set_behaviour


@pytest.fixture
async def session(home: Home, settings: Settings, behave: Callable[[Behaviour], None]) -> AsyncIterator[EngineSession]:
    one = EngineSession(home, settings)
    yield one
    await one.stop()
    await one.close()


async def until(session: EngineSession, holds: Callable[[EngineState], bool]) -> EngineState:
    """Wait until the published state fulfils `holds`."""
    if holds(session.state.value):
        return session.state.value
    found: asyncio.Future[EngineState] = asyncio.get_running_loop().create_future()

    def look(state: EngineState) -> None:
        if holds(state) and not found.done():
            found.set_result(state)

    stop = session.state.watch(look)
    try:
        return await asyncio.wait_for(found, 20)
    finally:
        stop()


async def until_status(session: EngineSession, status: EngineStatus) -> EngineState:
    return await until(session, lambda state: state.status is status)


async def until_line(session: EngineSession, start: str) -> str:
    """Wait for a log line that begins with `start`; returns the rest of it."""
    found: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def look(lines: tuple[str, ...]) -> None:
        for line in lines:
            if line.startswith(start) and not found.done():
                found.set_result(line.removeprefix(start))

    stop = session.log.watch(look)
    try:
        look(session.log.lines)
        return await asyncio.wait_for(found, 20)
    finally:
        stop()


def lives(group: int | None) -> bool:
    return group is not None and bool(group_members(group))


def has_segment(name: str) -> bool:
    return Path("/dev/shm", name).exists()
