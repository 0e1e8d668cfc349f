"""Run by the engine runtime's Python: how vLLM's own code reads a config.json and divides a KV cache. Starts no engine.

On stdin one JSON object: {"configs": [...], "caches": [...]}. On stdout, last, one line of JSON with an answer for each
in order: [layers, KV heads, head size, latent, {kind of layer: [count, span]}], [blocks, tokens, bytes of a request].
A text in the place of an answer says why vLLM has none. Imports nothing of this program.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

KINDS = {"full_attention": "FullAttentionSpec", "sliding_attention": "SlidingWindowSpec"}
CHUNK = "ChunkedLocalAttentionSpec"


def layout(config: dict[str, Any]) -> list[Any]:
    import_module("vllm.config")  # first: the two after it import each other
    reading: Any = import_module("vllm.transformers_utils.config")
    convertors: Any = import_module("vllm.transformers_utils.model_arch_config_convertor")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "config.json").write_text(json.dumps(config))
        whole = reading.get_config(folder, trust_remote_code=False)
    text = reading.get_hf_text_config(whole)
    named = convertors.MODEL_ARCH_CONFIG_CONVERTORS
    convertor = named.get(whole.model_type, convertors.ModelArchConfigConvertorBase)(whole, text)
    layers = convertor.get_num_hidden_layers()
    latent = bool(convertor.is_deepseek_mla())
    heads = 1 if latent else convertor.get_total_num_kv_heads()
    kinds = (
        {"full_attention": [layers, None]} if latent else kinds_of(text, layers)
    )  # these models give MLAAttention no window
    return [layers, heads, convertor.get_head_size(), latent, kinds]


def kinds_of(text: Any, layers: int) -> dict[str, list[int | None]]:
    window, chunk = getattr(text, "sliding_window", None), getattr(text, "attention_chunk_size", None)
    wider = 1 if text.model_type == "cohere2" else 0  # vLLM's commandr.py adds it, its config does not
    spans = {"sliding_attention": window + wider if window else None, "chunked_attention": chunk}
    listed = getattr(text, "layer_types", None) or ["sliding_attention"] * layers
    counts = Counter(kind if spans.get(kind) else "full_attention" for kind in listed[:layers])
    return {kind: [count, spans.get(kind)] for kind, count in counts.items()}


def divided(cache: dict[str, Any]) -> list[int]:
    utils: Any = import_module("vllm.v1.core.kv_cache_utils")
    settings: Any = settings_of(cache)
    groups = utils.get_kv_cache_groups(settings, specs_of(cache))
    made = utils.get_kv_cache_config_from_groups(settings, groups, cache["space"])
    tokens, _ = utils.get_kv_cache_capacity(settings, made)
    return [made.num_blocks, tokens, utils._max_memory_usage_bytes_from_groups(settings, groups)]  # noqa: SLF001


def specs_of(cache: dict[str, Any]) -> dict[str, Any]:
    specs: Any = import_module("vllm.v1.kv_cache_interface")
    torch: Any = import_module("torch")
    dtypes = {1: torch.uint8, 2: torch.bfloat16, 4: torch.float32}
    common = {
        "block_size": cache["block_size"],
        "num_kv_heads": cache["kv_heads"],
        "head_size": cache["head_size"],
        "dtype": dtypes[cache["kv_bytes"]],
        "dcp_sharded": False,
    }
    layers: list[Any] = []
    for kind, (count, span) in cache["kinds"].items():
        name = "MLAAttentionSpec" if cache["latent"] else KINDS.get(kind, CHUNK)
        width = {"SlidingWindowSpec": {"sliding_window": span}, CHUNK: {"attention_chunk_size": span}}.get(name, {})
        layers += [getattr(specs, name)(**common, **width) for _ in range(count)]
    return {f"layer.{number}": layer for number, layer in enumerate(layers)}


def settings_of(cache: dict[str, Any]) -> SimpleNamespace:
    """As much of a VllmConfig as the division looks at."""
    layouts: Any = import_module("vllm.v1.kv_cache_layout")
    layer_by_layer = layouts.KVCacheLayout["LBNHC"]
    return SimpleNamespace(
        scheduler_config=SimpleNamespace(disable_hybrid_kv_cache_manager=False),
        speculative_config=None,
        model_config=SimpleNamespace(max_model_len=cache["context"]),
        parallel_config=SimpleNamespace(
            decode_context_parallel_size=1, tensor_parallel_size=1, pipeline_parallel_size=1
        ),
        cache_config=SimpleNamespace(
            num_gpu_blocks_override=None,
            get_resolved_kv_cache_layout=lambda: layer_by_layer,
            prefix_cache_retention_interval=None,
        ),
        attention_config=SimpleNamespace(hisparse_config=None),
        max_in_flight_tokens=cache["in_flight_tokens"],
        use_v2_model_runner=False,
    )


def answered(ask: Any, question: Any) -> Any:
    try:
        return ask(question)
    except Exception as error:  # noqa: BLE001 - what it cannot do is an answer
        return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    layouts_read = [answered(layout, one) for one in asked["configs"]]
    caches_divided = [answered(divided, one) for one in asked["caches"]]
    sys.stdout.write(f"\n{json.dumps({'layouts': layouts_read, 'caches': caches_divided})}\n")
