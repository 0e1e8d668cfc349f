"""From a wish to an engine that answers: a process, its phases, its first token, and what will watch it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_host.engine.canary import Canary
from engine_host.engine.errors import StartFailed, StartStopped
from engine_host.engine.fit_room import check_start
from engine_host.engine.hosted import HostedEngine
from engine_host.engine.launch import launch, prepare
from engine_host.engine.link import EngineLink
from engine_host.engine.run_file import remove_run_file
from engine_host.engine.runtime import serves_on_gpu
from engine_host.engine.sleeping import is_asleep
from engine_host.engine.start_times import StartTimes, keep_start
from engine_host.engine.watch import Watcher

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine_host.engine.board import StateBoard
    from engine_host.engine.link import Hold
    from engine_host.engine.log_tail import LogTail
    from engine_host.engine.profile import EngineProfile
    from storage.paths import Home
    from storage.settings import Settings

PORT_TRIES = 3


@dataclass(frozen=True, slots=True)
class Wanted:
    """`keep_running`: it outlives this program."""

    profile: EngineProfile
    keep_running: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where a session hosts: its slot of the home, and what it tells its state and its log with."""

    home: Home
    slot: str
    run_file: Path
    board: StateBoard
    log: LogTail
    settings: Callable[[], Settings]


async def start_engine(place: Place, hold: Hold, wanted: Wanted, stop_asked: Callable[[], bool]) -> None:
    """Try until a port is free. Raises StartFailed, StartStopped or RuntimeUnusable; nothing is left then."""
    profile = wanted.profile
    ready = await prepare(place.home, place.settings(), profile, keep_running=wanted.keep_running, slot=place.slot)
    for attempt in range(1, PORT_TRIES + 1):
        if stop_asked():
            raise StartStopped("The start was stopped.", "Start it again when you want it.")
        run, process = launch(place.home, ready)
        engine = HostedEngine(run, process, place.log, began=time.monotonic())
        try:
            await bring_up(place, hold, engine, stop_asked)
            await check_start(place.home, profile, run.run, run.url, on_gpu=serves_on_gpu(ready.runtime))
        except BaseException as error:
            await drop(place, hold, engine)
            if isinstance(error, StartFailed) and engine.port_was_taken and attempt < PORT_TRIES:
                continue
            raise
        keep_start(place.home, StartTimes(run.run, profile.model.name, profile.enforce_eager, engine.phases))
        return


async def bring_up(place: Place, hold: Hold, engine: HostedEngine, stop_asked: Callable[[], bool]) -> None:
    """From a living process to READY, or SLEEPING as it was found, with a watcher that is not running yet."""
    run, board, limits = engine.run, place.board, place.settings().engine
    hold.engine, hold.link = engine, EngineLink.to(run.url, run.context)
    board.has_process(run)
    probe = hold.link.probe
    try:
        async with asyncio.timeout(limits.start_limit_s):
            await engine.become_ready(probe, lambda: board.phases(engine.phases), stop_asked)
    except TimeoutError as late:
        raise _too_late(engine, limits.start_limit_s) from late
    engine.record(place.run_file)
    board.phases(engine.phases)
    board.ready()
    canary = Canary(at_rest=True) if limits.canary else None
    hold.watcher = Watcher(
        probe, run.model, board.heard, lambda made: engine.spend(made, place.run_file), canary, engine.members,
        told=hold.pulse,
    )  # fmt: skip
    if not engine.started_here and await is_asleep(probe):
        hold.watcher.asleep = True
        board.sleeping()


async def drop(place: Place, hold: Hold, engine: HostedEngine) -> None:
    """An engine that did not become ready: nothing of it stays, even when we are cancelled meanwhile."""
    engine.process.kill_now()
    remove_run_file(place.run_file, engine.run.run)
    await asyncio.shield(engine.end())
    await hold.let_go()


def _too_late(engine: HostedEngine, limit_s: float) -> StartFailed:
    phases = engine.phases
    where = f": it is still at {phases[-1].phase.value}" if phases else ""
    return StartFailed(
        f"The engine was not ready within {limit_s:g} s{where}.",
        "Look at the log, or give it more time with engine.start_limit_s in the settings.",
        {"start_limit_s": limit_s * 2},
    )
