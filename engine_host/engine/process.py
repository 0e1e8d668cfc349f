"""One engine as a process of the machine: started in a group of its own, ended as a whole group."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import psutil

from engine_host.engine import shared_memory
from engine_host.engine.children import clean_environment, kill_group
from engine_host.engine.errors import StartFailed, StopFailed
from engine_host.engine.guardian import guarded
from engine_host.engine.sockets import VARIABLE, make_folder, remove_folder

if TYPE_CHECKING:
    from pathlib import Path

    from engine_host.engine.command import Command
    from engine_host.engine.guardian import Guard

LOOK_EVERY_S = 0.1
_AFTER_KILL_S = 10.0
_LEFTOVER_S = 2.0
_CLOCK_STEP_S = 2.0


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on this moment."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def group_members(group: int) -> list[psutil.Process]:
    """The living processes of a process group; a zombie no longer lives."""
    return [one for one in psutil.process_iter() if _belongs(one, group)]


def began(pid: int) -> float | None:
    """When the living process `pid` began, in epoch seconds; None when there is none."""
    try:
        process = psutil.Process(pid)
        return process.create_time() if process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.Error:
        return None


def _belongs(process: psutil.Process, group: int) -> bool:
    try:
        return os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE
    except (OSError, psutil.Error):
        return False


@dataclass(slots=True)
class EngineProcess:
    """The API server with its workers. `pid` leads the group; `created` (epoch seconds) tells it from a later namesake.

    `child` is set when this program started it: only then can its exit status be known. `guard` ends it when this
    program dies; None = it is meant to go on, or another program started it. `segments` is the shared memory that it
    was seen to have open, `sockets` the folder of its own sockets.
    """

    pid: int
    created: float
    child: subprocess.Popen[bytes] | None = None
    guard: Guard | None = None
    segments: set[Path] = field(default_factory=set["Path"])
    sockets: Path | None = None

    @property
    def group(self) -> int:
        return self.pid

    def is_alive(self) -> bool:
        if self.child is not None:
            return self.child.poll() is None
        at = began(self.pid)
        return at is not None and abs(at - self.created) < _CLOCK_STEP_S

    @property
    def _was_reused(self) -> bool:
        """Its number belongs to a later process: so does the group of that number."""
        return self.child is None and began(self.pid) is not None and not self.is_alive()

    @property
    def exit_status(self) -> int | None:
        """Known after the exit of a child only; a negative number is the signal that killed it."""
        return self.child.poll() if self.child else None

    def kill_now(self) -> None:
        """SIGKILL to the whole group, at once."""
        if self._was_reused:
            return
        self.note_segments()
        kill_group(self.group)
        self._dismiss_guard()

    def undo(self) -> None:
        """End what was started a moment ago, as if it had not been."""
        self.kill_now()
        if self.child is not None:
            self.child.wait()
        self.clear()

    def note_segments(self) -> None:
        """Remember the shared memory that it has open now: a killed process can no longer be asked."""
        self.segments |= shared_memory.mapped_by(group_members(self.group))

    def _dismiss_guard(self) -> None:
        if self.guard is not None:
            self.guard.dismiss()

    def let_go(self) -> None:
        """Forget that it is our child: it goes on when this program ends."""
        self._dismiss_guard()
        if self.child is not None:
            self.child.returncode = 0  # else Popen warns that nobody waited for it
            self.child = None

    async def exited(self) -> None:
        while self.is_alive():  # noqa: ASYNC110 - it may be another program's child: there is no event to wait for
            await asyncio.sleep(LOOK_EVERY_S)

    async def terminate(self, limit_s: float) -> None:
        """SIGTERM, `limit_s` seconds to end in order, then SIGKILL for all that is left. Raises StopFailed."""
        self.note_segments()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self.is_alive():
                os.kill(self.pid, signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.exited(), limit_s)
            self._dismiss_guard()
            await asyncio.wait_for(self._group_gone(), _LEFTOVER_S)
        await self.end_group()

    async def end_group(self) -> None:
        """SIGKILL the whole group and wait until nobody of it is left. Raises StopFailed."""
        self.kill_now()
        try:
            await asyncio.wait_for(self._all_gone(), _AFTER_KILL_S)
        except TimeoutError as error:
            left = ", ".join(str(one.pid) for one in group_members(self.group)) or str(self.pid)
            raise StopFailed(
                f"The engine could not be stopped: process {left} is still there after it was killed. "
                "It waits for the system; restart the machine if it stays.",
            ) from error
        self.clear()

    def clear(self) -> None:
        """Remove the files that it leaves. Only when nobody of it lives."""
        shared_memory.remove(self.segments)
        if self.sockets is not None:
            remove_folder(self.sockets)

    async def _all_gone(self) -> None:
        await self.exited()
        await self._group_gone()

    async def _group_gone(self) -> None:
        while not self._was_reused and group_members(self.group):  # noqa: ASYNC110 - as above
            await asyncio.sleep(LOOK_EVERY_S)


def start_process(command: Command, log: Path, *, guard: bool = False) -> EngineProcess:
    """Start vLLM in a new session, its output in `log`. `guard`: it ends when this program dies. Raises StartFailed."""
    if shutil.which(command.argv[0]) is None:
        raise _not_started("there is no such program", command)
    try:
        sockets = make_folder()
    except OSError as error:
        raise StartFailed(
            f"The engine could not be started: the folder for temporary files takes nothing ({error.strerror}).",
            "Make room there, or set TMPDIR to another folder.",
        ) from error
    argv, stdin, watcher = guarded(command.argv) if guard else (command.argv, subprocess.DEVNULL, None)
    try:
        with log.open("ab") as output:
            child = subprocess.Popen(  # noqa: S603 - argv of our own making
                argv,
                stdin=stdin,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=clean_environment(command.environment | {VARIABLE: str(sockets)}),
                start_new_session=True,
            )
    except OSError as error:
        remove_folder(sockets)
        if watcher is not None:
            watcher.dismiss()
        raise _not_started(error.strerror or str(error), command) from error
    finally:
        if watcher is not None:
            os.close(stdin)
    return EngineProcess(child.pid, psutil.Process(child.pid).create_time(), child, watcher, sockets=sockets)


def _not_started(why: str, command: Command) -> StartFailed:
    return StartFailed(
        f"The engine could not be started: {why} ({command.argv[0]}).",
        "Install the engine runtime again, or name another Python in the settings.",
        {"python": None},
    )
