"""Every verdict is a sentence with its reason and the next step."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from engine_host.engine.fit_change import change_that_fits
from engine_host.engine.fit_reserve import default_conversation
from engine_host.engine.fit_words import (
    cache_sentences,
    gib,
    holders_sentence,
    uncounted_sentence,
    verdict_sentence,
)
from tests.engine_host.engine.fit.configs import (
    GIB,
    HALF_FREE,
    LLAMA_8B,
    MEMORY,
    QWEN3_06B,
    SMOLLM2,
    ask,
    on_gpu,
    plan_it,
    reserve_of,
)

if TYPE_CHECKING:
    from engine_host.engine.fit_question import FitQuestion


def said(asked: FitQuestion) -> str:
    fit = plan_it(asked)
    return verdict_sentence(asked, fit, change_that_fits(asked, fit, reserve_of(asked)))


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (ask(), "a model fits: it takes 3.29 GiB of the 20.00 GiB that are free in memory."),
        (
            ask(QWEN3_06B, context=40960, kv_space=4 * GIB),
            (
                "a model does not fit: one request of 40,960 tokens needs 4.39 GiB of KV cache, and it gets 4.00 GiB. "
                "Set the KV space to 4.5 GiB: then it fits."
            ),
        ),
        (
            ask(kv_space=19 * GIB),
            (
                "a model does not fit: it needs 21.29 GiB, and 20.00 GiB is free in memory: 1.29 GiB is missing. "
                "Set the KV space to 17.5 GiB: then it fits."
            ),
        ),
        (
            on_gpu(LLAMA_8B, 8, context=131_072),
            (
                "a model does not fit: one request of 131,072 tokens needs 16.00 GiB of KV cache, and it gets "
                "4.92 GiB. Set max-model-len to 40,192: then it fits."
            ),
        ),
        (
            on_gpu(LLAMA_8B, 8, device=HALF_FREE, context=8192),
            (
                "a model does not fit: the engine would take 22.08 GiB of NVIDIA L4, and only 12.00 GiB of it is free. "
                "End python (process 7), which holds 11.00 GiB: then it fits."
            ),
        ),
        (
            on_gpu(LLAMA_8B, 8, context=8192, tensor_parallel=2),
            (
                "a model does not fit: it wants 2 GPUs, and this machine has 1. "
                "Choose a smaller model, or a machine with more GPUs."
            ),
        ),
        (
            on_gpu(LLAMA_8B, 15, gpus=2, context=8192),
            (
                "a model does not fit: 8.12 GiB of NVIDIA L4 is missing for its weights and the smallest cache. "
                "Set tensor-parallel-size to 2: then it fits."
            ),
        ),
    ],
)
def test_that_a_verdict_says_the_fact_the_reason_and_the_next_step(asked: FitQuestion, sentence: str) -> None:
    assert said(asked) == sentence


def test_that_an_unknown_layout_is_said_with_its_reason() -> None:
    sentence = said(ask(SMOLLM2 | {"model_type": "mamba2"}))
    assert sentence.startswith("Whether a model fits cannot be told: it keeps a state of fixed size")


def test_that_the_cache_is_told_in_tokens_and_in_conversations_of_this_kitchen() -> None:
    cache = plan_it(ask()).cache
    assert cache is not None
    held, many = cache_sentences(ask(), cache)
    assert held == "The KV cache of 1.00 GiB holds 46,592 tokens in 364 blocks of 128 (23,040 bytes a token)."
    assert many == (
        "That is 121 conversations of 300 tokens or 60 of 700, half and 95 of 100 of the last 40 turns here are no "
        "longer; max-num-seqs lets 32 run at once."
    )
    default = cache_sentences(ask(conversation=default_conversation()), cache)[1]
    assert "taken for granted until this kitchen has had 20 turns" in default


def test_that_other_programs_and_what_is_not_counted_are_named() -> None:
    assert holders_sentence(HALF_FREE) == "Other programs hold memory there: python 11.00 GiB (process 7)."
    assert holders_sentence(MEMORY) == ""
    assert uncounted_sentence(replace(ask(), uncounted=("the draft model",))) == "Not counted: the draft model."
    assert (gib(GIB), gib(GIB // 2), gib(0)) == ("1.00 GiB", "512.0 MiB", "0.0 MiB")
