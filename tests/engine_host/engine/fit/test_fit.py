"""What fits is told before the start: published cases, every term, and the one change that helps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_host.engine.fit import plan
from engine_host.engine.fit_change import Knob, change_that_fits
from engine_host.engine.fit_question import Device, Holder, Weights
from engine_host.engine.fit_reserve import Conversation
from engine_host.engine.fit_result import Part, Shortage, Verdict
from tests.engine_host.engine.fit.configs import (
    DEEPSEEK_V3,
    GEMMA3_4B,
    GIB,
    GPU,
    HALF_FREE,
    LLAMA_8B,
    MEMORY,
    NOTHING,
    OPT_13B,
    QWEN3_06B,
    SMOLLM2,
    TWENTY_BILLION,
    ask,
    on_gpu,
    plan_it,
    reserve_of,
)


def test_that_qwen3_at_its_whole_context_needs_4_375_gib_and_4_gib_hold_37_376_tokens() -> None:
    fit = plan(ask(QWEN3_06B, context=40960, kv_space=4 * GIB), replace(NOTHING, block_size=128))
    assert fit.cache is not None
    assert fit.cache.shape.bytes_for(40960) == 4.375 * GIB
    assert fit.cache.blocks * 128 == fit.cache.longest == 37_376
    assert (fit.verdict, fit.shortage) == (Verdict.TOO_BIG, Shortage.CACHE)


@pytest.mark.parametrize(("length", "conversations"), [(8_000, 10), (2_000, 40), (16_000, 5)])
def test_that_80_gb_hold_the_published_conversations_of_a_20_billion_model(length: int, conversations: int) -> None:
    card = Device("a card of 80 GB", 80_000_000_000, 80_000_000_000)
    asked = on_gpu(TWENTY_BILLION, 20, device=card, context=16_000, conversation=Conversation(length, length, 1))
    fit = plan(asked, NOTHING)
    assert fit.cache is not None
    assert fit.cache.shape.bytes_per_token == 500_000
    assert fit.cache.usual == conversations


def test_that_opt_13b_takes_800_kib_a_token_and_llama_128_kib() -> None:
    for config, bytes_per_token in ((OPT_13B, 800 * 1024), (LLAMA_8B, 131_072)):
        fit = plan_it(ask(config, context=2048, kv_space=4 * GIB))
        assert fit.cache is not None
        assert fit.cache.shape.bytes_per_token == bytes_per_token


def test_that_the_bundled_model_fits_and_every_term_is_told() -> None:
    fit = plan_it(ask())
    assert fit.verdict is Verdict.FITS
    assert [term.part for term in fit.terms] == list(Part)
    assert all(term.how for term in fit.terms)
    assert fit.needed == sum(term.size for term in fit.terms) < MEMORY.free
    assert fit.cache is not None
    assert (fit.cache.blocks, fit.cache.tokens) == (364, 46_592)
    assert (fit.cache.usual, fit.cache.long, fit.cache.allowed) == (363 // 3, 363 // 6, 32)


def test_that_a_request_of_the_whole_context_needs_one_block_more_than_its_own() -> None:
    block = 2_949_120
    assert plan_it(ask(context=8192, kv_space=64 * block)).shortage is Shortage.CACHE
    assert plan_it(ask(context=8192, kv_space=65 * block)).verdict is Verdict.FITS


def test_that_kv_in_8_bits_holds_twice_the_tokens_and_in_32_bits_half() -> None:
    changes: tuple[dict[str, Any], ...] = ({}, {"kv_dtype": "fp8"}, {"dtype": "float32"})
    caches = [plan_it(ask(**change)).cache for change in changes]
    assert [cache.blocks for cache in caches if cache] == [364, 728, 182]


def test_that_heads_are_shared_out_over_gpus_and_a_latent_vector_is_not() -> None:
    for config, one, four in ((LLAMA_8B, 131_072, 32_768), (DEEPSEEK_V3, 70_272, 70_272)):
        for gpus, expected in ((1, one), (4, four)):
            fit = plan_it(on_gpu(config, 1, gpus=gpus, tensor_parallel=gpus, context=4096))
            assert fit.cache is not None
            assert fit.cache.shape.bytes_per_token == expected
    fit = plan_it(on_gpu(LLAMA_8B, 1, gpus=16, tensor_parallel=16, context=4096))
    assert fit.cache is not None
    assert fit.cache.shape.bytes_per_token == 32 * 2 * 128 * 2, "a head is never cut in two"


def test_that_layers_with_a_window_keep_no_more_than_their_window() -> None:
    """Gemma 3 4B: 5 whole layers and 29 with a window, cut into groups of 5: one table for all, six for the windows."""
    asked = on_gpu(GEMMA3_4B, 4, context=32_768, max_num_batched_tokens=2048)
    fit = plan_it(asked)
    assert fit.cache is not None
    shape = fit.cache.shape
    assert shape.block_bytes == 5 * 16 * 2 * 4 * 256 * 2
    window_blocks = -(-(1024 - 1 + 2 * 2048) // 16) + 1
    assert shape.blocks_for(32_768) == 2048 + 6 * window_blocks
    assert shape.blocks_for(131_072) - shape.blocks_for(32_768) == (131_072 - 32_768) // 16


def test_that_weights_stored_in_32_bits_count_half_and_packed_ones_as_they_are() -> None:
    stored = ask(SMOLLM2 | {"dtype": "float32"}, weights=Weights(1000, "files"))
    assert stored.weights_in_memory == 500
    assert replace(stored, dtype="float32").weights_in_memory == 1000
    packed = SMOLLM2 | {"dtype": "float32", "quantization_config": {"quant_method": "awq"}}
    assert ask(packed, weights=Weights(1000, "files")).weights_in_memory == 1000


def test_that_an_unknown_layout_or_size_is_no_verdict() -> None:
    fit = plan_it(ask(SMOLLM2 | {"model_type": "mamba"}))
    assert (fit.verdict, fit.cache) == (Verdict.UNKNOWN, None)
    assert "Mamba" in fit.reason
    unsaid = plan_it(ask(weights=Weights(None, "the hub does not say the size of its weights")))
    assert unsaid.verdict is Verdict.UNKNOWN
    assert unsaid.cache is not None, "the cache is known all the same: its size was set"
    assert plan_it(on_gpu(LLAMA_8B, 1, weights=Weights(None, "nobody says"))).verdict is Verdict.UNKNOWN
    assert "packed with scales" in plan_it(ask(kv_dtype="nvfp4")).reason


def test_that_copies_want_gpus_of_their_own_and_share_none() -> None:
    asked = on_gpu(LLAMA_8B, 8, gpus=2, context=8192, copies=2)
    assert plan_it(asked).verdict is Verdict.FITS
    assert plan_it(replace(asked, copies=3)).shortage is Shortage.DEVICES
    one = plan_it(on_gpu(LLAMA_8B, 8, context=8192)).cache
    assert plan_it(asked).cache == one


def test_that_parallel_processes_on_a_processor_are_no_promise() -> None:
    fit = plan_it(ask(tensor_parallel=2))
    assert fit.verdict is Verdict.UNKNOWN
    assert "share the memory of this machine" in fit.reason


def test_that_weights_alone_that_are_too_big_are_too_big_whatever_the_layout() -> None:
    asked = on_gpu(LLAMA_8B | {"model_type": "jamba"}, 50)
    assert (plan_it(asked).verdict, plan_it(asked).shortage) == (Verdict.TOO_BIG, Shortage.MEMORY)


@pytest.mark.parametrize(
    ("asked", "shortage", "knob", "value"),
    [
        (ask(QWEN3_06B, context=40960, kv_space=4 * GIB), Shortage.CACHE, Knob.KV_SPACE, 4.5),
        (ask(kv_space=19 * GIB), Shortage.MEMORY, Knob.KV_SPACE, 17.5),
        (ask(kv_space=None), Shortage.SHARE, Knob.UTILIZATION, 0.83),
        (on_gpu(LLAMA_8B, 8, context=131_072), Shortage.CACHE, Knob.CONTEXT, 40_192),
        (on_gpu(LLAMA_8B, 15, gpus=2, context=8192), Shortage.MEMORY, Knob.PARALLEL, 2),
        (on_gpu(LLAMA_8B, 8, device=HALF_FREE, context=8192), Shortage.SHARE, Knob.HOLDER, "python"),
        (on_gpu(LLAMA_8B, 8, context=8192, tensor_parallel=2), Shortage.DEVICES, None, None),
        (on_gpu(LLAMA_8B, 70, context=8192), Shortage.MEMORY, None, None),
    ],
)
def test_that_the_one_change_is_the_mildest_that_helps(
    asked: Any, shortage: Shortage, knob: Knob | None, value: float | str | None
) -> None:
    fit = plan_it(asked)
    assert (fit.verdict, fit.shortage) == (Verdict.TOO_BIG, shortage)
    assert fit.missing > 0
    change = change_that_fits(asked, fit, reserve_of(asked))
    assert (change.knob if change else None, change.value if change else None) == (knob, value)
    assert change is None or change.then.verdict is Verdict.FITS


def test_that_8_bits_are_taken_when_the_context_would_become_shorter_than_conversations() -> None:
    long = Conversation(9_000, 50_000, 10)
    asked = on_gpu(LLAMA_8B, 8, context=60_000, conversation=long)
    change = change_that_fits(asked, plan_it(asked), reserve_of(asked))
    assert change is not None
    assert (change.knob, change.value) == (Knob.KV_DTYPE, "fp8")
    without = replace(asked, fp8_cache=False)
    change = change_that_fits(without, plan_it(without), reserve_of(without))
    assert change is not None
    assert change.knob is Knob.CONTEXT


def test_that_a_smaller_model_is_named_when_nothing_else_helps() -> None:
    asked, smaller = on_gpu(LLAMA_8B, 70, context=8192), on_gpu(QWEN3_06B, 0.6, context=8192)
    change = change_that_fits(asked, plan_it(asked), reserve_of(asked), smaller=(replace(smaller, model="Qwen3-0.6B"),))
    assert change is not None
    assert (change.knob, change.value) == (Knob.MODEL, "Qwen3-0.6B")


@given(
    context=st.integers(128, 40_960),
    space=st.one_of(st.none(), st.integers(1, 40 * GIB)),
    free=st.integers(GIB, 24 * GIB),
    billions=st.floats(0.1, 40),
    gpus=st.sampled_from([1, 2, 4]),
    block=st.sampled_from([16, 32, 128]),
)
@settings(max_examples=300, deadline=None)
def test_that_what_is_named_fits_and_what_fits_needs_nothing(
    context: int, space: int | None, free: int, billions: float, gpus: int, block: int
) -> None:
    device = replace(GPU, free=free, holders=(Holder("other", 9, 24 * GIB - free),))
    asked = on_gpu(QWEN3_06B, billions, gpus=gpus, device=device, context=context, kv_space=space, block_size=block)
    fit = plan_it(asked)
    change = change_that_fits(asked, fit, reserve_of(asked))
    if fit.verdict is Verdict.FITS:
        assert change is None
        assert fit.cache is not None
        assert fit.cache.longest >= context
        assert fit.needed <= free
        assert fit.cache.blocks * fit.cache.shape.block_bytes <= fit.cache.space
    else:
        assert fit.missing > 0
        assert change is None or change.then.verdict is Verdict.FITS
