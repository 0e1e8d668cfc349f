"""A bridge, and the rooms of the Engine page in an empty home."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from console.bridge.loop_thread import LoopThread
from engine_host.engine.session import EngineSession
from storage.paths import Home
from storage.secret_room import SecretRoom
from storage.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from console.widgets.notices import Notice


@dataclass
class Rooms:
    home: Home
    settings: Settings
    secrets: SecretRoom
    engine: EngineSession
    notices: list[Notice] = field(default_factory=list)


@pytest.fixture
def faults() -> list[BaseException]:
    return []


@pytest.fixture
def bridge(qtbot: QtBot, faults: list[BaseException]) -> Iterator[LoopThread]:
    bridge = LoopThread(lambda error, _where: faults.append(error))
    bridge.start()
    yield bridge
    bridge.stop()
    assert faults == []


@pytest.fixture
def rooms(bridge: LoopThread, tmp_path: Path) -> Rooms:
    home = Home(tmp_path / "home").make()
    settings = Settings()
    made = Rooms(home, settings, SecretRoom(home), EngineSession(home, settings))
    bridge.add_closer("engine", made.engine.close)
    bridge.add_closer("secrets", made.secrets.close)
    return made
