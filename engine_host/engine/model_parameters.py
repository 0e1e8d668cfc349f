"""How many parameters a plain decoder has, counted from its config. Pure; None where the family has other matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_host.engine.model_attention import Attention, attention_of

if TYPE_CHECKING:
    from engine_host.engine.model_config import ModelConfig

_MATRICES = {"gated": 3, "plain": 2}
_EXPERTS = ("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts")


def count_parameters(config: ModelConfig) -> int | None:
    """Embeddings, attention, feed-forward and norms; within 2 % for the families that name their kind of `mlp`."""
    attention, family = attention_of(config), config.family
    if family is None or family.mlp is None or not isinstance(attention, Attention) or attention.latent:
        return None
    if any(config.text.get(name) for name in _EXPERTS):
        return None
    hidden, heads, vocab = config.hidden, config.heads, config.vocab
    if hidden is None or heads is None or vocab is None:
        return None
    inner = config.intermediate or 4 * hidden
    queries = heads * attention.head_size
    keys = attention.kv_heads * attention.head_size
    layer = 2 * hidden * queries + 2 * hidden * keys + _MATRICES[family.mlp] * hidden * inner + 2 * hidden
    tied = bool(config.text.get("tie_word_embeddings", config.whole.get("tie_word_embeddings", family.tied)))
    return config.layers * layer + vocab * hidden * (1 if tied else 2)


def weights_from_parameters(config: ModelConfig, parameters: int) -> int | None:
    """Bytes as stored; None when they are packed or their dtype is not said."""
    return parameters * config.stored_bytes if config.stored_bytes else None
