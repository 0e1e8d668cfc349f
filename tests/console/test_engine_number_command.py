"""`dabba engine … --engine N`: which engine of the pool is meant."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from console.commands.engine import app
from storage.paths import Home
from storage.settings import EngineSettings, MoreEngine, Settings, load_settings, save_settings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _pool(home_folder: Path) -> None:
    """The first engine, a second one of this machine, and a third at an address where nothing answers."""
    further = (MoreEngine(), MoreEngine(url="http://127.0.0.1:9"))
    save_settings(Home(home_folder).make(), Settings(engine=EngineSettings(more=further)))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["stop"], "No engine of this home is running."),
        (["stop", "--engine", "2"], "Engine 2 is not running."),
        (["start", "--engine", "3"], "Engine 3 is attached from http://127.0.0.1:9"),
        (["status", "--engine", "4"], "There is no engine 4: the settings name 1, 2, 3."),
        (["list"], "No engine can answer now."),
    ],
)
def test_that_an_engine_that_cannot_be_used_so_is_named_with_the_reason(asked: list[str], told: str) -> None:
    result = CliRunner().invoke(app, asked)
    assert result.exit_code == 1
    assert told in result.stderr


def test_that_the_list_names_every_engine_and_why_it_does_not_answer() -> None:
    lines = CliRunner().invoke(app, ["list"]).stdout.splitlines()
    assert [line[:1] for line in lines] == ["1", "2", "3"]
    assert "nothing answers at http://127.0.0.1:9" in lines[2]


def test_that_a_removed_engine_is_forgotten_and_the_next_one_keeps_its_number(home_folder: Path) -> None:
    result = CliRunner().invoke(app, ["remove", "2"])
    assert result.stdout.startswith("Engine 2 was removed: not running.")
    assert load_settings(Home(home_folder)).engine.more == (MoreEngine(url="http://127.0.0.1:9", number=3),)
    lines = CliRunner().invoke(app, ["list"]).stdout.splitlines()
    assert [line[:1] for line in lines] == ["1", "3"]


def test_that_an_attached_engine_is_removed_by_its_address(home_folder: Path) -> None:
    result = CliRunner().invoke(app, ["remove", "http://127.0.0.1:9/", "--json"])
    assert json.loads(result.stdout) == {"removed": 3, "url": "http://127.0.0.1:9", "stopped": False}
    assert load_settings(Home(home_folder)).engine.more == (MoreEngine(),)


@pytest.mark.parametrize(
    ("which", "told"),
    [
        ("1", "Engine 1 stays"),
        ("7", "There is no further engine 7. The settings name: 2, 3."),
        ("", "no further engine"),
    ],
)
def test_that_only_a_further_engine_can_be_removed(which: str, told: str) -> None:
    result = CliRunner().invoke(app, ["remove", which])
    assert result.exit_code == 1
    assert told in result.stderr
