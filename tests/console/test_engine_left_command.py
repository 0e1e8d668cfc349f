"""`dabba engine left` and `dabba engine look`, as a person types them."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import TYPE_CHECKING

import psutil
import pytest
from typer.testing import CliRunner

from console.commands.engine import app
from engine_host.engine.run_file import RunFile, write_run_file
from storage.paths import Home
from tests.fakes.fake_vllm import Behaviour, FakeVllm

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from typer.testing import Result


def dabba(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def server() -> Iterator[FakeVllm]:
    """A server in a thread of its own: the command has its own loop."""
    loop, fake = asyncio.new_event_loop(), FakeVllm(Behaviour(version=None, metrics_page="", tools=False))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    asyncio.run_coroutine_threadsafe(fake.__aenter__(), loop).result(10)
    yield fake
    asyncio.run_coroutine_threadsafe(fake.stop(), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)
    loop.close()


def test_that_a_home_without_engines_says_so(home_folder: Path) -> None:
    shown = dabba("left")
    assert (shown.exit_code, shown.stdout.strip()) == (0, "No engine of this home has a process.")


def test_that_an_engine_that_is_no_engine_is_not_listed_nor_ended(home_folder: Path) -> None:
    home = Home(home_folder).make()
    me = psutil.Process()
    write_run_file(
        home.run / "engine.json",
        RunFile("r1", me.pid, me.create_time(), 4711, "n", "m", 4096, "x.log", True, me.pid, me.create_time()),
    )
    assert json.loads(dabba("left", "--json").stdout) == []
    ended = dabba("left", "--end", "r1")
    assert ended.exit_code == 1
    assert "No engine of this home has the id r1" in ended.output


def test_that_an_ordinary_server_is_described_with_what_it_lacks(server: FakeVllm) -> None:
    shown = dabba("look", server.url)
    assert shown.exit_code == 0, shown.output
    first, *missing = shown.stdout.splitlines()
    assert first == (
        "An OpenAI-compatible server, no vLLM: fake-model with 4,096 tokens of context, no metrics, no tools, no sleep."
    )
    assert [sentence.strip().split(":")[0] for sentence in missing] == [
        "It publishes no vLLM metrics",
        "It takes no tools",
    ]
    assert json.loads(dabba("look", server.url, "--json").stdout)["metrics"] is False


def test_that_a_certificate_file_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    shown = dabba("look", "https://127.0.0.1:9", "--ca-file", str(tmp_path / "ca.pem"))
    assert shown.exit_code == 1
    assert "cannot be used" in shown.output


@pytest.mark.parametrize("command", ["sleep", "wake"])
def test_that_an_engine_that_does_not_run_cannot_sleep_or_wake(home_folder: Path, command: str) -> None:
    shown = dabba(command)
    assert shown.exit_code == 1
    assert "The engine 1 of this home is not running. Start it first." in shown.output
