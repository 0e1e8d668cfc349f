from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from engine_host.engine.models import QWEN_7B, SMOLLM2
from engine_host.engine.profile import EngineProfile
from engine_host.engine.profile_plan import Plan, Target, paste_text, plan_of
from engine_host.engine.runtime import EngineRuntime, RuntimeKind

RUNTIME = EngineRuntime(Path("/opt/my vllm/python"), RuntimeKind.CUDA, "0.32.0")
TARGET = Target(RUNTIME, "Qwen/Qwen2.5-7B-Instruct", on_gpu=True)
GPU = EngineProfile("GPU", QWEN_7B, {"enforce_eager": False})


def words(text: str) -> tuple[dict[str, str], list[str]]:
    """What a shell makes of it: the variables before the command, and the command."""
    said = shlex.split(text.replace("\\\n", ""))
    first = next(number for number, word in enumerate(said) if "=" not in word)
    return dict(word.split("=", 1) for word in said[:first]), said[first:]


def value_of(argv: list[str], flag: str) -> str:
    return argv[argv.index(flag) + 1]


def commands(plan: Plan) -> list[tuple[dict[str, str], list[str]]]:
    return [words(step.text) for step in plan.steps]


def test_that_a_shell_reads_the_text_as_it_was_meant(tmp_path: Path) -> None:
    script = tmp_path / "say it.py"
    script.write_text("import json, os, sys; print(json.dumps([os.environ['A'], *sys.argv[1:]]))", encoding="utf-8")
    told = ("--json", '{"a": "it\'s"}', "--eager", "--names", "a", "b $HOME", "--port", "1")
    text = paste_text({"A": "x y"}, (sys.executable, str(script), *told))
    said = subprocess.run(["sh", "-c", text], capture_output=True, check=True, text=True).stdout
    assert json.loads(said) == ["x y", *told]
    assert words(text) == ({"A": "x y"}, [sys.executable, str(script), *told])


def test_that_one_machine_gets_the_command_that_a_start_uses() -> None:
    plan = plan_of(EngineProfile("CPU", SMOLLM2), Target(RUNTIME, "/m/smol lm", on_gpu=False, port=8123))
    ((environment, argv),) = commands(plan)
    assert argv[0] == "/opt/my vllm/python"
    assert (value_of(argv, "--model"), value_of(argv, "--port")) == ("/m/smol lm", "8123")
    assert environment["HF_HUB_OFFLINE"] == "1"
    assert "dabba engine start --profile CPU" in plan.note


def test_that_one_model_over_two_machines_is_a_ray_cluster_and_one_server() -> None:
    profile = GPU.with_values(
        way="ray", nodes=2, gpus_per_node=4, tensor_parallel_size=4, pipeline_parallel_size=2, head_address="10.0.0.1"
    )
    plan = plan_of(profile, TARGET)
    head, other, (environment, serve) = commands(plan)
    assert head[0] == {"VLLM_HOST_IP": "10.0.0.1"}
    assert head[1] == ["ray", "start", "--head", "--node-ip-address=10.0.0.1", "--port=6379"]
    assert other[1] == ["ray", "start", "--address=10.0.0.1:6379", "--node-ip-address=OWN_ADDRESS"]
    assert serve[:3] == ["vllm", "serve", "Qwen/Qwen2.5-7B-Instruct"]
    assert (value_of(serve, "--tensor-parallel-size"), value_of(serve, "--pipeline-parallel-size")) == ("4", "2")
    assert value_of(serve, "--distributed-executor-backend") == "ray"
    assert environment["VLLM_HOST_IP"] == "10.0.0.1"
    assert plan.variables == ("OWN_ADDRESS",)
    assert "VLLM_API_KEY" in plan.note
    assert "attach http://10.0.0.1:8000" in plan.note


def test_that_copies_that_ray_places_lie_on_one_machine_each_or_span_them() -> None:
    whole = GPU.with_values(way="ray", nodes=2, gpus_per_node=4, tensor_parallel_size=2, data_parallel_size=4)
    *_, (environment, serve) = commands(plan_of(whole, TARGET))
    assert (value_of(serve, "--data-parallel-backend"), value_of(serve, "--data-parallel-size-local")) == ("ray", "2")
    assert "VLLM_RAY_DP_PACK_STRATEGY" not in environment
    spanning = GPU.with_values(way="ray", nodes=4, gpus_per_node=2, tensor_parallel_size=4, data_parallel_size=2)
    *_, (environment, serve) = commands(plan_of(spanning, TARGET))
    assert environment["VLLM_RAY_DP_PACK_STRATEGY"] == "span"
    assert "--data-parallel-size-local" not in serve


def test_that_copies_over_machines_get_a_command_each_and_one_address() -> None:
    profile = GPU.with_values(way="data parallel", nodes=3, gpus_per_node=2, data_parallel_size=6)
    plan = plan_of(profile, TARGET)
    first, *others = (argv for _, argv in commands(plan))
    assert value_of(first, "--port") == "8000"
    assert "--headless" not in first
    assert [value_of(argv, "--data-parallel-start-rank") for argv in others] == ["2", "4"]
    for argv in (first, *others):
        assert (value_of(argv, "--data-parallel-size"), value_of(argv, "--data-parallel-size-local")) == ("6", "2")
        assert (value_of(argv, "--data-parallel-address"), value_of(argv, "--data-parallel-rpc-port")) == (
            "HEAD_ADDRESS",
            "13345",
        )
    assert all("--headless" in argv and "--port" not in argv for argv in others)
    assert plan.variables == ("HEAD_ADDRESS",)


def test_that_engines_behind_a_router_are_values_of_the_chart() -> None:
    profile = GPU.with_values(way="router", replicas=3, tensor_parallel_size=2, prefix_caching=False)
    plan = plan_of(profile, TARGET)
    assert (plan.steps[0].file, len(plan.steps)) == ("values.yaml", 3)
    values: Any = yaml.safe_load(plan.steps[0].text)
    (model,) = values["servingEngineSpec"]["modelSpec"]
    assert (model["name"], model["tag"], model["replicaCount"], model["requestGPU"]) == (
        "qwen2-5-7b-instruct",
        "v0.32.0",
        3,
        2,
    )
    config = model["vllmConfig"]
    assert (config["enablePrefixCaching"], config["tensorParallelSize"]) == (False, 2)
    said = config["extraArgs"]
    assert not {"--tensor-parallel-size", "--no-enable-prefix-caching", "--enable-prefix-caching", "--port"} & set(said)
    assert value_of(said, "--max-model-len") == "4096"
    assert "helm install vllm vllm/vllm-stack -f values.yaml" in plan.steps[1].text
