"""A model is read where it lies: a folder, the hub's cache on this machine, or a hub that answers over HTTP."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from engine_host.engine.fit_profile import facts_of
from engine_host.engine.model_config import ConfigUnreadable, config_from
from engine_host.engine.model_files import hub_folder, index_size, read_folder
from engine_host.engine.model_hub import read_hub
from engine_host.engine.model_parameters import count_parameters
from engine_host.engine.models import QWEN_7B, SMOLLM2
from storage.paths import Home
from tests.engine_host.engine.fit import configs
from tests.engine_host.engine.fit.hub import FakeHub, serving

if TYPE_CHECKING:
    from pathlib import Path

INDEX = json.dumps({"metadata": {"total_size": 16_060_522_496}, "weight_map": {}})


def folder_with(path: Path, config: dict[str, Any], **files: bytes) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    (path / "config.json").write_text(json.dumps(config))
    for name, content in files.items():
        (path / name.replace("__", ".")).write_bytes(content)
    return path


def test_that_weights_are_taken_from_the_index_then_the_files_then_the_count(tmp_path: Path) -> None:
    counted = read_folder(folder_with(tmp_path, configs.LLAMA_8B))
    assert counted.weights.size == pytest.approx(8_030_261_248 * 2, rel=0.001)
    assert counted.weights.source.endswith("parameters, counted from config.json, of 2 bytes")
    assert read_folder(folder_with(tmp_path, configs.LLAMA_8B, a__bin=b"1234567")).weights.size == 7
    files = read_folder(folder_with(tmp_path, configs.LLAMA_8B, a__safetensors=b"1234", b__safetensors=b"56"))
    assert (files.weights.size, files.weights.source) == (6, "the size of its 2 .safetensors files")
    twice = read_folder(folder_with(tmp_path, configs.LLAMA_8B, model__safetensors=b"123"))
    assert (twice.weights.size, twice.weights.source) == (3, "the size of its .safetensors file")
    (tmp_path / "model.safetensors.index.json").write_text(INDEX)
    assert read_folder(tmp_path).weights.size == 16_060_522_496
    assert index_size("{}") is None


@pytest.mark.parametrize(
    ("config", "published"),
    [
        (configs.SMOLLM2, 134_515_008),
        (configs.QWEN3_06B, 596_049_920),
        (configs.LLAMA_8B, 8_030_261_248),
        (configs.OPT_13B, 12_853_473_280),
        (configs.GEMMA3_4B, 3_880_099_328),
    ],
)
def test_that_parameters_are_counted_within_two_percent(config: dict[str, Any], published: int) -> None:
    assert count_parameters(config_from(config)) == pytest.approx(published, rel=0.02)


def test_that_what_cannot_be_counted_is_said_to_be_unknown(tmp_path: Path) -> None:
    assert count_parameters(config_from(configs.LLAMA_8B | {"num_local_experts": 8})) is None
    assert count_parameters(config_from(configs.DEEPSEEK_V3)) is None
    unsaid = read_folder(folder_with(tmp_path, configs.DEEPSEEK_V3)).weights
    assert unsaid.size is None
    assert "not enough to count them" in unsaid.source


def test_that_a_folder_without_a_model_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigUnreadable, match="there is no config"):
        read_folder(tmp_path)


def test_that_the_newest_copy_of_the_hub_cache_is_found(tmp_path: Path) -> None:
    environment = {"HF_HOME": str(tmp_path)}
    assert hub_folder("Qwen/Qwen3-0.6B", environment) is None
    copy = folder_with(tmp_path / "hub/models--Qwen--Qwen3-0.6B/snapshots/abc", configs.QWEN3_06B)
    assert hub_folder("Qwen/Qwen3-0.6B", environment) == copy


async def test_that_the_hub_is_asked_for_config_and_index_and_gets_the_token() -> None:
    hub = FakeHub({"config.json": json.dumps(configs.LLAMA_8B), "model.safetensors.index.json": INDEX}, token="hf_x")
    async with serving(hub) as url:
        facts = await read_hub("meta/llama", environment={"HF_ENDPOINT": url, "HF_TOKEN": "hf_x"})
        assert (facts.name, facts.weights.size, facts.config.layers) == ("meta/llama", 16_060_522_496, 32)
        with pytest.raises(ConfigUnreadable, match="HF_TOKEN"):
            await read_hub("meta/llama", environment={"HF_ENDPOINT": url})
        with pytest.raises(ConfigUnreadable, match="404"):
            await read_hub("meta/other", environment={"HF_ENDPOINT": url, "HF_TOKEN": "hf_x"})


async def test_that_a_file_on_another_host_is_fetched_without_the_token() -> None:
    store = FakeHub({"config.json": json.dumps(configs.LLAMA_8B)})
    async with serving(store) as there:
        hub = FakeHub({}, token="hf_x", sends_on_to=there)
        async with serving(hub) as url:
            facts = await read_hub("meta/llama", environment={"HF_ENDPOINT": url, "HF_TOKEN": "hf_x"})
    assert facts.config.layers == 32
    assert store.tokens == [None]


async def test_that_the_count_of_the_hub_stands_in_for_a_missing_index() -> None:
    hub = FakeHub({"config.json": json.dumps(configs.DEEPSEEK_V3)}, parameters=671_026_419_200)
    async with serving(hub) as url:
        facts = await read_hub("meta/llama", environment={"HF_ENDPOINT": url})
    assert facts.weights.size == 2 * 671_026_419_200
    assert facts.weights.source == "671,026,419,200 parameters, counted by the hub, of 2 bytes"


async def test_that_a_hub_that_is_away_leaves_the_catalogue_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ConfigUnreadable, match="does not answer"):
        await read_hub(QWEN_7B.source.repository)  # type: ignore[union-attr]
    facts = await facts_of(Home(tmp_path), QWEN_7B)
    assert facts.weights.size == QWEN_7B.weights_bytes
    assert facts.place.startswith("the catalogue of this program. The memory of Qwen/Qwen2.5-7B-Instruct cannot be")


async def test_that_the_bundled_model_is_read_from_its_folder(tmp_path: Path) -> None:
    home = Home(tmp_path)
    folder_with(home.models / SMOLLM2.name, configs.SMOLLM2, model__safetensors=b"x" * 100)
    facts = await facts_of(home, SMOLLM2)
    assert (facts.weights.size, facts.config.layers) == (100, SMOLLM2.shape.layers)
