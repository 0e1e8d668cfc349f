"""Everything that a start needs to know, gathered and checked before a process is made; then the process itself."""

from __future__ import annotations

import os
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import psutil
from filelock import FileLock, Timeout

from engine_host.engine.command import build_command
from engine_host.engine.errors import StartFailed
from engine_host.engine.fetch import find_model, model_location
from engine_host.engine.process import free_port, start_process
from engine_host.engine.profile_ready import start_flags
from engine_host.engine.run_file import DEFAULT_SLOT, RunFile, read_run_file, run_file_path, write_run_file
from engine_host.engine.runtime import find_runtime, serves_on_gpu
from engine_host.engine.sleeping import with_sleep

if TYPE_CHECKING:
    from pathlib import Path

    from engine_host.engine.process import EngineProcess
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.runtime import EngineRuntime
    from storage.paths import Home
    from storage.settings import Settings

_KEPT_LOGS = 10
_STAMP = "[0-9]" * 8 + "-" + "[0-9]" * 6  # the log of slot `engine` is not one of `engine-2`


@dataclass(frozen=True, slots=True)
class Launch:
    """A start that can be tried. `options` are the flags that this vLLM knows, None = all of ours."""

    profile: EngineProfile
    runtime: EngineRuntime
    location: str
    options: frozenset[str] | None
    keep_running: bool
    slot: str = DEFAULT_SLOT


async def prepare(
    home: Home, settings: Settings, profile: EngineProfile, *, keep_running: bool, slot: str = DEFAULT_SLOT
) -> Launch:
    """Raises StartFailed when the runtime or the model is not there or the profile would be refused, RuntimeUnusable
    when the named Python is wrong."""
    runtime = await find_runtime(home, settings)
    if runtime is None:
        raise StartFailed("The engine cannot start: its runtime is not installed.", "Run ./dabba to finish the set-up.")
    if profile.model.bundled and find_model(home, profile.model) is None:
        raise StartFailed(
            f"The engine cannot start: the model {profile.model.name} is not here, or a file of it is damaged.",
            "Run ./dabba to finish the set-up.",
        )
    location = model_location(home, profile.model)
    return Launch(profile, runtime, location, await start_flags(home, runtime, profile), keep_running, slot)


def launch(home: Home, wanted: Launch) -> tuple[RunFile, EngineProcess]:
    """Start the process and write its run file, unless another process was faster in this slot. Raises StartFailed."""
    home.run.mkdir(mode=0o700, parents=True, exist_ok=True)
    home.logs.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(home.run / f"{wanted.slot}.lock")
    try:
        lock.acquire(blocking=False)
    except Timeout as held:
        raise StartFailed(
            "Another Dabba is starting an engine this moment.", "Wait a moment, then try again."
        ) from held
    try:
        _refuse_a_second_one(run_file_path(home, wanted.slot))
        return _start(home, wanted)
    finally:
        lock.release()


def _refuse_a_second_one(path: Path) -> None:
    known = read_run_file(path)
    if known is not None and known.is_running():
        raise StartFailed(
            f"An engine of this home is running already: {known.name} with {known.model}, process {known.pid}.",
            "Stop it first.",
        )


def _start(home: Home, wanted: Launch) -> tuple[RunFile, EngineProcess]:
    port, run = free_port(), uuid.uuid4().hex[:12]
    log = home.logs / f"{wanted.slot}-{datetime.now(UTC):%Y%m%d-%H%M%S}-{run}.log"
    on_gpu = serves_on_gpu(wanted.runtime)
    command = build_command(
        wanted.profile, wanted.runtime, wanted.location, port, on_gpu=on_gpu, options=wanted.options
    )
    process = start_process(with_sleep(command), log, guard=not wanted.keep_running)
    written = RunFile(
        run=run,
        pid=process.pid,
        created=process.created,
        port=port,
        name=wanted.profile.name,
        model=wanted.profile.model.name,
        context=wanted.profile.max_model_len,
        log=str(log),
        keep_running=wanted.keep_running,
        owner=os.getpid(),
        owner_created=psutil.Process().create_time(),
        max_num_seqs=wanted.profile.max_num_seqs,
        sockets=str(process.sockets or ""),
    )
    try:
        write_run_file(run_file_path(home, wanted.slot), written)
    except OSError as error:
        process.undo()
        raise StartFailed(
            f"The engine was not started: {home.run} cannot be written ({error.strerror}).", "Make room there."
        ) from error
    _drop_old_logs(home.logs, wanted.slot)
    return written, process


def _drop_old_logs(folder: Path, slot: str) -> None:
    for old in sorted(folder.glob(f"{slot}-{_STAMP}-*.log"))[:-_KEPT_LOGS]:
        old.unlink(missing_ok=True)
