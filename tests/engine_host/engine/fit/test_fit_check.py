"""What the engine reports is held against the estimate, and the error is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from engine_host.engine.fit import plan
from engine_host.engine.fit_check import (
    KEPT,
    CacheCheck,
    ReportedCache,
    compare,
    keep_check,
    read_checks,
    read_reported,
)
from storage.paths import Home
from tests.engine_host.engine.fit.configs import SMOLLM2, ask

if TYPE_CHECKING:
    from pathlib import Path

PAGE = """# HELP vllm:cache_config_info Information of the LLMEngine CacheConfig
# TYPE vllm:cache_config_info gauge
vllm:cache_config_info{block_size="128",cache_dtype="auto",kv_cache_size_tokens="46592",num_gpu_blocks="364"} 1.0
vllm:num_requests_running{engine="0"} 0.0
"""
REPORTED = ReportedCache(128, 364, 46_592, "auto")


def checked(reported: ReportedCache = REPORTED, run: str = "r1") -> CacheCheck:
    at = "2026-11-30T10:00:00+00:00"
    check = compare(plan(ask()), reported, at=at, run=run, model="SmolLM2", context=4096)
    assert check is not None
    return check


def test_that_the_cache_is_read_from_a_metrics_page() -> None:
    assert read_reported(PAGE) == REPORTED
    older = PAGE.replace('kv_cache_size_tokens="46592",', "")
    assert read_reported(older) == replace(REPORTED, tokens=None)
    assert read_reported("") is None
    assert read_reported("vllm:cache_config_info{block_size=") is None
    assert read_reported(PAGE.replace('num_gpu_blocks="364"', 'num_gpu_blocks="None"')) is None


def test_that_the_error_is_a_share_of_what_was_reported() -> None:
    assert checked().error == 0
    assert checked().sentence() == (
        "SmolLM2 reported a KV cache of 46,592 tokens in 364 blocks of 128; 46,592 were expected: as estimated."
    )
    off = checked(replace(REPORTED, tokens=50_000, blocks=390))
    assert off.error == pytest.approx(-0.06816)
    assert off.sentence().endswith("46,592 were expected: the estimate was 6.82% too low.")


def test_that_blocks_stand_in_for_tokens_that_an_older_engine_does_not_say() -> None:
    old = checked(ReportedCache(16, 2912, None, None))
    assert (old.reported, old.expected, old.error) == (46_592, 46_592, 0)


def test_that_there_is_nothing_to_compare_without_an_estimate() -> None:
    fit = plan(ask(SMOLLM2 | {"model_type": "mamba"}))
    assert compare(fit, REPORTED, at="", run="r", model="m", context=1) is None


def test_that_checks_are_kept_once_a_run_and_the_oldest_leave(tmp_path: Path) -> None:
    home = Home(tmp_path).make()
    assert read_checks(home) == ()
    for number in range(KEPT + 2):
        keep_check(home, checked(run=str(number)))
        keep_check(home, checked(run=str(number)))
    kept = read_checks(home)
    assert [one.run for one in kept] == [str(number) for number in range(2, KEPT + 2)]
    (home.logs / "fits.json").write_text("[{}]")
    assert read_checks(home) == ()
