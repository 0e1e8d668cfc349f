from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine_host.engine.models import QWEN_7B, SMOLLM2
from engine_host.engine.options_arguments import argument_faults, extra_faults
from engine_host.engine.profile import EngineProfile
from engine_host.engine.profile_check import EXTRA, profile_faults
from tests.engine_host.engine.flag_tables import TABLE

if TYPE_CHECKING:
    from engine_host.engine.options import Values

SMALL = EngineProfile("x", SMOLLM2)


def keys(profile: EngineProfile, *, on_gpu: bool = False) -> list[str]:
    return [fault.key for fault in profile_faults(profile, on_gpu=on_gpu)]


@pytest.mark.parametrize(
    "told",
    [
        "--seed 7",
        "--seed=7",
        "--seed -1",
        "--watermark -0.5",
        "--max_model_len 16k",
        "--compilation-config.mode 3",
        "-cc {}",
        "--lora-modules a=b c=d --enable-lora",
        "--no-enable-lora",
        "--load-threads None",
        "--uvicorn-log-level debug",
        "--optimization-level 3",
        "-O3",
    ],
)
def test_that_arguments_that_vllm_reads_pass(told: str) -> None:
    assert argument_faults(told.split(), TABLE) == ()


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ("--sede 7", "vLLM 0.9.9 has no flag --sede. The nearest is --seed."),
        ("--watermar 0.1", "vLLM 0.9.9 has no flag --watermar. The nearest is --watermark."),
        ("--seed x", "--seed is x: vLLM 0.9.9 wants a whole number."),
        ("--seed 1.5", "wants a whole number"),
        ("--seed None", "wants a whole number"),
        ("--watermark high", "--watermark is high: vLLM 0.9.9 wants a number."),
        ("--max-model-len 16kb", "a whole number, or one such as 16k"),
        ("-cc {", "--compilation-config is {: vLLM 0.9.9 wants JSON."),
        ("--seed", "--seed needs a value."),
        ("--seed --enable-lora", "--seed needs a value."),
        ("--seed 1 2", "2 belongs to no flag: --seed takes one value."),
        ("--enable-lora yes", "--enable-lora is a switch and takes no value, but yes follows."),
        ("--enable-lora.x 1", "--enable-lora has no parts"),
        ("--uvicorn-log-level loud", "which vLLM 0.9.9 does not know. Choose one of debug, info."),
        ("--tool-call-parser hermse", "The nearest is hermes."),
    ],
)
def test_that_what_vllm_would_refuse_is_said_before_the_start(told: str, fault: str) -> None:
    (said,) = argument_faults(told.split(), TABLE)
    assert fault in said


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ("--port 8000", "--port cannot be given: the program decides where the engine listens"),
        ("--max-num-seqs 3", "Set Sequences at once (max_num_seqs) instead"),
        ("--max_num_seqs=3", "Set Sequences at once (max_num_seqs) instead"),
        ("--no-enable-prefix-caching", "Set Prefix caching (prefix_caching) instead"),
        ("-tp 2", "Set Tensor parallel (tensor_parallel_size) instead"),
        ("7 --seed 1", "7 belongs to no flag. Begin with a flag"),
    ],
)
def test_that_an_extra_argument_may_not_say_what_the_profile_says(told: str, fault: str) -> None:
    assert fault in extra_faults(told.split(), TABLE)[0]


def test_that_extra_arguments_are_partly_checked_before_vllm_was_asked() -> None:
    assert extra_faults(("--sede", "7"), None) == ()
    assert "cannot be given" in extra_faults(("--host", "0.0.0.0"), None)[0]


def test_that_values_are_checked_against_each_other_and_the_model() -> None:
    assert keys(SMALL) == []
    assert keys(SMALL.with_values(max_model_len=8193)) == ["max_model_len"]
    assert keys(SMALL.with_values(max_num_batched_tokens=16)) == ["max_num_batched_tokens"]
    assert keys(SMALL.with_values(chunked_prefill=False)) == ["max_num_batched_tokens"]
    assert keys(SMALL.with_values(chunked_prefill=False, max_num_batched_tokens=4096)) == []
    assert keys(SMALL.with_values(long_prefill_token_threshold=5000)) == ["long_prefill_token_threshold"]
    assert keys(SMALL.with_values(block_size="16")) == ["block_size"]
    assert keys(SMALL.with_values(block_size="16"), on_gpu=True) == []
    assert keys(SMALL.with_values(kv_space_gib=0.0)) == ["kv_space_gib"]


@pytest.mark.parametrize("wrong", [{"way": "moon"}, {"max_num_seqs": "many"}, {"max_model_len": True}])
def test_that_a_value_that_cannot_be_is_all_that_is_said(wrong: Values) -> None:
    profile = EngineProfile("x", SMOLLM2, wrong)
    assert [fault.key for fault in profile_faults(profile, on_gpu=False, table=TABLE)] == list(wrong)


def test_that_machines_and_gpus_must_come_out_even() -> None:
    ray = EngineProfile("x", QWEN_7B).with_values(way="ray", nodes=2, gpus_per_node=4)
    assert keys(ray, on_gpu=True) == ["tensor_parallel_size"]
    assert keys(ray.with_values(tensor_parallel_size=4, pipeline_parallel_size=2), on_gpu=True) == []
    copies = EngineProfile("x", QWEN_7B).with_values(way="data parallel", nodes=2, gpus_per_node=2)
    assert keys(copies.with_values(data_parallel_size=3), on_gpu=True) == ["data_parallel_size"]
    assert keys(copies.with_values(data_parallel_size=8), on_gpu=True) == ["data_parallel_size"]
    assert keys(copies.with_values(data_parallel_size=4), on_gpu=True) == []


def test_that_an_option_whose_flag_this_vllm_lacks_is_refused_unless_it_can_be_done_without() -> None:
    profile = SMALL.with_values(scheduling_policy="priority")
    faults = {fault.key: fault.sentence for fault in profile_faults(profile, on_gpu=True, table=TABLE)}
    assert "vLLM 0.9.9 has no flag --scheduling-policy" in faults["scheduling_policy"]
    assert "per_request_metrics" not in faults
    assert "max_queued" not in faults


def test_that_faults_of_extra_arguments_are_told_beside_those_of_options() -> None:
    profile = EngineProfile("x", SMOLLM2, {"max_num_seqs": 0}, ("--port", "1", "--host", "x"))
    assert keys(profile) == ["max_num_seqs", EXTRA, EXTRA]
