"""The program that hosts an engine is killed: how long its engine lives on, or whether the next one takes it back."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING, Final

from console.bench.engine_kills.owner import END, KEEP, READY
from console.bench.engine_kills.place import lent_session
from engine_host.engine.process import group_members
from engine_host.engine.run_file import read_run_file

if TYPE_CHECKING:
    from engine_host.engine.session import EngineSession
    from storage.paths import Home

START_S: Final = 240.0
GONE_S: Final = 30.0


async def orphaned(home: Home) -> tuple[float | None, bool]:
    """Seconds from the death of its program to the end of the engine's last process (None = it lives on after 30 s),
    and whether an engine that was to keep running was taken back, the same one.
    """
    async with lent_session(home) as session:
        group = await _killed_owner(session, END)
        gone_s = await _gone(group)
    async with lent_session(home) as session:
        group = await _killed_owner(session, KEEP)
        taken = await session.adopt() and session.state.value.process_group == group
    return gone_s, taken


async def _killed_owner(session: EngineSession, how: str) -> int:
    """The group of the engine whose program was just killed. Raises TimeoutError when it was not ready in time."""
    words = ("-m", "console.bench.engine_kills.owner", str(session.run_file.parents[1]), how)
    program = await asyncio.create_subprocess_exec(sys.executable, *words, stdout=asyncio.subprocess.PIPE)
    try:
        async with asyncio.timeout(START_S):
            line = await program.stdout.readline() if program.stdout else b""
    finally:
        if program.returncode is None:
            program.kill()
        await program.wait()
    known = read_run_file(session.run_file)
    if line.decode().strip() != READY or known is None:
        raise TimeoutError("the program that hosts the engine was not ready")
    return known.pid


async def _gone(group: int) -> float | None:
    began = time.monotonic()
    while group_members(group):
        if time.monotonic() - began > GONE_S:
            return None
        await asyncio.sleep(0.05)
    return time.monotonic() - began
