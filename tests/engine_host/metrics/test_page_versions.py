"""Pages of every age and kind: the right figure, or a gap with a sentence."""

from __future__ import annotations

import math
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine_host.metrics.prometheus import PageUnreadable, read_page
from engine_host.metrics.samples import Histogram, MetricSample
from tests.engine_host.metrics.pages import HEADERS_ONLY, OTHER_PROGRAM, TWO_MODELS, V0, v1

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
SHARED = Path(__file__).parents[4] / "shared" / "data" / "metrics"
OURS = Path(__file__).parents[2] / "fakes" / "metrics"


def read(text: str, model: str = "") -> MetricSample:
    return read_page(text, NOON, 1.0, 7.0, model)


def test_that_names_of_v0_give_the_same_figures() -> None:
    sample = read(V0)
    assert (sample.running, sample.waiting, sample.kv_usage) == (3, 2, 0.25)
    assert (sample.kv_blocks, sample.block_size, sample.kv_tokens) == (400, 16, None)
    assert (sample.prompt_tokens, sample.prompt_computed, sample.prompt_cached) == (90, None, None)
    assert (sample.prefix_queries, sample.prefix_hits) == (64, 16)
    assert sample.inter_token == Histogram((0.1, math.inf), (6, 8), 8, 0.9)
    assert sample.per_token is None
    assert (sample.waiting_reasons, sample.finished, sample.rejections, sample.sleep) == ((), (), None, "")


def test_that_engines_behind_one_page_are_added_up() -> None:
    sample = read(v1(4))
    assert (sample.running, sample.waiting) == (32, 6)
    assert sample.waiting_reasons == (("capacity", 6), ("deferred", 0))
    assert sample.kv_usage == pytest.approx(0.15)
    assert (sample.kv_blocks, sample.block_size, sample.kv_tokens) == (396, 128, 51200)
    assert (sample.prompt_tokens, sample.prompt_computed, sample.prompt_cached) == (400, 240, 160)
    assert (sample.finished, sample.requests_ok) == ((("abort", 4), ("stop", 16)), 16)
    assert (sample.rejections, sample.sleep, sample.faults) == (7, "awake", ())
    assert sample.queue == Histogram((0.3, math.inf), (8, 20), 20, 10)


def test_that_the_new_names_win_where_a_page_has_both_and_nothing_counts_twice() -> None:
    both = V0 + v1().replace('engine="0",', "")
    assert read(both).kv_usage == 0.0
    assert read(both).prompt_cached == 40


def test_that_engines_of_different_size_weigh_by_their_blocks() -> None:
    page = v1(2).replace(
        'engine="1",kv_cache_size_tokens="12800",num_gpu_blocks="100"', 'engine="1",num_gpu_blocks="300"'
    )
    sample = read(page)
    assert (sample.kv_usage, sample.kv_blocks) == (pytest.approx(0.1 * 299 / 398), 398)
    assert sample.kv_tokens is None


def test_that_engines_with_different_buckets_are_not_added_up() -> None:
    page = v1(2).replace('engine="1",le="0.3"', 'engine="1",le="0.5"')
    sample = read(page)
    assert sample.queue is None
    assert "different buckets" in sample.fault("queue")
    assert sample.running == 16


def test_that_one_engine_without_a_figure_leaves_a_gap_and_no_partial_sum() -> None:
    page = v1(3).replace('vllm:prompt_tokens_total{engine="1"', 'other{engine="1"')
    sample = read(page)
    assert sample.prompt_tokens is None
    assert sample.fault("prompt_tokens") == (
        "vllm:prompt_tokens_total is told by 2 of 3 engines on the metrics page only."
    )
    assert sample.prompt_cached == 120


@pytest.mark.parametrize("key", ["running", "waiting"])
def test_that_not_a_number_is_a_gap_with_a_sentence(key: str) -> None:
    page = v1(2).replace(f'vllm:num_requests_{key}{{engine="1",model_name="m"}} {"8.0" if key == "running" else "1.0"}',
                         f'vllm:num_requests_{key}{{engine="1",model_name="m"}} NaN')  # fmt: skip
    sample = read(page)
    assert getattr(sample, key) is None
    assert sample.fault(key) == f"vllm:num_requests_{key} is not a number on the metrics page."


def test_that_a_page_of_several_models_gives_the_one_that_is_asked_for() -> None:
    ours = read(TWO_MODELS, "ours")
    assert (ours.running, ours.kv_usage, ours.prompt_tokens, ours.models) == (3, 0.5, 50, ("ours",))
    theirs = read(TWO_MODELS, "theirs")
    assert (theirs.running, theirs.kv_usage, theirs.prompt_tokens) == (7, None, None)


def test_that_a_page_of_several_models_without_ours_is_summed_where_all_tell() -> None:
    sample = read(TWO_MODELS, "unknown")
    assert (sample.running, sample.waiting, sample.models) == (10, 2, ("ours", "theirs"))
    assert sample.prompt_tokens is None
    assert "1 of 2 models" in sample.fault("prompt_tokens")


def test_that_an_engine_that_sleeps_says_so() -> None:
    page = v1().replace('"awake"} 1.0', '"awake"} 0.0').replace('"weights_offloaded"} 0.0', '"weights_offloaded"} 1.0')
    assert read(page).sleep == "weights_offloaded"


@pytest.mark.parametrize("page", [HEADERS_ONLY, OTHER_PROGRAM, "", "\n"], ids=["headers", "other", "empty", "line"])
def test_that_a_page_without_a_figure_is_refused_with_a_sentence(page: str) -> None:
    with pytest.raises(PageUnreadable, match="no vLLM figures"):
        read(page)


def test_that_the_engine_we_install_publishes_every_figure() -> None:
    (page,) = OURS.glob("v1_0.32.0*.prom")
    sample = read(page.read_text(encoding="utf-8"), "SmolLM2-135M-Instruct")
    unknown = [one.name for one in fields(MetricSample) if getattr(sample, one.name) in (None, "")]
    assert unknown == []
    assert sample.faults == ()
    assert sample.step_tokens is not None
    assert (sample.step_tokens.count, sample.step_tokens.sum) == (11, 112)
    assert (sample.prompt_computed, sample.prompt_cached, sample.kv_tokens) == (101, 0, 46592)


def recorded_pages() -> list[Path]:
    return sorted([*OURS.glob("*.prom"), *SHARED.rglob("*.prom")], key=lambda path: (path.name, str(path)))


@pytest.mark.parametrize("path", recorded_pages(), ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_that_every_recorded_page_gives_what_it_says_or_a_gap(path: Path) -> None:
    """Read here a second time, by plain text: no figure may come out that is not on the page, and none be lost."""
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("vllm:")]
    if not lines:
        with pytest.raises(PageUnreadable):
            read(text)
        return
    sample = read(text)
    for figure, series in (
        ("running", "vllm:num_requests_running"), ("waiting", "vllm:num_requests_waiting"),
        ("prompt_tokens", "vllm:prompt_tokens_total"), ("output_tokens", "vllm:generation_tokens_total"),
    ):  # fmt: skip
        on_page = [float(line.rsplit(" ", 1)[1]) for line in lines if line.split("{")[0] == series]
        told = getattr(sample, figure)
        assert told == (sum(on_page) if on_page else None) or (told is None and sample.fault(figure))
    for one in fields(MetricSample):
        value = getattr(sample, one.name)
        assert not (isinstance(value, float) and (math.isnan(value) or value < 0))
        if isinstance(value, Histogram):
            assert list(value.counts) == sorted(value.counts)
