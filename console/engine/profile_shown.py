"""What the profile form says: the truth about the KV space, and what is wrong with a value. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from console.engine.profile_fields import ALL_ROWS, ChoiceControl, NumberControl
from storage.settings import EngineSettings

if TYPE_CHECKING:
    from console.engine.profile_fields import FieldKey, FieldRow
    from engine_host.engine.models import ModelShape, ModelSpec

GIB: Final = 1024**3
CPU_BLOCK: Final = 128
"""Tokens of a KV block of vLLM on a CPU."""


@dataclass(frozen=True, slots=True)
class KvSpace:
    """How a KV space divides into blocks and conversations of the whole context."""

    blocks: int
    tokens: int
    conversations: int


def kv_space(draft: EngineSettings, shape: ModelShape) -> KvSpace:
    """Only whole blocks count, for the space and for each conversation."""
    blocks = int(draft.kv_space_gib * GIB) // (shape.kv_bytes_per_token * CPU_BLOCK)
    each = -(-draft.max_model_len // CPU_BLOCK)
    return KvSpace(blocks, blocks * CPU_BLOCK, blocks // each)


@dataclass(frozen=True, slots=True)
class TruthShown:
    headline: str
    detail: str


def derive_truth(draft: EngineSettings, model: ModelSpec, *, on_gpu: bool) -> TruthShown:
    """The line over the form, computed from the model's shape."""
    shape = model.shape
    each = f"{shape.kv_bytes_per_token:,} bytes a token"
    if on_gpu:
        whole = shape.kv_bytes_per_token * draft.max_model_len / GIB
        return TruthShown(
            f"A conversation of {draft.max_model_len:,} tokens takes {whole:.2f} GiB of KV",
            f"{each}; on a GPU vLLM uses the memory that is free",
        )
    space = kv_space(draft, shape)
    noun = "conversation" if space.conversations == 1 else "conversations"
    return TruthShown(
        f"{draft.kv_space_gib:.1f} GiB of KV = {space.tokens:,} tokens = "
        f"{space.conversations:,} {noun} of {draft.max_model_len:,}",
        f"{space.blocks:,} blocks of {CPU_BLOCK}, {each}",
    )


def model_note(model: ModelSpec) -> str:
    shape = model.shape
    return (
        f"{shape.layers} layers, {shape.kv_heads} KV heads of {shape.head_size}, {shape.context:,} positions. "
        f"{model.licence}."
    )


def derive_faults(draft: EngineSettings, model: ModelSpec, *, on_gpu: bool) -> dict[FieldKey, str]:
    """A sentence for each option with which vLLM would refuse to start."""
    faults: dict[FieldKey, str] = {}
    space = kv_space(draft, model.shape)
    if draft.max_model_len > model.shape.context:
        faults["max_model_len"] = (
            f"{model.name} reads {model.shape.context:,} tokens at most. Choose a shorter context."
        )
    elif not on_gpu and space.conversations < 1:
        faults["max_model_len"] = (
            f"The KV space holds {space.tokens:,} tokens, less than one context. Shorten it or give more KV space."
        )
    if draft.max_num_batched_tokens < draft.max_num_seqs:
        faults["max_num_batched_tokens"] = (
            f"A step must have room for all {draft.max_num_seqs:,} sequences. Choose {draft.max_num_seqs:,} or more."
        )
    return faults


def fitting_context(draft: EngineSettings, model: ModelSpec) -> int:
    """The longest context that the model reads and the KV space holds, in whole blocks; at least 256."""
    longest = min(kv_space(draft, model.shape).tokens, model.shape.context)
    return max(256, longest // CPU_BLOCK * CPU_BLOCK)


def shorter_context(saved: EngineSettings, model: ModelSpec) -> int:
    """What to try after a start that failed for its context: what fits, or half of what was tried."""
    fits, tried = fitting_context(saved, model), saved.max_model_len
    return fits if fits < tried else max(256, tried // 2 // CPU_BLOCK * CPU_BLOCK)


def default_text(row: FieldRow) -> str:
    return value_text(row, getattr(EngineSettings(), row.key))


def value_text(row: FieldRow, value: float | bool) -> str:
    match row.control:
        case NumberControl(digits=digits):
            return f"{value:,.{digits}f}"
        case ChoiceControl(when_true, when_false):
            return when_true if value else when_false
        case _:
            return "on" if value else "off"


def same_profile(one: EngineSettings, other: EngineSettings) -> bool:
    return all(getattr(one, row.key) == getattr(other, row.key) for row in ALL_ROWS)


def with_profile_of(kept: EngineSettings, draft: EngineSettings) -> EngineSettings:
    """`kept` with the options of the form taken from `draft`; the rest (attach_url, python) stays."""
    return kept.model_copy(update={row.key: getattr(draft, row.key) for row in ALL_ROWS})
