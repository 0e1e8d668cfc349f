"""Can an engine run, and does one run that nobody watches: runtime, models, memory, processes left behind."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import psutil

from console.setup.checks.check import Check, split_sentence
from console.setup.lines import bytes_text
from engine_host.engine.errors import EngineRoomError
from engine_host.engine.fetch import ModelFolder, find_model
from engine_host.engine.models import SMOLLM2, ModelSpec
from engine_host.engine.run_file import RunFile, all_runs, orphans_of
from engine_host.engine.runtime import find_runtime
from engine_host.orders.demo.run_file import Running, process_of, read_record
from knowledge.embedding_model import check_embedding_model, embedding_model_folder

if TYPE_CHECKING:
    from pathlib import Path

    from storage.paths import Home
    from storage.settings import Settings

SET_UP: Final = "Run ./dabba, which sets it up."
# API server 0.8, engine core 0.7 and the worker's own 0.9 GB, measured with vLLM 0.32 on a CPU
PROCESS_BYTES: Final = 2_400_000_000


async def check_runtime(home: Home, settings: Settings) -> Check:
    if settings.engine.attach_url:
        return Check("Engine runtime", True, f"not needed: an engine at {settings.engine.attach_url} is used")
    try:
        runtime = await find_runtime(home, settings)
    except EngineRoomError as error:
        return split_sentence("Engine runtime", str(error))
    if runtime is None:
        return Check("Engine runtime", False, "Not set up yet.", SET_UP)
    return Check("Engine runtime", True, f"vLLM {runtime.version} ({runtime.kind.value}), {runtime.python}")


def check_model(home: Home, settings: Settings, spec: ModelSpec = SMOLLM2) -> Check:
    """Reads every file of the model: a second for each half gigabyte."""
    if settings.engine.attach_url:
        return Check("Engine model", True, "not needed: the attached engine has its own")
    folder = find_model(home, spec)
    if folder is None:
        return Check("Engine model", False, f"{spec.name} is not set up, or not whole.", SET_UP)
    if changed := changed_files(folder):
        step = f"Delete {folder.path} and run ./dabba, which fetches it again."
        return Check("Engine model", False, f"{', '.join(changed)} of {spec.name} changed on the disk.", step)
    size = bytes_text(sum(one.size for one in folder.files))
    return Check("Engine model", True, f"{spec.name}, {len(folder.files)} files, {size}, sha256 right")


def changed_files(folder: ModelFolder) -> list[str]:
    """The files whose sha256 is no longer the one they were written with."""
    return [one.name for one in folder.files if _sha256(folder.path / one.name) != one.sha256]


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_embedding(home: Home) -> Check:
    problems = check_embedding_model(home)
    if problems:
        return split_sentence("Embedding model", problems[0])
    return Check("Embedding model", True, f"{embedding_model_folder(home).name}, sha256 right")


def check_memory(home: Home, settings: Settings, spec: ModelSpec = SMOLLM2) -> Check:
    """What the default profile takes on a CPU, against what is free; an engine that runs has taken it already."""
    memory = psutil.virtual_memory()
    told = f"{bytes_text(memory.available)} of {bytes_text(memory.total)} free"
    if settings.engine.attach_url or _engine_lives(home):
        return Check("Memory", True, told)
    needed = memory_needed(settings, spec)
    told = f"{told}; {spec.name} with {settings.engine.kv_space_gib:g} GiB of KV takes {bytes_text(needed)}"
    if needed > memory.available:
        step = "Close other programs, or lower engine.kv_space_gib in settings.toml."
        return Check("Memory", False, f"{told}: {bytes_text(needed - memory.available)} is missing.", step)
    return Check("Memory", True, told)


def memory_needed(settings: Settings, spec: ModelSpec) -> int:
    """Bytes of the three processes, the weights and the KV space."""
    return PROCESS_BYTES + spec.weights_bytes + round(settings.engine.kv_space_gib * 2**30)


def _engine_lives(home: Home) -> bool:
    return any(run.is_running() for _, run in all_runs(home))


def check_engine_process(home: Home) -> Check:
    """The engines that the run files speak of: watched, meant to go on, left behind, or gone; the worst is told."""
    checks = [_check_run(run) for _, run in all_runs(home)]
    bad = next((check for check in checks if not check.ok), None)
    if bad is not None or not checks:
        return bad or Check("Engine process", True, "none is running")
    return Check("Engine process", True, "; ".join(check.fact for check in checks))


def _check_run(run: RunFile) -> Check:
    name = "Engine process"
    if orphans_of(run):
        fact = f"Workers of the engine {run.pid}, which was killed, are left behind and hold their memory."
        return Check(name, False, fact, f"Run `dabba engine left --end {run.run}`, which ends them.")
    if not run.is_running():
        return Check(name, True, f"none is running; the last one, process {run.pid}, ended without a word")
    told = f"{run.model} at {run.url}, process {run.pid}"
    if run.owner_lives() or run.keep_running:
        return Check(name, True, told)
    fact = f"{told}, is left behind: the program that started it has ended."
    return Check(
        name, False, fact, f"Run `dabba engine left --end {run.run}`, or open the console, which takes it over."
    )


def check_orders_process(home: Home) -> Check:
    name, record = "Demo order system", read_record(home.run / "orders.json")
    if not isinstance(record, Running):
        return Check(name, True, "stopped by hand" if record else "not running: it is started when it is needed")
    if process_of(record) is None:
        return Check(name, True, f"not running; the last one, process {record.pid}, ended without a word")
    return Check(name, True, f"at http://127.0.0.1:{record.port}, process {record.pid}")
