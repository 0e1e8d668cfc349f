from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine_host.engine.command import build_command
from engine_host.engine.models import CATALOGUE, QWEN_7B, SMOLLM2, default_model
from engine_host.engine.profile import EngineProfile, profile_from
from engine_host.engine.runtime import EngineRuntime, RuntimeKind
from storage.settings import EngineSettings

if TYPE_CHECKING:
    from engine_host.engine.options import Values

RUNTIME = EngineRuntime(Path("/home/bin/python"), RuntimeKind.CPU, "0.32.0")
PROFILE = EngineProfile("cpu-demo", SMOLLM2)


def value_of(argv: tuple[str, ...], flag: str) -> str:
    return argv[argv.index(flag) + 1]


def test_that_the_cpu_profile_becomes_a_full_command() -> None:
    command = build_command(PROFILE, RUNTIME, "/models/smol", 8123, on_gpu=False)
    argv = command.argv
    assert argv[:3] == ("/home/bin/python", "-m", "vllm.entrypoints.openai.api_server")
    assert value_of(argv, "--model") == "/models/smol"
    assert value_of(argv, "--served-model-name") == "SmolLM2-135M-Instruct"
    assert (value_of(argv, "--host"), value_of(argv, "--port")) == ("127.0.0.1", "8123")
    assert value_of(argv, "--kv-cache-memory-bytes") == str(1024**3)
    assert value_of(argv, "--max-num-queued-reqs") == "96"
    assert {"--enforce-eager", "--enable-prefix-caching", "--enable-per-request-metrics"} <= set(argv)
    assert command.environment["HF_HUB_OFFLINE"] == "1"
    assert command.environment["VLLM_NO_USAGE_STATS"] == "1"


def test_that_a_gpu_decides_its_own_kv_space_and_a_hub_model_may_be_fetched() -> None:
    command = build_command(EngineProfile("gpu", QWEN_7B), RUNTIME, "Qwen/Qwen2.5-7B-Instruct", 1, on_gpu=True)
    assert "--kv-cache-memory-bytes" not in command.argv
    assert value_of(command.argv, "--tool-call-parser") == "hermes"
    assert "HF_HUB_OFFLINE" not in command.environment


def test_that_an_older_vllm_is_not_given_flags_it_lacks() -> None:
    argv = build_command(PROFILE, RUNTIME, "/m", 1, on_gpu=False, options=frozenset({"--max-num-queued-reqs"})).argv
    assert "--max-num-queued-reqs" in argv
    assert "--enable-per-request-metrics" not in argv
    assert "--model" in argv


def test_that_switches_and_extra_flags_are_passed_on() -> None:
    values: Values = {"enforce_eager": False, "prefix_caching": False}
    profile = EngineProfile("x", SMOLLM2, values, ("--seed", "7"))
    argv = build_command(profile, RUNTIME, "/m", 1, on_gpu=False).argv
    assert "--enforce-eager" not in argv
    assert "--no-enable-prefix-caching" in argv
    assert argv[-2:] == ("--seed", "7")


def test_that_the_defaults_say_what_they_always_said() -> None:
    command = build_command(PROFILE, RUNTIME, "/m", 8123, on_gpu=False)
    told = (
        "/home/bin/python -m vllm.entrypoints.openai.api_server --model /m --served-model-name SmolLM2-135M-Instruct "
        "--host 127.0.0.1 --port 8123 --max-model-len 4096 --max-num-seqs 32 --max-num-batched-tokens 2048 "
        "--enable-prefix-caching --enforce-eager --enable-per-request-metrics --enable-prompt-tokens-details "
        "--enable-force-include-usage --max-num-queued-reqs 96 --disable-access-log-for-endpoints /health,/metrics "
        "--kv-cache-memory-bytes 1073741824"
    )
    assert sorted(command.argv) == sorted(told.split())


def test_that_an_option_for_the_other_kind_of_machine_is_not_said() -> None:
    profile = PROFILE.with_values(gpu_memory_utilization=0.5, gpu_kv_space_gib=2.0, performance_mode="throughput")
    on_cpu = build_command(profile, RUNTIME, "/m", 1, on_gpu=False).argv
    on_gpu = build_command(profile, RUNTIME, "/m", 1, on_gpu=True).argv
    assert "--gpu-memory-utilization" not in on_cpu
    assert value_of(on_cpu, "--kv-cache-memory-bytes") == str(1024**3)
    assert value_of(on_gpu, "--kv-cache-memory-bytes") == str(2 * 1024**3)
    assert (value_of(on_gpu, "--gpu-memory-utilization"), value_of(on_gpu, "--performance-mode")) == (
        "0.5",
        "throughput",
    )


def test_that_tool_calls_follow_the_model_unless_the_profile_says_otherwise() -> None:
    profile = EngineProfile("gpu", QWEN_7B)
    chosen = build_command(profile.with_values(tool_call_parser="pythonic"), RUNTIME, "/m", 1, on_gpu=True).argv
    assert value_of(chosen, "--tool-call-parser") == "pythonic"
    none = build_command(profile.with_values(tool_call_parser="none"), RUNTIME, "/m", 1, on_gpu=True).argv
    assert not {"--tool-call-parser", "--enable-auto-tool-choice"} & set(none)
    own = build_command(PROFILE.with_values(tool_call_parser="hermes"), RUNTIME, "/m", 1, on_gpu=False).argv
    assert "--enable-auto-tool-choice" in own


def test_that_the_context_never_passes_what_the_model_reads() -> None:
    assert profile_from(EngineSettings(max_model_len=32768), SMOLLM2).max_model_len == 8192


def test_that_the_catalogue_knows_the_size_of_a_token() -> None:
    assert SMOLLM2.shape.kv_bytes_per_token == 23_040
    assert QWEN_7B.shape.kv_bytes_per_token == 57_344
    assert len({spec.name for spec in CATALOGUE}) == len(CATALOGUE)
    assert all(spec.languages and spec.licence and spec.note for spec in CATALOGUE)


def test_that_the_strong_model_is_chosen_only_where_it_can_be_fetched_and_run() -> None:
    assert default_model(has_gpu=True, hub_reachable=True) is QWEN_7B
    assert default_model(has_gpu=True, hub_reachable=False) is SMOLLM2
    assert default_model(has_gpu=False, hub_reachable=True) is SMOLLM2
