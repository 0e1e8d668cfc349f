"""Journeys use the real parts. Their home folder is kept between runs: DABBA_TEST_HOME, else .dabba-test here.

The set-up installs a real vLLM into it, once; after that the journeys share one engine that outlives each command.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from console.testing import journeys_home
from engine_host.engine.models import SMOLLM2
from engine_host.engine.profile import EngineProfile, profile_from
from engine_host.engine.run_file import read_run_file
from engine_host.engine.session import EngineSession
from storage.paths import Home
from storage.settings import EngineSettings, Settings
from tests.journeys.program import Program

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

SET_UP_S = 900.0
ORDER = (
    *("commands", "window", "tour", "usage", "live", "engine"),
    *("engine_death", "exits", "order_truth", "options", "failover"),
)
"""What most depends on first. They share one engine; the death in the console ends it, and what follows needs none."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {f"test_{name}_journey": place for place, name in enumerate(ORDER)}
    ours = [item for item in items if item.path.parent == Path(__file__).parent]
    ours.sort(key=lambda item: places[item.path.stem])
    rest = iter(ours)
    items[:] = [next(rest) if item.path.parent == Path(__file__).parent else item for item in items]


@pytest.fixture(scope="session")
def test_home() -> Home:
    return Home(journeys_home()).make()


@pytest.fixture(scope="session")
def test_settings() -> Settings:
    """Without checks at rest: the journeys count every token."""
    return Settings(engine=EngineSettings(canary=False))


@pytest.fixture(scope="session")
def cpu_profile(test_settings: Settings) -> EngineProfile:
    return profile_from(test_settings.engine, SMOLLM2)


@pytest.fixture(scope="session")
def ready_home(test_home: Home) -> Home:
    """The home after `dabba setup`: minutes the first time, a second after that."""
    asyncio.run(Program(test_home).run("setup", limit_s=SET_UP_S))
    return test_home


@pytest.fixture(scope="session")
def dabba(ready_home: Home) -> Program:
    return Program(ready_home)


@pytest.fixture(scope="session")
def _engine_of_the_run(dabba: Program) -> Iterator[None]:
    """Stops the shared engine at the end, unless it ran before."""
    ran_before = _runs(dabba.home)
    yield
    if not ran_before and _runs(dabba.home):
        asyncio.run(dabba.run("engine", "stop"))


@pytest.fixture
def running_engine(dabba: Program, _engine_of_the_run: None) -> str:
    """A READY engine that outlives commands, shared by the journeys; returns its URL."""
    if not _runs(dabba.home):
        asyncio.run(dabba.run("engine", "start", limit_s=180))
    run = read_run_file(dabba.home.run / "engine.json")
    assert run is not None
    return run.url


@pytest.fixture
def no_engine(dabba: Program, _engine_of_the_run: None) -> None:
    if _runs(dabba.home):
        asyncio.run(dabba.run("engine", "stop"))


def _runs(home: Home) -> bool:
    run = read_run_file(home.run / "engine.json")
    return run is not None and run.is_running()


@pytest.fixture(autouse=True)
def _quiet_logs(test_home: Home) -> Iterator[None]:
    """Fails a journey after which a crash report lies in the home, or a line above INFO in the order system's log."""
    log = test_home.logs / "orders.log"
    crashes, read = set(test_home.logs.glob("crash-*.txt")), _size(log)
    yield
    new = sorted(set(test_home.logs.glob("crash-*.txt")) - crashes)
    assert not new, new[0].read_text(encoding="utf-8")
    said = log.read_bytes()[read:].decode() if _size(log) > read else ""
    loud = [line for line in said.splitlines() if any(word in line for word in (" WARNING ", " ERROR ", "Traceback"))]
    assert not loud, "\n".join(loud)


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def engine(
    dabba: Program, _engine_of_the_run: None, test_settings: Settings, cpu_profile: EngineProfile
) -> AsyncIterator[EngineSession]:
    """The shared engine in this process, READY. A test that ends it starts it again."""
    session = EngineSession(dabba.home, test_settings)
    if not await session.adopt():
        await session.start(cpu_profile, keep_running=True)
    yield session
    await session.close()
