"""How keys and values are kept is read as vLLM reads it, and is said to be unknown where it can't be read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine_host.engine.model_attention import Attention, LayerKind, Sight, Unknown, attention_of
from engine_host.engine.model_config import ConfigUnreadable, config_from, read_config
from tests.engine_host.engine.fit.configs import DEEPSEEK_V3, GEMMA3_4B, LLAMA_8B, OPT_13B, QWEN3_06B

ALL = Sight.ALL


def layout(config: dict[str, Any]) -> Attention:
    found = attention_of(config_from(config))
    assert isinstance(found, Attention)
    return found


def reason(config: dict[str, Any]) -> str:
    found = attention_of(config_from(config))
    assert isinstance(found, Unknown)
    return found.reason


def per_token(config: dict[str, Any], number_bytes: int = 2) -> int:
    found = layout(config)
    return found.layers * found.numbers_per_token * number_bytes


@pytest.mark.parametrize(
    ("config", "number_bytes", "bytes_per_token"),
    [
        (QWEN3_06B, 2, 114_688),
        (OPT_13B, 2, 800 * 1024),
        (LLAMA_8B, 2, 131_072),
        (LLAMA_8B, 1, 65_536),
        (LLAMA_8B | {"num_hidden_layers": 126, "num_attention_heads": 128, "hidden_size": 16384}, 2, 516_096),
        (LLAMA_8B | {"num_hidden_layers": 80, "num_attention_heads": 64, "hidden_size": 8192}, 2, 327_680),
        (DEEPSEEK_V3, 2, 70_272),
    ],
)
def test_that_published_bytes_of_a_token_are_met(
    config: dict[str, Any], number_bytes: int, bytes_per_token: int
) -> None:
    assert per_token(config, number_bytes) == bytes_per_token


def test_that_a_missing_head_count_means_one_for_each_attention_head_only_where_the_family_says_so() -> None:
    llama = {key: value for key, value in LLAMA_8B.items() if key != "num_key_value_heads"}
    assert layout(llama).kv_heads == 32
    assert layout(llama | {"model_type": "mistral", "sliding_window": None}).kv_heads == 8
    assert "does not say KV heads" in reason(llama | {"model_type": "brand_new"})


@pytest.mark.parametrize(
    ("told", "kv_heads"),
    [
        ({"multi_query": True}, 1),
        ({}, 1),
        ({"multi_query": False}, 71),
        ({"new_decoder_architecture": True, "num_kv_heads": 8}, 8),
    ],
)
def test_that_falcon_shares_one_head_unless_it_says_otherwise(told: dict[str, Any], kv_heads: int) -> None:
    falcon = {"model_type": "falcon", "num_hidden_layers": 32, "num_attention_heads": 71, "hidden_size": 4544}
    assert layout(falcon | told).kv_heads == kv_heads
    assert layout(falcon | told).head_size == 64


def test_that_starcoder_keeps_one_head_under_its_own_names() -> None:
    config = {"model_type": "gpt_bigcode", "n_layer": 40, "n_head": 48, "n_embd": 6144}
    assert layout(config) == Attention(1, 128, (LayerKind(ALL, 40),))
    assert layout(config | {"multi_query": False}).kv_heads == 48


def test_that_a_nested_language_model_is_found_with_the_defaults_of_its_family() -> None:
    assert layout(GEMMA3_4B) == Attention(4, 256, (LayerKind(Sight.WINDOW, 29, 1024), LayerKind(ALL, 5)))


def test_that_windows_count_only_where_the_family_turns_them_on() -> None:
    qwen2 = QWEN3_06B | {"model_type": "qwen2", "sliding_window": 4096}
    assert layout(qwen2).kinds == (LayerKind(ALL, 28),)
    turned_on = qwen2 | {"use_sliding_window": True, "max_window_layers": 20}
    assert layout(turned_on).kinds == (LayerKind(ALL, 20), LayerKind(Sight.WINDOW, 8, 4096))
    mistral = LLAMA_8B | {"model_type": "mistral"}
    assert layout(mistral).kinds == (LayerKind(Sight.WINDOW, 32, 4096),)
    assert layout(mistral | {"sliding_window": None}).kinds == (LayerKind(ALL, 32),)


def test_that_a_list_of_layers_decides_over_the_pattern_of_the_family() -> None:
    kinds = ["sliding_attention", "full_attention"] * 12
    gpt_oss = {"model_type": "gpt_oss", "num_hidden_layers": 24, "num_attention_heads": 64, "hidden_size": 2880}
    expected = (LayerKind(Sight.WINDOW, 12, 128), LayerKind(ALL, 12))
    assert layout(gpt_oss | {"layer_types": kinds, "sliding_window": 128}).kinds == expected
    assert layout(gpt_oss).kinds == expected
    assert layout(gpt_oss | {"layer_types": ["full_attention"] * 24}).kinds == (LayerKind(ALL, 24),)


def test_that_pieces_of_llama_4_are_told_from_whole_layers() -> None:
    llama4 = {"model_type": "llama4_text", "num_hidden_layers": 48, "num_attention_heads": 40, "hidden_size": 5120}
    assert layout(llama4).kinds == (LayerKind(Sight.CHUNK, 36, 8192), LayerKind(ALL, 12))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"model_type": "mamba2"}, "Mamba"),
        ({"model_type": "jamba"}, "Mamba"),
        ({"model_type": "qwen3_next"}, "linear attention"),
        ({"model_type": "deepseek_v32"}, "sparse attention"),
        ({"mamba_d_state": 128}, "Mamba"),
        ({"index_topk": 2048}, "sparse attention"),
        ({"is_encoder_decoder": True}, "encoder"),
        ({"num_kv_shared_layers": 10}, "share"),
        ({"kv_lora_rank": 512}, "MLA"),
        ({"model_type": "brand_new", "sliding_window": 512}, "which layers of model type brand_new"),
        ({"layer_types": ["full_attention", "linear_attention"] * 16}, "linear_attention"),
        ({"num_key_value_heads": [2, 4, 8]}, "as one number"),
    ],
)
def test_that_what_cannot_be_computed_is_said_with_its_reason(change: dict[str, Any], words: str) -> None:
    assert words in reason(LLAMA_8B | change)


def test_that_the_dtype_of_the_cache_is_read_from_the_packing_of_the_weights() -> None:
    packed = LLAMA_8B | {"quantization_config": {"quant_method": "modelopt", "kv_cache_quant_algo": "FP8"}}
    assert (config_from(packed).quantisation, config_from(packed).kv_dtype) == ("modelopt", "fp8")
    scheme = {"num_bits": 8, "type": "float"}
    compressed = {"quant_method": "compressed-tensors", "kv_cache_scheme": scheme}
    assert config_from(LLAMA_8B | {"quantization_config": compressed}).kv_dtype == "fp8"
    awq = config_from(LLAMA_8B | {"quantization_config": {"quant_method": "awq", "bits": 4}})
    assert (awq.quantisation, awq.kv_dtype, awq.stored_bytes) == ("awq", None, None)
    assert config_from(LLAMA_8B).stored_bytes == 2


@pytest.mark.parametrize("content", ["", "[1]", '{"model_type": "llama"}', '{"architectures": ["X"'])
def test_that_a_file_that_says_nothing_is_refused_with_a_sentence(content: str) -> None:
    with pytest.raises(ConfigUnreadable, match=r"\. .*\.$"):
        read_config(content)


def test_that_a_file_is_read_as_it_is_written() -> None:
    assert read_config(json.dumps(LLAMA_8B)).layers == 32


def test_that_windows_that_no_file_lists_are_unknown_where_the_family_has_an_order_of_its_own() -> None:
    smollm3 = LLAMA_8B | {"model_type": "smollm3", "sliding_window": 512, "use_sliding_window": True}
    assert "which layers of model type smollm3" in reason(smollm3)
    assert layout(smollm3 | {"use_sliding_window": False}).kinds == (LayerKind(ALL, 32),)
    listed = ["full_attention", "sliding_attention"] * 16
    assert layout(smollm3 | {"layer_types": listed}).kinds == (LayerKind(ALL, 16), LayerKind(Sight.WINDOW, 16, 512))


def test_that_a_latent_vector_is_kept_whole_whatever_window_the_file_names() -> None:
    assert layout(DEEPSEEK_V3 | {"sliding_window": 512}).kinds == (LayerKind(ALL, 61),)
