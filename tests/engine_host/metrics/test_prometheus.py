from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine_host.metrics.prometheus import PageUnreadable, read_page

if TYPE_CHECKING:
    from engine_host.metrics.samples import MetricSample

PAGES = Path(__file__).parents[2] / "fakes" / "metrics"
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def read(name: str, model: str = "") -> MetricSample:
    (page,) = PAGES.glob(f"{name}*.prom")
    return read_page(page.read_text(encoding="utf-8"), NOON, 1.0, 7.0, model)


def test_that_a_page_of_the_engine_we_install_is_read_whole() -> None:
    sample = read("v1_0.32.0")
    assert (sample.running, sample.waiting, sample.kv_usage) == (0, 0, 0)
    assert (sample.kv_blocks, sample.block_size) == (363, 128)
    assert (sample.prompt_tokens, sample.output_tokens) == (101, 11)
    assert (sample.prefix_queries, sample.prefix_hits, sample.preemptions) == (101, 0, 0)
    assert sample.requests_ok == 3
    assert sample.ttft is not None
    assert sample.ttft.count == 3
    assert sample.inter_token is not None
    assert (sample.inter_token.count, sample.inter_token.counts[-1]) == (8, 8)


@pytest.mark.parametrize(("name", "blocks"), [("kv_cache_usage_perc", 363), ("gpu_cache_usage_perc", 364)])
def test_that_the_block_which_an_engine_keeps_for_itself_is_not_counted(name: str, blocks: int) -> None:
    used = f'vllm:{name}{{engine="0"}} {(blocks - 1) / blocks}'
    sample = read_page(f'{used}\nvllm:cache_config_info{{engine="0",num_gpu_blocks="364"}} 1\n', NOON, 1.0, 7.0)
    assert sample.kv_blocks == blocks
    assert sample.kv_usage is not None
    assert sample.kv_usage * blocks == pytest.approx(blocks - 1)


def test_that_old_names_are_known() -> None:
    sample = read("v0_2024-08", "neuralmagic/Meta-Llama-3.1-8B-Instruct-FP8")
    assert sample.waiting == 2
    assert sample.kv_usage == pytest.approx(0.0026235, rel=1e-4)
    assert sample.inter_token is not None
    assert sample.inter_token.count == 2537
    assert sample.prefix_queries is None


def test_that_the_new_name_wins_when_a_page_has_both() -> None:
    assert read("v1_0.10.0").kv_usage == pytest.approx(9.75e-06, rel=1e-4)
    assert read("v1_0.10.0").prefix_queries == 32


def test_that_models_and_engines_behind_one_page_are_added_up() -> None:
    assert read("v0_2024-08").waiting == 5
    assert read("v1_4engines").running == 32


def test_that_what_is_not_published_is_a_gap_and_never_zero() -> None:
    sample = read("v1_4engines")
    assert sample.kv_usage is sample.prompt_tokens is sample.ttft is sample.kv_blocks is None


@pytest.mark.parametrize("name", ["http200_empty", "headers_only"])
def test_that_a_page_without_vllm_figures_is_refused(name: str) -> None:
    with pytest.raises(PageUnreadable, match="no vLLM figures"):
        read(name)


def test_that_a_broken_line_is_refused() -> None:
    with pytest.raises(PageUnreadable, match="broken off"):
        read_page('vllm:num_requests_running{engine="0', NOON, 1.0, 7.0)


def test_that_not_a_number_is_a_gap() -> None:
    page = 'vllm:num_requests_running{engine="0"} NaN\nvllm:num_requests_waiting{engine="0"} 2\n'
    sample = read_page(page, NOON, 1.0, 7.0)
    assert (sample.running, sample.waiting) == (None, 2)


def test_that_cancelled_requests_do_not_count_as_answered() -> None:
    page = (
        'vllm:request_success_total{finished_reason="stop"} 4\n'
        'vllm:request_success_total{finished_reason="length"} 2\n'
        'vllm:request_success_total{finished_reason="abort"} 9\n'
    )
    assert read_page(page, NOON, 1.0, 7.0).requests_ok == 6
