"""Engines of this home that an earlier run left: found by what was recorded of them, ended only when asked, by id."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import psutil

from engine_host.engine.errors import StopFailed
from engine_host.engine.guardian import GRACE_S, has_guardian
from engine_host.engine.process import LOOK_EVERY_S, group_members
from engine_host.engine.run_file import all_runs, orphans_of, remove_run_file, run_file_path

if TYPE_CHECKING:
    from engine_host.engine.run_file import RunFile
    from storage.paths import Home

_STOP_S = 8.0
_GUARDIAN_S = GRACE_S + 6.0


class Kind(StrEnum):
    """IN_USE: the program that started it lives. KEPT: it was meant to go on. LEFT: its program died without stopping
    it. WORKERS: its server is dead, and its workers hold their memory.
    """

    IN_USE = "in use"
    KEPT = "kept running"
    LEFT = "left behind"
    WORKERS = "workers only"


@dataclass(frozen=True, slots=True)
class LeftEngine:
    """`run` is the id by which it is ended, `memory` the bytes that only its processes hold."""

    run: str
    slot: str
    kind: Kind
    name: str
    model: str
    url: str
    pid: int
    memory: int
    processes: int


def engines_of(home: Home) -> tuple[LeftEngine, ...]:
    """Every engine of this home that has a process; reads the system for some milliseconds."""
    found = ((slot, run, _kind(run)) for slot, run in all_runs(home))
    return tuple(_described(slot, run, kind) for slot, run, kind in found if kind is not None)


async def end_left(home: Home, run: str) -> LeftEngine:
    """End the engine with the id `run`, processes, port and memory. Raises StopFailed with a sentence."""
    known = {one.run: (slot, one) for slot, one in all_runs(home)}
    left = next((one for one in engines_of(home) if one.run == run), None)
    if left is None:
        raise StopFailed(f"No engine of this home has the id {run}: none is ended. Look at `dabba engine left`.")
    slot, file = known[run]
    if left.kind is Kind.IN_USE:
        raise StopFailed(
            f"The engine {run} is in use: process {file.owner} started it and still runs. Stop it there, or close it."
        )
    await file.process().terminate(_STOP_S)
    remove_run_file(run_file_path(home, slot), run)
    return left


async def clear_workers(known: RunFile) -> None:
    """End the workers of a dead server and remove its files. Nothing else can use them. Raises StopFailed."""
    if orphans_of(known):
        await known.process().end_group()
    elif not group_members(known.pid):
        known.process().clear()


async def ends_with_its_owner(known: RunFile) -> bool:
    """Whether its owner is dead and its guardian has ended it; waits for that some seconds."""
    if known.keep_running or known.owner_lives() or not has_guardian(group_members(known.pid)):
        return False
    try:
        await asyncio.wait_for(_gone(known), _GUARDIAN_S)
    except TimeoutError:
        return False
    return True


async def _gone(known: RunFile) -> None:
    while known.is_running() or group_members(known.pid):  # noqa: ASYNC110 - another program's child has no event
        await asyncio.sleep(LOOK_EVERY_S)


def _kind(run: RunFile) -> Kind | None:
    if not run.is_running():
        return Kind.WORKERS if orphans_of(run) else None
    if run.owner_lives():
        return Kind.IN_USE
    return Kind.KEPT if run.keep_running else Kind.LEFT


def _described(slot: str, run: RunFile, kind: Kind) -> LeftEngine:
    members = group_members(run.pid)
    memory = sum(_own_memory(one) for one in members)
    return LeftEngine(run.run, slot, kind, run.name, run.model, run.url, run.pid, memory, len(members))


def _own_memory(process: psutil.Process) -> int:
    """Bytes that would be free without it; resident bytes where the system does not tell."""
    try:
        return int(process.memory_full_info().uss)
    except (psutil.Error, AttributeError):
        pass
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0
