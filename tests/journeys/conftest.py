"""Journeys use the real parts. Their home folder is kept between runs: DABBA_TEST_HOME, else .dabba-test here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from engine_host.engine.fetch import fetch_model
from engine_host.engine.install import install_runtime
from engine_host.engine.models import SMOLLM2
from engine_host.engine.profile import EngineProfile, profile_from
from engine_host.engine.session import EngineSession
from storage.paths import Home
from storage.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def test_home() -> Home:
    named = os.environ.get("DABBA_TEST_HOME")
    return Home(Path(named) if named else REPOSITORY / ".dabba-test").make()


@pytest.fixture(scope="session")
def test_settings() -> Settings:
    return Settings()


@pytest.fixture(scope="session")
def cpu_profile(test_settings: Settings) -> EngineProfile:
    return profile_from(test_settings.engine, SMOLLM2)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def engine_is_installed(test_home: Home) -> Home:
    """The real set-up steps of the engine; a minute or two the first time, nothing after that."""
    runtime = await install_runtime(test_home, lambda _progress: None)
    await fetch_model(test_home, SMOLLM2, runtime, lambda _progress: None)
    return test_home


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def engine(
    engine_is_installed: Home, test_settings: Settings, cpu_profile: EngineProfile
) -> AsyncIterator[EngineSession]:
    """One real engine for the whole run, READY. A test that ends it starts it again."""
    session = EngineSession(engine_is_installed, test_settings)
    if not await session.adopt():
        await session.start(cpu_profile)
    yield session
    await session.close()
