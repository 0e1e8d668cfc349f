"""A real window on a real X server, used by keyboard and mouse, as a person would."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from tests.journeys.program import Program, names_of, processes_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from storage.paths import Home

pytestmark = [
    pytest.mark.journey,
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        not (shutil.which("Xvfb") and shutil.which("xdotool")),
        reason="Xvfb or xdotool is not installed: apt install xvfb xdotool",
    ),
]

SIZE = (1440, 900)
COMPOSER, ARTICLES_IN_THE_RAIL = (580, 790), (28, 128)
PAGES = ("Chat", "Articles", "Engine", "Live", "Tenants")
LOOK_S = 0.2


@dataclass(frozen=True, slots=True)
class Hands:
    """A keyboard, a mouse and an eye at one display."""

    display: str

    async def xdotool(self, *arguments: str) -> str:
        process = await asyncio.create_subprocess_exec(
            "xdotool", *arguments, env=os.environ | {"DISPLAY": self.display}, stdout=asyncio.subprocess.PIPE
        )
        out, _ = await process.communicate()
        return out.decode().strip()

    async def window(self) -> str:
        """The number of the console's window; waits until it is there, and gives it the keyboard."""
        found = await until(lambda: self.xdotool("search", "--onlyvisible", "--name", "Dabba Console"), bool)
        window = found.splitlines()[0]
        await self.xdotool("windowfocus", "--sync", window)
        return window

    async def until_titled(self, window: str, title: str) -> None:
        await until(lambda: self.xdotool("getwindowname", window), lambda name: name == f"{title} – Dabba Console")

    async def keys(self, *names: str) -> None:
        await self.xdotool("key", "--delay", "60", *names)

    async def write(self, text: str) -> None:
        await self.xdotool("type", "--delay", "15", text)

    async def click(self, x: int, y: int) -> None:
        await self.xdotool("mousemove", str(x), str(y), "click", "1")

    async def picture(self, path: Path) -> None:
        """What the screen shows, for whoever looks at a failed run; nothing where ImageMagick is not installed."""
        if shutil.which("import"):
            command = ("import", "-display", self.display, "-window", "root", str(path))
            await (await asyncio.create_subprocess_exec(*command)).wait()


async def until(look: Callable[[], Awaitable[str]], holds: Callable[[str], bool], limit_s: float = 30) -> str:
    """Look again and again: what happens at another program's window sends us no event."""
    async with asyncio.timeout(limit_s):
        while not holds(seen := await look()):  # noqa: ASYNC110
            await asyncio.sleep(LOOK_S)
    return seen


@pytest_asyncio.fixture
async def hands() -> AsyncIterator[Hands]:
    """An X server of our own on a free display."""
    read, write = os.pipe()
    screen = f"{SIZE[0]}x{SIZE[1]}x24"
    server = await asyncio.create_subprocess_exec(
        *("Xvfb", "-displayfd", str(write), "-screen", "0", screen, "-nolisten", "tcp"),
        pass_fds=(write,),
        stderr=asyncio.subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as said:
        number = (await asyncio.to_thread(said.readline)).strip()
    yield Hands(f":{number}")
    server.terminate()
    await server.wait()


def kept(home: Home, question: str) -> str:
    """Who asked this and how it ended, "" while it has not."""
    query = "SELECT customer_name, outcome FROM turn WHERE question = ? AND outcome != 'open'"
    with contextlib.closing(sqlite3.connect(home.database_file)) as database:
        return ", ".join(database.execute(query, (question,)).fetchone() or ())


async def test_that_a_person_asks_with_keyboard_and_mouse_and_leaves(
    dabba: Program, running_engine: str, hands: Hands, tmp_path: Path
) -> None:
    question = f"where is my dabba, {tmp_path.name}"
    (dabba.home.root / "window.json").unlink(missing_ok=True)  # the window opens at its first size, on Chat
    desk = await Program(dabba.home, hands.display).start()
    window = await hands.window()
    await hands.until_titled(window, "Chat")
    for number, page in enumerate(PAGES, start=1):
        await hands.keys(f"ctrl+{number}")
        await hands.until_titled(window, page)
    await hands.click(*ARTICLES_IN_THE_RAIL)
    await hands.until_titled(window, "Articles")
    await hands.keys("ctrl+1")
    await hands.until_titled(window, "Chat")
    await hands.click(*COMPOSER)
    await hands.keys("shift+Tab", "shift+Tab")
    await hands.write("C-2291")
    await hands.click(*COMPOSER)
    await hands.write(question)
    await hands.keys("Return")

    told = await until(lambda: asyncio.to_thread(kept, dabba.home, question), bool)
    assert told == "Meera Joshi, order_stated"
    await hands.picture(tmp_path / "window.png")
    await hands.keys("ctrl+q")
    ran = await desk.end(20)
    assert ran.code == 0, ran.err
    assert not ran.complaints, ran.err
    assert not processes_of(ran.mark), names_of(processes_of(ran.mark))
