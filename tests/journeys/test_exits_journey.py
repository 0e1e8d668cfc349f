"""The window is closed in the middle of things: exit 0, and no process, thread, lock or open turn is left.

DABBA_EXITS says how often for each thing; the moments are spread over the time that it takes.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest
from filelock import FileLock

from storage.paths import Home
from storage.settings import Settings, save_settings
from tests.fakes.fake_vllm import Behaviour, FakeVllm
from tests.journeys.program import REPOSITORY, Program, names_of, processes_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.journeys.program import Ran

pytestmark = [pytest.mark.journey, pytest.mark.timeout(3600)]

TIMES = int(os.environ.get("DABBA_EXITS", "2"))
SLOW = Behaviour(words=("word",) * 400, first_delay_s=0.1, token_delay_s=0.05, metrics_delay_s=0.3)
LONGEST_MS = {
    "leave_opening": 1200,
    "leave_streaming": 2000,
    "leave_scraping": 2000,
    "leave_importing": 3000,
    "leave_starting": 14000,
}


def moments(longest_ms: int) -> list[int]:
    """As many moments as exits are asked for, evenly over that time, the first one at once."""
    return [round(longest_ms * number / TIMES) for number in range(TIMES)]


@dataclass(frozen=True, slots=True)
class Desk:
    """The console on a home of its own: a copy of the sample kitchen with the real runtime and models."""

    program: Program

    @property
    def home(self) -> Home:
        return self.program.home

    def attach(self, url: str) -> None:
        settings = Settings()
        engine = settings.engine.model_copy(update={"attach_url": url})
        save_settings(self.home, settings.model_copy(update={"engine": engine}))

    async def leave(self, script: str, after_ms: int, folder: Path | None = None) -> dict[str, Any]:
        """Close the window at that moment and look that nothing is left; returns what the child tells."""
        arguments = (script, "--after-ms", str(after_ms), *(("--folder", str(folder)) if folder else ()))
        ran = await self.program.run(*arguments, module="tests.journeys.desk", limit_s=120)
        self.nothing_is_left(ran)
        return ran.json

    def nothing_is_left(self, ran: Ran) -> None:
        assert not ran.json["failure"]
        assert ran.json["clean"]
        assert not ran.json["threads"]
        assert not processes_of(ran.mark), names_of(processes_of(ran.mark))
        run = self.home.run
        assert not (run / "engine.json").exists()
        assert not (run / "orders.json").exists() or json.loads((run / "orders.json").read_text()) is None
        for lock in (self.home.vectors / "dabba.lock", *run.glob("*.lock")):
            with FileLock(lock, blocking=False):
                pass
        assert not list(self.home.logs.glob("crash-*.txt"))

    def turns(self) -> list[tuple[str, str]]:
        with contextlib.closing(sqlite3.connect(self.home.database_file)) as database:
            return database.execute("SELECT turn_id, outcome FROM turn").fetchall()


@pytest.fixture
def desk(ready_home: Home, tmp_path: Path) -> Desk:
    home = Home(tmp_path / "home")
    home.root.mkdir()
    for folder in (ready_home.engine_runtime, ready_home.models):
        (home.root / folder.name).symlink_to(folder)
    home.make()
    with FileLock(ready_home.vectors / "dabba.lock", timeout=20):
        shutil.copytree(ready_home.vectors, home.vectors, dirs_exist_ok=True)
    with (
        contextlib.closing(sqlite3.connect(ready_home.database_file)) as kept,
        contextlib.closing(sqlite3.connect(home.database_file)) as copy,
    ):
        kept.backup(copy)
    shutil.copy(ready_home.root / "sample-kitchen.json", home.root)
    return Desk(Program(home))


async def test_that_the_window_may_be_closed_while_the_house_opens(desk: Desk) -> None:
    async with FakeVllm(SLOW) as fake:
        desk.attach(fake.url)
        for after_ms in moments(LONGEST_MS["leave_opening"]):
            await desk.leave("leave_opening", after_ms)


async def test_that_the_window_may_be_closed_while_an_answer_streams(desk: Desk) -> None:
    before = desk.turns()
    async with FakeVllm(SLOW) as fake:
        desk.attach(fake.url)
        for number, after_ms in enumerate(moments(LONGEST_MS["leave_streaming"]), start=1):
            await desk.leave("leave_streaming", after_ms)
            await fake.until(lambda counters, number=number: counters.cancelled == number and not counters.running)
    new = [turn for turn in desk.turns() if turn not in before]
    assert [outcome for _, outcome in new] == ["cancelled"] * TIMES


async def test_that_the_window_may_be_closed_while_metrics_are_read(desk: Desk) -> None:
    async with FakeVllm(replace(SLOW, metrics_delay_s=0.7)) as fake:
        desk.attach(fake.url)
        for after_ms in moments(LONGEST_MS["leave_scraping"]):
            await desk.leave("leave_scraping", after_ms)


async def test_that_the_window_may_be_closed_while_articles_are_imported(desk: Desk, tmp_path: Path) -> None:
    async with FakeVllm(SLOW) as fake:
        desk.attach(fake.url)
        for number, after_ms in enumerate(moments(LONGEST_MS["leave_importing"])):
            folder = changed_articles(tmp_path / str(number), f"Printed on board {number}.")
            assert (await desk.leave("leave_importing", after_ms, folder))["left"]
    found = await desk.program.json("articles", "search", "when do I get my refund")
    assert found["passages"][0]["given"]


@pytest.mark.usefixtures("no_engine")
async def test_that_the_window_may_be_closed_while_the_engine_starts(desk: Desk) -> None:
    for after_ms in moments(LONGEST_MS["leave_starting"]):
        assert (await desk.leave("leave_starting", after_ms))["left"]


def changed_articles(folder: Path, sentence: str) -> Path:
    """The sample articles with a sentence more, so that each is cut and embedded again."""
    folder.mkdir()
    for file in sorted((REPOSITORY / "assets" / "sample_kitchen" / "articles").glob("*.md")):
        text = file.read_text(encoding="utf-8")
        (folder / file.name).write_text(f"{text.rstrip()}\n\n{sentence}\n", encoding="utf-8")
    return folder
