"""Starting the demo order system as a child process, and ending a process of it, child or not."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

import engine_host
from engine_host.orders.errors import OrderSystemFailed

if TYPE_CHECKING:
    from asyncio.subprocess import Process

START_S: Final = 30.0
STOP_S: Final = 5.0
LOOK_S: Final = 0.05


async def start_child(data: Path, log_file: Path) -> tuple[Process, int]:
    """A child in its own process group and the port on which it answers; it ends when this process does.

    Raises OrderSystemFailed. Cancelled in the middle, it leaves no child.
    """
    child = await _spawn(data, log_file)
    port = None
    try:
        port = await _port_said_by(child)
    finally:
        if port is None:
            await end_child(child)
    if port is None:
        raise OrderSystemFailed(f"The demo order system did not start. {_last_line(log_file)} Its log: {log_file}")
    return child, port


async def end_child(child: Process) -> None:
    """Ask it to end, wait, then kill its whole group."""
    if child.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            child.terminate()
        try:
            async with asyncio.timeout(STOP_S):
                await child.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
    if child.stdin:
        child.stdin.close()
    await child.wait()


async def end_process(process: psutil.Process) -> None:
    """End a process that need not be a child of this one."""
    with contextlib.suppress(psutil.NoSuchProcess):
        process.terminate()
        try:
            async with asyncio.timeout(STOP_S):
                # the end of a process that is no child can only be looked for
                while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:  # noqa: ASYNC110
                    await asyncio.sleep(LOOK_S)
        except TimeoutError:
            process.kill()


async def _spawn(data: Path, log_file: Path) -> Process:
    code = str(Path(engine_host.__file__).parents[1])
    path = os.pathsep.join(filter(None, (code, os.environ.get("PYTHONPATH"))))
    log_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with log_file.open("ab") as log:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "engine_host.orders.demo", "--data", str(data), "--until-stdin-closes"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env=os.environ | {"PYTHONPATH": path},
            start_new_session=True,
        )


async def _port_said_by(child: Process) -> int | None:
    if child.stdout is None:
        return None
    try:
        async with asyncio.timeout(START_S):
            line = await child.stdout.readline()
    except TimeoutError:
        return None
    if not line:  # it is ending: signalled meanwhile it would be reaped behind asyncio's back
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(child.wait(), STOP_S)
        return None
    return json.loads(line)["port"]


def _last_line(log_file: Path) -> str:
    lines = log_file.read_text(encoding="utf-8", errors="replace").splitlines()
    return lines[-1] if lines else f"It said nothing within {START_S:g} s."
