"""The console as it watches an engine: a child with the real rooms and the Live page open, attached by address."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import psutil

from engine_host.engine.errors import EngineRoomError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from storage.paths import Home

PROGRAM: Final = "console.bench.live.program"
WATCHING: Final = "watching"
READY_S: Final = 120.0
END_S: Final = 60.0


class ConsoleSpoilt(EngineRoomError):
    """The console did not watch, so nothing could be measured."""


@dataclass(slots=True)
class Watching:
    """A console that watches. `facts` is its own report, there after its end."""

    process: psutil.Process
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    _begun: tuple[float, float] = (0.0, 0.0)

    def begin(self) -> None:
        self._begun = (time.monotonic(), self._cpu_s())

    def cpu_share(self) -> float:
        """What its process took of one core since `begin`."""
        begun, cpu = self._begun
        return (self._cpu_s() - cpu) / (time.monotonic() - begun)

    def _cpu_s(self) -> float:
        times = self.process.cpu_times()
        return times.user + times.system


@asynccontextmanager
async def watching(home: Home, settle_s: float) -> AsyncGenerator[Watching]:
    """A console on `home`, whose settings name the engine, once its page has shown figures for `settle_s`.

    It is gone when the block ends. Raises ConsoleSpoilt when it did not come up, or did not end cleanly.
    """
    command = ("-m", PROGRAM, str(home.root), "--until-told", "--settle", str(settle_s), "--rounds", "0")
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
    )
    try:
        await _until_ready(child)
        one = Watching(psutil.Process(child.pid))
        yield one
        one.facts = json.loads(await _last_words(child))
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()


async def _until_ready(child: asyncio.subprocess.Process) -> None:
    try:
        async with asyncio.timeout(READY_S):
            told = await child.stdout.readline() if child.stdout else b""
    except TimeoutError as late:
        raise ConsoleSpoilt(
            f"The console showed no figures of the engine within {READY_S:.0f} s. Look at the load of this machine."
        ) from late
    if told.decode().strip() != WATCHING:
        _, err = await child.communicate()
        raise ConsoleSpoilt(f"The console ended before it showed a figure: {_why(told, err)}.")


async def _last_words(child: asyncio.subprocess.Process) -> bytes:
    """Its report: the end of its input tells it to close its window."""
    try:
        async with asyncio.timeout(END_S):
            if child.stdin:
                child.stdin.close()
            out, err = await child.communicate()
    except TimeoutError as late:
        raise ConsoleSpoilt(f"The console did not end within {END_S:.0f} s. Its stretch is not counted.") from late
    if child.returncode != 0:
        raise ConsoleSpoilt(f"The console did not end cleanly: {_why(out, err)}.")
    return out


def _why(report: bytes, err: bytes) -> str:
    """Half a sentence: the error or the faults in its report, else the last line that it complained with."""
    try:
        facts: dict[str, Any] = json.loads(report)
    except ValueError:
        facts = {}
    said = facts.get("error") or " and ".join(facts.get("faults", ())) or err.decode(errors="replace")
    lines = said.strip().splitlines()
    return lines[-1].rstrip(".") if lines else "it said nothing"
