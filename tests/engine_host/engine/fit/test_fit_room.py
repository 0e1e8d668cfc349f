"""A profile is asked about with what this machine has, and a start that became ready is held against the estimate."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from engine_host.engine.fit_change import Knob
from engine_host.engine.fit_check import read_checks
from engine_host.engine.fit_profile import facts_from_catalogue, question_of
from engine_host.engine.fit_question import Device
from engine_host.engine.fit_reserve import default_conversation
from engine_host.engine.fit_result import Verdict
from engine_host.engine.fit_room import answer, ask_fit
from engine_host.engine.models import LLAMA_8B, QWEN_1B, SMOLLM2
from engine_host.engine.profile import EngineProfile
from engine_host.engine.state import EngineStatus
from tests.engine_host.engine.conftest import PROFILE
from tests.engine_host.engine.fit import configs
from tests.engine_host.engine.fit.test_fit_check import PAGE
from tests.fakes.fake_vllm import Behaviour

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine_host.engine.fit_question import FitQuestion
    from engine_host.engine.options import OptionValue
    from engine_host.engine.session import EngineSession
    from storage.paths import Home

GIB = 2**30


def asked(*, on_gpu: bool, **values: OptionValue) -> FitQuestion:
    profile = EngineProfile("p", LLAMA_8B, values)
    device = configs.GPU if on_gpu else configs.MEMORY
    facts = facts_from_catalogue(LLAMA_8B, "")
    talk = default_conversation()
    return question_of(profile, facts, (device,), talk, on_gpu=on_gpu, fp8_cache=True)


def test_that_a_profile_is_read_as_it_will_be_started_on_a_processor() -> None:
    question = asked(on_gpu=False, kv_space_gib=2.5, gpu_memory_utilization=0.5, block_size="64", max_num_seqs=8)
    assert (question.kv_space, question.utilization) == (int(2.5 * GIB), None)
    assert (question.block_size, question.max_num_seqs, question.kv_dtype, question.dtype) == (64, 8, "auto", "auto")
    assert (question.model, question.gpus, question.eager, question.uncounted) == (LLAMA_8B.name, 1, True, ())


def test_that_a_profile_is_read_as_it_will_be_started_on_gpus() -> None:
    question = asked(
        on_gpu=True,
        kv_space_gib=2.5,
        gpu_memory_utilization=0.5,
        kv_cache_dtype="fp8",
        tensor_parallel_size=2,
        pipeline_parallel_size=2,
        cpu_offload_gib=4.0,
        speculative_config='{"method": "ngram"}',
    )
    assert (question.kv_space, question.utilization, question.gpus) == (None, 0.5, 4)
    assert question.kv_number_bytes == 1
    assert question.weights.size == LLAMA_8B.weights_bytes - 4 * GIB
    assert "less 4 GiB" in question.weights.source
    assert question.uncounted == ("the draft model of speculative decoding",)
    assert asked(on_gpu=True, gpu_kv_space_gib=3.0).kv_space == 3 * GIB


def test_that_a_profile_for_several_machines_is_no_promise() -> None:
    question = asked(on_gpu=True, way="ray", nodes=2)
    told = answer(question, "somewhere")
    assert (told.fit.verdict, told.change) == (Verdict.UNKNOWN, None)
    assert "other machines" in told.fit.reason


def test_that_a_smaller_model_of_the_catalogue_is_the_last_resort() -> None:
    question = asked(on_gpu=False, kv_space_gib=1.0)
    small = Device("memory", 8 * GIB, 8 * GIB)
    told = answer(replace(question, devices=(small,)), "somewhere")
    assert told.fit.verdict is Verdict.TOO_BIG
    assert told.change is not None
    assert (told.change.knob, told.change.value) == (Knob.MODEL, QWEN_1B.name)


async def test_that_a_profile_is_asked_about_on_this_machine(home: Home) -> None:
    folder = home.models / SMOLLM2.name
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(configs.SMOLLM2))
    (folder / "model.safetensors").write_bytes(b"x" * 1000)
    told = await ask_fit(home, EngineProfile("p", SMOLLM2), default_conversation(), on_gpu=False)
    assert told.place == f"the folder {folder}"
    assert told.fit.cache is not None
    assert told.fit.cache.tokens == 46_592
    assert told.fit.device is not None


@pytest.mark.parametrize(("page", "kept"), [(PAGE, 1), ("vllm:num_requests_running 0\n", 0)])
async def test_that_a_start_is_held_against_its_estimate_where_the_engine_says_its_size(
    session: EngineSession,
    behave: Callable[[Behaviour], None],
    home: Home,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    page: str,
    kept: int,
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    behave(Behaviour(metrics_page=page))
    await session.start(PROFILE)
    assert session.state.value.status in (EngineStatus.READY, EngineStatus.BUSY)
    checks = read_checks(home)
    assert len(checks) == kept
    for check in checks:
        assert (check.run, check.model) == (session.state.value.run, QWEN_1B.name)
        assert (check.expected, check.reported) == (37_376, 46_592)
        assert check.error == pytest.approx(-0.198, abs=0.001)
