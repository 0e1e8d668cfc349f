"""The engines of a house: those of the settings are attached beside the first one, and all of them answer."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from console.commands.engine_list import as_objects
from console.house import open_house
from console.house_engines import HouseEngines
from engine_host.engine import pool_crew
from engine_host.engine.models import SMOLLM2
from engine_host.engine.profile import EngineProfile
from engine_host.engine.state import EngineStatus
from storage.database import Database
from storage.paths import Home
from storage.queries.engine_events import events_since
from storage.secret_room import SecretRoom
from storage.settings import EngineSettings, MoreEngine, Settings, save_settings
from tests.engine_host.engine.conftest import until
from tests.fakes.fake_vllm import FakeVllm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home").make()


@pytest.fixture
async def fakes() -> AsyncIterator[list[FakeVllm]]:
    made = [FakeVllm(), FakeVllm()]
    for fake in made:
        await fake.__aenter__()
    yield made
    for fake in made:
        await fake.stop()


def named(*urls: str) -> Settings:
    return Settings(engine=EngineSettings(more=tuple(MoreEngine(url=url, weight=2.0) for url in urls)))


async def test_that_engines_of_the_settings_answer_while_the_first_one_does_not(
    home: Home, fakes: list[FakeVllm]
) -> None:
    save_settings(home, named(*(fake.url for fake in fakes)))
    house = await open_house(home)
    try:
        await house.engines.join()
        first, *further = as_objects(house.engines)
        assert (first["status"], first["can_answer"]) == ("none", False)
        assert [(one["url"], one["can_answer"], one["weight"]) for one in further] == [
            (fake.url, True, 2.0) for fake in fakes
        ]
        writer = await house.engines.pool.writer()
        assert writer is not None
        assert writer.first.state.url == fakes[0].url
    finally:
        await house.close()


async def test_that_an_engine_that_is_not_there_is_named_and_the_others_answer(
    home: Home, fakes: list[FakeVllm]
) -> None:
    gone = fakes[0].url
    await fakes[0].stop()
    secrets = SecretRoom(home)
    engines = HouseEngines.of(home, named(gone, fakes[1].url), secrets, database=None)
    try:
        await engines.join()
        _, lost, well = as_objects(engines)
        assert lost["fault"].startswith(f"No engine can be attached: nothing answers at {gone}")
        assert well["can_answer"]
    finally:
        await engines.close()
        await secrets.close()


async def test_that_an_engine_that_comes_later_is_taken_into_use(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_crew, "LOOK_EVERY_S", 0.01)
    async with FakeVllm() as fake:
        port, url = fake.port, fake.url
    secrets = SecretRoom(home)
    engines = HouseEngines.of(home, named(url), secrets, database=None)
    try:
        await engines.crew.start(EngineProfile("cpu-demo", SMOLLM2))
        assert not engines.pool.can_answer
        async with FakeVllm(port=port):
            session = engines.crew.engines[0].session
            await until(session, lambda state: state.can_answer)
            assert engines.pool.can_answer
            await session.detach()
    finally:
        await engines.close()
        await secrets.close()


async def test_that_a_hosted_engine_that_cannot_start_says_why_and_stops_nothing(home: Home) -> None:
    secrets = SecretRoom(home)
    engines = HouseEngines.of(home, Settings(engine=EngineSettings(more=(MoreEngine(),))), secrets, database=None)
    try:
        await engines.crew.start(EngineProfile("cpu-demo", SMOLLM2))
        (one,) = engines.crew.engines
        assert "its runtime is not installed" in one.fault
        assert one.session.state.value.status is EngineStatus.FAILED
        assert one.session.state.value.name == "cpu-demo 2"
        assert one.session.run_file.name == "engine-2.json"
    finally:
        await engines.close()
        await secrets.close()


async def test_that_an_engine_that_is_added_at_run_time_answers_with_the_others(home: Home) -> None:
    engines = HouseEngines.of(home, Settings(), SecretRoom(home), database=None)
    async with FakeVllm(model="m") as fake:
        assert not engines.pool.answering.value
        session = engines.add(MoreEngine(url=fake.url))
        await session.attach(fake.url)
        assert engines.sessions == (engines.first, session)
        assert engines.pool.answering.value
        await engines.close()


async def test_that_a_removed_engine_gets_nothing_new_and_its_events_end(home: Home, fakes: list[FakeVllm]) -> None:
    database, secrets = await Database.open(home), SecretRoom(home)
    engines = HouseEngines.of(home, named(*(fake.url for fake in fakes)), secrets, database)
    try:
        await engines.join()
        gone, stays = (one.session for one in engines.crew.engines)
        await engines.remove(gone, drain_s=5.0)
        assert engines.sessions == (engines.first, stays)
        assert [one.state.url for one in engines.pool.members] == ["", fakes[1].url]
        assert [one.state for one in engines.events] == [engines.first.state, stays.state]
        events = await database.run(lambda session: events_since(session, datetime(2026, 1, 1, tzinfo=UTC)))
        assert events[-1].text.endswith("was detached.")
        await engines.remove(gone, drain_s=0.0)
        await engines.remove(stays, drain_s=0.0)
        assert not engines.pool.answering.value
    finally:
        await engines.close()
        await database.close()
        await secrets.close()
