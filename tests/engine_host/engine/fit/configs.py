"""config.json files written by hand from published figures, and questions about them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine_host.engine.fit import plan
from engine_host.engine.fit_question import Device, FitQuestion, Holder, Weights
from engine_host.engine.fit_reserve import Conversation, Reserve
from engine_host.engine.model_config import config_from

if TYPE_CHECKING:
    from engine_host.engine.fit_result import Fit

GIB = 2**30
NOTHING = Reserve(0, 0, 16, 64, 1.0, 1, 0)
"""No reserve at all: what published figures reckon with."""

QWEN3_06B: dict[str, Any] = {
    "model_type": "qwen3",
    "num_hidden_layers": 28,
    "num_attention_heads": 16,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "hidden_size": 1024,
    "intermediate_size": 3072,
    "vocab_size": 151936,
    "max_position_embeddings": 40960,
    "sliding_window": None,
    "use_sliding_window": False,
    "max_window_layers": 28,
    "tie_word_embeddings": True,
    "torch_dtype": "bfloat16",
}
OPT_13B: dict[str, Any] = {
    "model_type": "opt",
    "num_hidden_layers": 40,
    "num_attention_heads": 40,
    "hidden_size": 5120,
    "ffn_dim": 20480,
    "vocab_size": 50272,
    "max_position_embeddings": 2048,
    "torch_dtype": "float16",
}
LLAMA_8B: dict[str, Any] = {
    "model_type": "llama",
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "vocab_size": 128256,
    "max_position_embeddings": 131072,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
}
TWENTY_BILLION: dict[str, Any] = {
    "model_type": "llama",
    "num_hidden_layers": 50,
    "num_attention_heads": 25,
    "num_key_value_heads": 25,
    "head_dim": 100,
    "max_position_embeddings": 32000,
    "torch_dtype": "float16",
}
"""0.5 MB of KV a token: 2 x 50 layers x 25 heads x 100 numbers x 2 bytes."""

DEEPSEEK_V3: dict[str, Any] = {
    "model_type": "deepseek_v3",
    "num_hidden_layers": 61,
    "num_attention_heads": 128,
    "num_key_value_heads": 128,
    "hidden_size": 7168,
    "kv_lora_rank": 512,
    "qk_rope_head_dim": 64,
    "max_position_embeddings": 163840,
    "torch_dtype": "bfloat16",
}
GEMMA3_4B: dict[str, Any] = {
    "model_type": "gemma3",
    "torch_dtype": "bfloat16",
    "vision_config": {"hidden_size": 1152, "num_hidden_layers": 27},
    "text_config": {
        "model_type": "gemma3_text",
        "hidden_size": 2560,
        "intermediate_size": 10240,
        "num_hidden_layers": 34,
        "sliding_window": 1024,
    },
}
SMOLLM2: dict[str, Any] = {
    "model_type": "llama",
    "num_hidden_layers": 30,
    "num_attention_heads": 9,
    "num_key_value_heads": 3,
    "head_dim": 64,
    "hidden_size": 576,
    "intermediate_size": 1536,
    "vocab_size": 49152,
    "max_position_embeddings": 8192,
    "tie_word_embeddings": True,
    "dtype": "bfloat16",
}

MEMORY = Device("memory", 24 * GIB, 20 * GIB)
GPU = Device("NVIDIA L4", 24 * GIB, 24 * GIB)
HALF_FREE = Device("NVIDIA L4", 24 * GIB, 12 * GIB, (Holder("python", 7, 11 * GIB),))
TALK = Conversation(usual=300, long=700, turns=40)


ON_CPU = Reserve(2 * GIB, 0, 128, 16, 0.92, 1, 1)
ON_GPU = Reserve(GIB, GIB, 16, 64, 0.92, 2, 1)


def plan_it(asked: FitQuestion) -> Fit:
    """With reserves that no measurement moves."""
    return plan(asked, reserve_of(asked))


def reserve_of(asked: FitQuestion) -> Reserve:
    return ON_GPU if asked.on_gpu else ON_CPU


def ask(config: dict[str, Any] = SMOLLM2, **changes: Any) -> FitQuestion:
    """The bundled model on a processor with 20 GiB free, but for the changes."""
    question = FitQuestion(
        model="a model",
        config=config_from(config),
        weights=Weights(269_060_552, "the size of its files"),
        on_gpu=False,
        devices=(MEMORY,),
        conversation=TALK,
        context=4096,
        kv_space=GIB,
    )
    return replace(question, **changes)


def on_gpu(config: dict[str, Any], billions: float, gpus: int = 1, device: Device = GPU, **changes: Any) -> FitQuestion:
    """A model of so many billion parameters of 2 bytes."""
    weights = Weights(int(billions * 2e9), "the size of its files")
    asked = ask(config, weights=weights, on_gpu=True, devices=(device,) * gpus, kv_space=None, eager=False)
    return replace(asked, **changes)
