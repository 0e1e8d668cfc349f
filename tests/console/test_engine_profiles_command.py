"""`dabba engine profiles` and `dabba engine command`: what a person and a script read."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from console.commands.engine import app
from engine_host.engine.options_dump import MARK
from storage.paths import Home
from storage.settings import EngineSettings, Settings, save_settings
from tests.engine_host.engine.flag_tables import FLAGS

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

UNCHECKED = "Flags were not checked: no vLLM is installed here"


def engine(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def profiles(*arguments: str) -> Result:
    return engine("profiles", *arguments)


def as_json(*arguments: str) -> Any:
    result = engine(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture(autouse=True)
def home(home_folder: Path) -> Home:
    return Home(home_folder).make()


@pytest.fixture
def small_vllm(home: Home, tmp_path: Path) -> None:
    """A named Python whose vLLM knows only a few flags."""
    answer, python = tmp_path / "answer", tmp_path / "python"
    flags = json.dumps([asdict(flag) for flag in FLAGS])
    answer.write_text(f"vllm-version 0.9.9\n{MARK}{flags}\n", encoding="utf-8")
    python.write_text(f"#!/bin/sh\ncat {answer}\n", encoding="utf-8")
    python.chmod(0o755)
    save_settings(home, Settings(engine=EngineSettings(python=str(python))))


def test_that_profiles_are_saved_listed_compared_and_deleted() -> None:
    saved = profiles("save", "Evening", "--from", "cpu-demo", "--set", "max_num_seqs=16", "--note", "for Diwali")
    assert saved.stdout == "Evening is kept as version 1.\n"
    assert UNCHECKED in saved.stderr
    changed = as_json("profiles", "save", "evening", "--set", "max_num_seqs=8", "--extra", "--seed 7")
    assert (changed["name"], changed["version"], changed["note"]) == ("Evening", 2, "for Diwali")
    assert (changed["changed"], changed["extra"]) == ({"max_num_seqs": 8}, ["--seed", "7"])
    names = [one["name"] for one in as_json("profiles", "list")]
    assert names == ["CPU demo", "Support chat on one GPU", "Throughput", "Small memory", "Evening"]
    rows = as_json("profiles", "compare", "evening@1", "evening")
    assert [(row["key"], row["left"], row["right"]) for row in rows] == [
        ("max_num_seqs", "16 seqs", "8 seqs"),
        ("extra", "", "--seed 7"),
    ]
    assert as_json("profiles", "delete", "evening") == {"deleted": "evening", "versions": 2}
    assert len(as_json("profiles", "list")) == 4


def test_that_a_profile_is_shown_option_by_option() -> None:
    shown = profiles("show", "throughput").stdout
    assert shown.startswith("Throughput, ready-made: Qwen2.5-7B-Instruct. Tokens a second first")
    assert "* max_num_seqs                   256 seqs\n" in shown
    assert "  kv_cache_dtype                 auto\n" in shown
    told = as_json("profiles", "show", "throughput")
    assert (told["versions"], told["faults"], told["engine_has"]) == ([0], [], {})


def test_that_profiles_travel_in_one_file(tmp_path: Path) -> None:
    file = str(tmp_path / "profiles.toml")
    profiles("save", "Evening", "--from", "cpu-demo", "--set", "kv_space_gib=0.5")
    assert profiles("export", file).stdout == f"{file} holds Evening.\n"
    profiles("delete", "evening")
    assert profiles("import", file).stdout == "Evening is kept as version 1.\n"
    assert as_json("profiles", "show", "evening")["values"]["kv_space_gib"] == 0.5


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("save", "New"), "There is no profile New yet. Say with --from"),
        (("save", "cpu-demo", "--set", "max_num_seqs"), "Write it as max_num_seqs=VALUE."),
        (("save", "cpu-demo", "--set", "max_num_seqs=0"), "it must be a whole number from 1 to 4,096 seqs"),
        (("save", "cpu-demo", "--set", "max_num_batched_tokens=1"), "CPU demo cannot be started."),
        (("save", "cpu-demo", "--unset", "seqs"), "There is no option seqs"),
        (("save", "cpu-demo", "--model", "gpt"), "The model gpt is not in the catalogue"),
        (("save", "cpu-demo", "--extra", "--port 1"), "--port cannot be given"),
        (("save", "cpu-demo", "--extra", "'"), "a quotation mark is open"),
        (("show", "cpu-demo@7"), "CPU demo has no version 7"),
        (("delete", "throughput"), "comes with the program"),
        (("import", "/nowhere.toml"), "/nowhere.toml cannot be read"),
        (("export", "/nowhere/x.toml", "throughput"), "/nowhere/x.toml cannot be written"),
        (("export", "/nowhere/x.toml"), "no profile was saved yet"),
    ],
)
def test_that_what_cannot_be_done_is_a_sentence(arguments: tuple[str, ...], told: str) -> None:
    result = profiles(*arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert told in result.stderr
    assert len(as_json("profiles", "list")) == 4


@pytest.mark.usefixtures("small_vllm")
def test_that_nothing_is_kept_that_the_installed_vllm_would_refuse() -> None:
    refused = profiles("save", "Evening", "--from", "cpu-demo", "--set", "scheduling_policy=priority")
    assert "vLLM 0.9.9 has no flag --" in refused.stderr
    shown = profiles("show", "cpu-demo", "--json")
    assert shown.exit_code == 1
    faults = {fault["key"]: fault["sentence"] for fault in json.loads(shown.stdout)["faults"]}
    assert "vLLM 0.9.9 has no flag --max-num-batched-tokens" in faults["max_num_batched_tokens"]
    assert "max_num_seqs" not in faults


def test_that_the_command_of_a_profile_is_printed_ready_to_paste() -> None:
    printed = engine("command", "cpu-demo", "--port", "8123").stdout
    assert printed.startswith("# On this machine\nVLLM_NO_USAGE_STATS=1 DO_NOT_TRACK=1 HF_HUB_OFFLINE=1 \\\n")
    assert "  --port 8123 \\\n  --kv-cache-memory-bytes 1073741824 \\\n" in printed
    assert printed.endswith("# `dabba engine start --profile 'CPU demo'` does this for you.\n")
    plan = as_json("command", "cpu-demo")
    assert (plan["way"], len(plan["steps"])) == ("this machine", 1)


def test_that_a_profile_for_several_machines_prints_a_command_for_each() -> None:
    sizes = ("nodes=2", "gpus_per_node=4", "tensor_parallel_size=4", "pipeline_parallel_size=2", "way=ray")
    profiles("save", "Large", "--from", "throughput", *(word for size in sizes for word in ("--set", size)))
    plan = as_json("command", "large")
    assert [step["where"] for step in plan["steps"]] == [
        "On the first machine",
        "On the other machine",
        "On the first machine, when all have joined",
    ]
    assert "# Put addresses in the place of HEAD_ADDRESS and OWN_ADDRESS.\n" in engine("command", "large").stdout


@pytest.mark.usefixtures("small_vllm")
def test_that_a_start_by_name_refuses_what_the_installed_vllm_lacks(home: Home) -> None:
    refused = engine("start", "--profile", "throughput")
    assert refused.exit_code == 1
    assert "The engine was not started." in refused.stderr
    assert "vLLM 0.9.9 has no flag --" in refused.stderr
    assert not list(home.logs.glob("engine-*.log"))
    assert "There is no profile thruput" in engine("start", "--profile", "thruput").stderr


def test_that_a_profile_for_several_machines_is_not_started_here() -> None:
    profiles("save", "Pods", "--from", "throughput", "--set", "way=router")
    assert "its runtime is not installed" in engine("start", "--profile", "pods").stderr
