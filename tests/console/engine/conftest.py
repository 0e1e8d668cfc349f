"""A bridge, and the rooms of the Engine page in an empty home."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from console.bridge.loop_thread import LoopThread
from console.house_engines import HouseEngines
from storage.database import Database
from storage.paths import Home
from storage.secret_room import SecretRoom
from storage.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from console.widgets.notices import Notice
    from engine_host.engine.session import EngineSession


@dataclass
class Rooms:
    home: Home
    settings: Settings
    secrets: SecretRoom
    database: Database
    engines: HouseEngines
    notices: list[Notice] = field(default_factory=list)

    @property
    def engine(self) -> EngineSession:
        return self.engines.first


@pytest.fixture
def faults() -> list[BaseException]:
    return []


@pytest.fixture
def bridge(qtbot: QtBot, faults: list[BaseException]) -> Iterator[LoopThread]:
    """As in the program, garbage is collected in the GUI thread only: elsewhere it would destroy widgets."""
    gc.disable()
    bridge = LoopThread(lambda error, _where: faults.append(error))
    bridge.start()
    yield bridge
    bridge.stop()
    gc.enable()
    gc.collect()
    assert faults == []


@pytest.fixture
def rooms(bridge: LoopThread, tmp_path: Path, qtbot: QtBot) -> Rooms:
    home = Home(tmp_path / "home").make()
    settings = Settings()

    async def open_rooms() -> Rooms:
        secrets, database = SecretRoom(home), await Database.open(home)
        return Rooms(home, settings, secrets, database, HouseEngines.of(home, settings, secrets, None))

    call = bridge.submit(open_rooms)
    qtbot.waitUntil(lambda: not call.running)
    made = getattr(call.outcome, "value", None)
    assert isinstance(made, Rooms)
    bridge.add_closer("engines", made.engines.close)
    bridge.add_closer("database", made.database.close)
    bridge.add_closer("secrets", made.secrets.close)
    return made
