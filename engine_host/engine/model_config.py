"""A config.json -> what decides the memory of the model. Pure; nothing is guessed: what it can't say stays None."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from engine_host.engine.errors import EngineRoomError
from engine_host.engine.model_types import ModelType, model_type_named, names_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_FLOAT_BYTES = {"float32": 4, "float": 4, "bfloat16": 2, "float16": 2, "half": 2}


class ConfigUnreadable(EngineRoomError):
    """A model's config.json is missing, broken or says nothing about layers."""


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """`text` is the part about the language model, `whole` the file. Sizes are counts, `context` is in tokens.

    `quantisation` is the method that the weights were packed with, `kv_dtype` the one that the file asks for the KV
    cache; None = none. `family` holds the defaults of its `model_type`, None when it is not known here.
    """

    model_type: str
    family: ModelType | None
    text: Mapping[str, Any]
    whole: Mapping[str, Any]
    layers: int
    heads: int | None
    hidden: int | None
    intermediate: int | None
    vocab: int | None
    context: int | None
    dtype: str | None
    quantisation: str | None
    kv_dtype: str | None

    @property
    def stored_bytes(self) -> int | None:
        """Bytes of one weight as it is stored; None when it is not said or packed."""
        return None if self.quantisation else _FLOAT_BYTES.get(self.dtype or "")

    def number(self, figure: str) -> int | None:
        """A whole number under one of the names of `figure`; None when the file has none of them."""
        return whole_number(self.text, names_of(figure))


def read_config(content: str | bytes) -> ModelConfig:
    """Raises ConfigUnreadable for text that is no model's config.json."""
    try:
        read: Any = json.loads(content)
    except ValueError as error:
        raise ConfigUnreadable(
            "The model's config.json cannot be read: it is no JSON. Fetch the model again."
        ) from error
    if not isinstance(read, dict):
        raise ConfigUnreadable("The model's config.json cannot be read: it holds no object. Fetch the model again.")
    return config_from(cast("dict[str, Any]", read))


def config_from(whole: Mapping[str, Any]) -> ModelConfig:
    """Raises ConfigUnreadable when it says nothing about layers."""
    text = _text_part(whole)
    model_type = str(text.get("model_type") or whole.get("model_type") or "")
    family = model_type_named(model_type)
    layers = whole_number(text, names_of("layers"))
    if layers is None:
        raise ConfigUnreadable(
            f"The memory of this model cannot be computed: its config.json (model type {model_type or 'unnamed'}) "
            "does not say how many layers it has. Start it with a small context and see what the engine reports."
        )
    packing = packing_of(whole) or packing_of(text)
    return ModelConfig(
        model_type=model_type,
        family=family,
        text=text,
        whole=whole,
        layers=layers,
        heads=whole_number(text, names_of("heads")) or (family.heads if family else None),
        hidden=whole_number(text, names_of("hidden")),
        intermediate=whole_number(text, names_of("intermediate")),
        vocab=whole_number(text, names_of("vocab")) or (family.vocab if family else None),
        context=whole_number(text, names_of("context")) or (family.context if family else None),
        dtype=_word(text, names_of("dtype")) or _word(whole, names_of("dtype")),
        quantisation=str(packing.get("quant_method") or "unnamed") if packing else None,
        kv_dtype=_kv_dtype(packing),
    )


def whole_number(told: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    for name in names:
        value = told.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
    return None


def packing_of(told: Mapping[str, Any]) -> Mapping[str, Any]:
    """How the weights are packed; empty when they are not."""
    found = told.get("quantization_config") or told.get("compression_config")
    return cast("Mapping[str, Any]", found) if isinstance(found, dict) else {}


def _text_part(whole: Mapping[str, Any]) -> Mapping[str, Any]:
    """Models that see or hear keep their language model one or two levels down."""
    for name in names_of("text"):
        inner = whole.get(name)
        if isinstance(inner, dict):
            return _text_part(cast("Mapping[str, Any]", inner))
    return whole


def _word(told: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    found = next((told[name] for name in names if isinstance(told.get(name), str)), None)
    return str(found).removeprefix("torch.") if found else None


def _kv_dtype(packing: Mapping[str, Any]) -> str | None:
    """What vLLM takes for `--kv-cache-dtype auto` from the way the weights were packed."""
    inner = packing.get("quantization")
    told = cast("Mapping[str, Any]", inner) if isinstance(inner, dict) else packing
    scheme = told.get("kv_cache_scheme") or packing.get("kv_cache_scheme")
    if isinstance(scheme, dict):
        scheme = cast("Mapping[str, Any]", scheme)
        return "fp8" if (scheme.get("num_bits"), scheme.get("type")) == (8, "float") else "packed"
    named = told.get("kv_cache_quant_algo") or packing.get("kv_cache_quant_algo")
    if not isinstance(named, str):
        return None
    return "fp8" if named.lower() == "fp8" else "packed"
