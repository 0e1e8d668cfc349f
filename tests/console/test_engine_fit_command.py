"""`dabba engine fit`: what a person and a script read before a start."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from console.commands.engine import app
from engine_host.engine import fit_room
from engine_host.engine.fit_check import CacheCheck, keep_check
from storage.paths import Home
from tests.engine_host.engine.fit.configs import MEMORY, QWEN3_06B

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

    from engine_host.engine.fit_question import Device


def fit(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["fit", *arguments])


def as_json(*arguments: str, code: int = 0) -> Any:
    result = fit(*arguments, "--json")
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


@pytest.fixture(autouse=True)
def home(home_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home without a runtime, on a machine without a GPU that has 20 GiB free and sees no hub."""

    async def twenty_gib(*, on_gpu: bool, without: frozenset[int]) -> tuple[Device, ...]:
        return (MEMORY,)

    monkeypatch.setattr(fit_room, "read_devices", twenty_gib)
    monkeypatch.setattr("engine_host.engine.runtime.has_nvidia_driver", lambda: False)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("HF_HOME", str(home_folder / "hub"))
    return Home(home_folder).make()


@pytest.fixture
def qwen(tmp_path: Path) -> str:
    folder = tmp_path / "Qwen3-0.6B"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(QWEN3_06B))
    return str(folder)


def test_that_a_model_folder_is_told_with_what_it_needs_and_the_change_that_helps(qwen: str) -> None:
    told = as_json(qwen, "--context", "40960", "--kv-gib", "4", code=1)
    assert (told["model"], told["fits"], told["shortage"]) == ("Qwen3-0.6B", False, "cache")
    assert (told["kv"]["blocks"], told["kv"]["bytes_per_token"]) == (292, 114_688)
    assert (told["change"]["option"], told["change"]["value"]) == ("kv_space_gib", 4.5)
    assert told["conversation"]["turns"] == 0
    changed = as_json(qwen, "--context", "40960", "--kv-gib", "4.5")
    assert (changed["fits"], changed["change"]) == (True, None)


def test_that_a_person_reads_sentences_terms_and_earlier_estimates(home: Home) -> None:
    keep_check(home, CacheCheck("2026-11-30", "r", "SmolLM2-135M-Instruct", 4096, "auto", 1, 128, 10, 10, 1280, 1280))
    result = fit("cpu-demo")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("SmolLM2-135M-Instruct fits: it takes ")
    assert lines[1] == "The KV cache of 1.00 GiB holds 46,592 tokens in 364 blocks of 128 (23,040 bytes a token)."
    assert "taken for granted until this kitchen has had 20 turns" in lines[2]
    assert lines[3].startswith("Read from the catalogue of this program. ")
    assert any(line.startswith("weights") for line in lines)
    assert lines[-1].endswith("1,280 were expected: as estimated.")


def test_that_a_profile_a_catalogue_model_and_no_name_are_understood() -> None:
    assert as_json("Small memory")["model"] == "Qwen2.5-1.5B-Instruct"
    assert as_json("qwen2.5-1.5b-instruct")["model"] == "Qwen2.5-1.5B-Instruct"
    assert as_json()["model"] == "SmolLM2-135M-Instruct"
    assert as_json("--kv-dtype", "fp8")["kv"]["bytes_per_token"] == 11_520


@pytest.mark.parametrize(
    ("which", "words"),
    [("no such profile", "There is no profile"), ("owner/model", "does not answer"), ("/tmp", "config")],
)
def test_that_what_is_not_there_is_a_sentence_and_exit_1(which: str, words: str) -> None:
    result = fit(which)
    assert result.exit_code == 1
    assert words in result.stderr
    assert result.stdout == ""


def test_that_an_unknown_layout_is_no_promise(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(QWEN3_06B | {"model_type": "mamba2"}))
    told = as_json(str(tmp_path), code=1)
    assert told["fits"] is None
    assert "Mamba" in told["unknown"]
    assert told["kv"] is None
