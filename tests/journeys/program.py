"""Runs the real program as a child process, as a shell would, and finds what it left behind."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from console.setup.lines import DONE, RUNNING, WAITING

if TYPE_CHECKING:
    from storage.paths import Home

REPOSITORY = Path(__file__).parents[2]
MARK = "DABBA_JOURNEY"
"""Every process that a child starts inherits this variable: by it we find those that outlive it."""
EXPECTED = ("  ", f"{DONE} ", f"{RUNNING} ", f"{WAITING} ")
"""How lines on stderr begin that are no complaint: steps of the set-up, and what only staff reads."""
OFFSCREEN = "This plugin does not support propagateSizeHints()"


@dataclass(frozen=True, slots=True)
class Ran:
    """How a child ended. `mark` names it and all that it started."""

    code: int
    out: str
    err: str
    mark: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def complaints(self) -> list[str]:
        return complaints(self.err)


def complaints(err: str) -> list[str]:
    """Lines of stderr that nobody expects: warnings of our loggers and of Python, Qt's messages, tracebacks."""
    return [line for line in err.splitlines() if line.strip() and OFFSCREEN not in line and not _is_expected(line)]


def _is_expected(line: str) -> bool:
    return line.startswith(EXPECTED)


@dataclass(frozen=True, slots=True)
class Child:
    """A running child of ours."""

    process: asyncio.subprocess.Process
    mark: str

    async def end(self, limit_s: float) -> Ran:
        """Wait for it; a child that hangs is killed and fails the test."""
        try:
            async with asyncio.timeout(limit_s):
                out, err = await self.process.communicate()
        except BaseException:
            for one in processes_of(self.mark):
                one.kill()
            await self.process.wait()
            raise
        assert self.process.returncode is not None
        return Ran(self.process.returncode, out.decode(), err.decode(), self.mark)


@dataclass(frozen=True, slots=True)
class Program:
    """The program on one home. `display` names an X server; without one it draws offscreen."""

    home: Home
    display: str | None = None
    extra: dict[str, str] = field(default_factory=dict[str, str])

    async def start(self, *arguments: str, module: str = "console") -> Child:
        mark = uuid.uuid4().hex
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-X", "faulthandler", "-m", module, *arguments),
            cwd=REPOSITORY,
            env=self._environment() | {MARK: mark},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        return Child(process, mark)

    async def run(self, *arguments: str, code: int = 0, limit_s: float = 120.0, module: str = "console") -> Ran:
        """Run it to its end, which must be `code`; one that succeeds must not complain of anything."""
        ran = await (await self.start(*arguments, module=module)).end(limit_s)
        assert ran.code == code, f"{arguments} ended with {ran.code}, not {code}:\n{ran.err}\n{ran.out}"
        assert code or not ran.complaints, f"{arguments} complained:\n{ran.err}"
        assert "Traceback" not in ran.err, ran.err
        return ran

    async def json(self, *arguments: str, code: int = 0, limit_s: float = 120.0) -> Any:
        """What the command prints with `--json`."""
        return (await self.run(*arguments, "--json", code=code, limit_s=limit_s)).json

    def _environment(self) -> dict[str, str]:
        shown = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
        inherited = {key: value for key, value in os.environ.items() if key not in shown}
        platform = {"DISPLAY": self.display} if self.display else {"QT_QPA_PLATFORM": "offscreen"}
        return inherited | platform | {"DABBA_HOME": str(self.home.root)} | self.extra


def processes_of(mark: str) -> list[psutil.Process]:
    """The living processes of a child, itself included."""
    return [one for one in psutil.process_iter() if _has_mark(one, mark)]


def _has_mark(process: psutil.Process, mark: str) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE and process.environ().get(MARK) == mark
    except psutil.Error:
        return False


def names_of(processes: list[psutil.Process]) -> list[str]:
    """For the message of a failed test."""
    return [" ".join(one.cmdline()[:4]) for one in processes if one.is_running()]
