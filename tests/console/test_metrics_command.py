"""`dabba metrics`, and the page that the console offers beside its window."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from prometheus_client.parser import text_string_to_metric_families
from typer.testing import CliRunner

from console.cli import app
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.http import loopback_client
from engine_host.published import Published
from storage.database import Database
from storage.paths import Home
from storage.queries.engine_runs import engine_run_names
from storage.settings import Settings, save_settings
from storage.usage_settings import MetricsSettings
from tests.engine_host.metrics.ledger import day_of_work

if TYPE_CHECKING:
    from pathlib import Path


def test_that_the_page_is_printed_once(home_folder: Path) -> None:
    async def furnish() -> None:
        database = await Database.open(Home(home_folder).make())
        await database.run(day_of_work)
        await database.close()

    asyncio.run(furnish())
    result = CliRunner().invoke(app, ["metrics", "show"])
    assert result.exit_code == 0
    found = {family.name: family for family in text_string_to_metric_families(result.stdout)}
    assert sum(one.value for one in found["dabba_requests"].samples) == 6


def test_that_a_port_in_use_ends_the_command_with_a_sentence(home_folder: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = CliRunner().invoke(app, ["metrics", "serve", "--port", str(taken.getsockname()[1])])
    assert home_folder.is_dir()
    assert result.exit_code == 1
    assert "Metrics are not offered on port" in result.stderr


async def test_that_the_console_offers_the_page_when_the_settings_say_so(home_folder: Path) -> None:
    from console.rooms import ConsoleRooms

    rooms = ConsoleRooms(Home(home_folder))
    await rooms.open()
    try:
        await rooms.offer_metrics()
        assert rooms.metrics.address == ""
    finally:
        await rooms.close()
    port = _free_port()
    save_settings(Home(home_folder), Settings(metrics=MetricsSettings(serve=True, port=port)))
    rooms = ConsoleRooms(Home(home_folder))
    await rooms.open()
    try:
        await rooms.offer_metrics()
        await rooms.offer_metrics()
        async with loopback_client() as client:
            assert "dabba_build_info" in (await client.get(f"http://127.0.0.1:{port}/metrics")).text
    finally:
        await rooms.close()


def _free_port() -> int:
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.mark.parametrize("names", [("cpu-demo",), ("cpu-demo", "later")])
async def test_that_a_run_of_an_engine_keeps_the_name_that_it_began_with(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    from console.engine_events import EngineEvents

    database = await Database.open(Home(tmp_path / "home").make())
    state = Published(EngineState())
    events = EngineEvents(database, state)
    events.start()
    for name in names:
        state.publish(EngineState(EngineStatus.STARTING, name, "m", run="r1"))
        state.publish(EngineState(EngineStatus.STOPPED, name, "m"))
    await events.close()
    assert await database.run(engine_run_names) == {"r1": "cpu-demo"}
    await database.close()
