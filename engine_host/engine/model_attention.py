"""How a model keeps keys and values, layer by layer, read from its config; or why that can't be told. Pure.

The rules are those of vLLM 0.32 (`ModelArchConfigConvertor`, `Attention.get_kv_cache_spec`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, cast

from engine_host.engine.model_config import whole_number
from engine_host.engine.model_types import ModelType, signs_of_the_unknown

if TYPE_CHECKING:
    from engine_host.engine.model_config import ModelConfig

_UNLISTED = ModelType()
_QWEN_FIRST_WINDOW = 28  # what its configuration class takes when the file names none


class Sight(StrEnum):
    """What a layer looks back on: everything, the last `span` tokens, or its own piece of `span` tokens."""

    ALL = "full_attention"
    WINDOW = "sliding_attention"
    CHUNK = "chunked_attention"


@dataclass(frozen=True, slots=True)
class LayerKind:
    """`span` is in tokens, None for ALL."""

    sight: Sight
    count: int
    span: int | None = None


@dataclass(frozen=True, slots=True)
class Attention:
    """`latent`: one vector of `head_size` numbers a token and layer, the same on every GPU (MLA), in the place of
    keys and values of `kv_heads` heads.
    """

    kv_heads: int
    head_size: int
    kinds: tuple[LayerKind, ...]
    latent: bool = False

    @property
    def layers(self) -> int:
        return sum(kind.count for kind in self.kinds)

    @property
    def numbers_per_token(self) -> int:
        """Numbers that one layer keeps of one token, all heads together."""
        return self.head_size if self.latent else 2 * self.kv_heads * self.head_size


@dataclass(frozen=True, slots=True)
class Unknown:
    """`reason` is the rest of a sentence that begins with 'because'."""

    reason: str


def attention_of(config: ModelConfig) -> Attention | Unknown:
    """The KV layout of every layer, or why it is not known."""
    family = config.family
    if family is not None and family.unknown:
        return Unknown(family.unknown)
    if config.whole.get("is_encoder_decoder"):
        return Unknown("it has an encoder beside the decoder, and the engine keeps a cache for both")
    for sign, reason in signs_of_the_unknown().items():
        if config.text.get(sign):
            return Unknown(reason)
    if config.text.get("num_kv_shared_layers"):
        return Unknown("some of its layers share the KV cache of others")
    if family is not None and family.latent:
        return _latent(config, family)
    kinds = _kinds(config, family)
    return kinds if isinstance(kinds, Unknown) else _heads(config, family, kinds)


def _latent(config: ModelConfig, family: ModelType) -> Attention | Unknown:
    """vLLM keeps all of it in every layer, whatever window the file names."""
    rank = whole_number(config.text, ("kv_lora_rank",)) or family.latent_size
    rope = whole_number(config.text, ("qk_rope_head_dim",)) or family.rope_size
    if rank is None or rope is None:
        return Unknown("its config.json does not say how wide its compressed keys and values are (kv_lora_rank)")
    return Attention(1, rank + rope, (LayerKind(Sight.ALL, config.layers),), latent=True)


def _heads(config: ModelConfig, family: ModelType | None, kinds: tuple[LayerKind, ...]) -> Attention | Unknown:
    if config.text.get("kv_lora_rank"):
        return Unknown(f"it compresses keys and values (MLA), and its model type {config.model_type} is not known here")
    kv_heads = _kv_heads(config, family)
    if kv_heads is None:
        return _unsaid("KV heads", config)
    head_size = config.number("head_size") or (family.head_size if family else None)
    if head_size is None:
        if config.hidden is None or config.heads is None:
            return _unsaid("the size of a head", config)
        head_size = config.hidden // config.heads
    return Attention(kv_heads, head_size, kinds)


def _kv_heads(config: ModelConfig, family: ModelType | None) -> int | None:
    shares_one = config.text.get("multi_query", True)
    if config.model_type == "falcon" and shares_one and not config.text.get("new_decoder_architecture"):
        return 1
    if isinstance(config.text.get("num_key_value_heads"), list):
        return None
    told = config.number("kv_heads")
    if told is not None or family is None:
        return told
    if config.model_type == "gpt_bigcode" and shares_one:
        return 1
    return family.kv_heads or config.heads


def _unsaid(what: str, config: ModelConfig) -> Unknown:
    named = f"model type {config.model_type}" if config.model_type else "a model type that it does not name"
    return Unknown(f"its config.json does not say {what} as one number, and the defaults of {named} are not known here")


def _kinds(config: ModelConfig, family: ModelType | None) -> tuple[LayerKind, ...] | Unknown:
    listed = config.text.get("layer_types")
    if isinstance(listed, list) and listed:
        return _listed_kinds(config, family, [str(one) for one in cast("list[Any]", listed)])
    chunk = whole_number(config.text, ("attention_chunk_size",)) or (family.chunk if family else None)
    window = _window(config, family)
    if chunk is None and window is None:
        return (LayerKind(Sight.ALL, config.layers),)
    if family is None or family.windows_unlisted:
        return Unknown(
            f"it looks back on a window of {window or chunk:,} tokens, and which layers of model type "
            f"{config.model_type or 'unnamed'} do so is not known here"
        )
    near = LayerKind(Sight.CHUNK, 1, chunk) if chunk else LayerKind(Sight.WINDOW, 1, window)
    return _merged(
        [near if _is_near(config, family, layer) else LayerKind(Sight.ALL, 1) for layer in range(config.layers)]
    )


def _listed_kinds(config: ModelConfig, family: ModelType | None, listed: list[str]) -> tuple[LayerKind, ...] | Unknown:
    spans = {
        Sight.ALL: None,
        Sight.WINDOW: _window(config, family),
        Sight.CHUNK: whole_number(config.text, ("attention_chunk_size",)) or (family.chunk if family else None),
    }
    if strange := sorted({one for one in listed if one not in spans}):
        return Unknown(f"some of its layers are of the kind {strange[0]}, whose memory is not known here")
    sights = [Sight(one) for one in listed[: config.layers]]
    for sight in set(sights) - {Sight.ALL}:
        if spans[sight] is None:
            return Unknown(f"some of its layers are of the kind {sight.value}, and no width of it is said")
    return _merged([LayerKind(sight, 1, spans[sight]) for sight in sights])


def _window(config: ModelConfig, family: ModelType | None) -> int | None:
    """Tokens that a windowed layer sees; None = it sees everything. A window of null is none, a missing one the
    family's own."""
    known = family or _UNLISTED
    if known.window_switch and not config.text.get(known.window_switch, False):
        return None
    if "sliding_window" not in config.text:
        return known.window + known.wider_window if known.window else None
    told = whole_number(config.text, ("sliding_window",))
    return told + known.wider_window if told else None


def _is_near(config: ModelConfig, family: ModelType, layer: int) -> bool:
    pattern = whole_number(config.text, ("sliding_window_pattern", "_sliding_window_pattern")) or family.pattern
    if pattern:
        return (layer + 1) % pattern != 0
    return layer >= int(config.text.get(family.first_window, _QWEN_FIRST_WINDOW)) if family.first_window else True


def _merged(kinds: list[LayerKind]) -> tuple[LayerKind, ...]:
    counts = Counter((kind.sight, kind.span) for kind in kinds)
    return tuple(LayerKind(sight, count, span) for (sight, span), count in counts.items())
