"""What an engine is started with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine_host.engine.models import ModelSpec
    from storage.settings import EngineSettings


@dataclass(frozen=True, slots=True)
class EngineProfile:
    """`kv_space_gib` counts on a CPU only: on a GPU vLLM takes what is free. `max_queued` waits beyond `max_num_seqs`.

    `extra` are further vLLM flags, as typed by the user.
    """

    name: str
    model: ModelSpec
    kv_space_gib: float = 1.0
    max_num_seqs: int = 32
    max_model_len: int = 4096
    max_num_batched_tokens: int = 2048
    enforce_eager: bool = True
    prefix_caching: bool = True
    max_queued: int = 64
    extra: tuple[str, ...] = ()


def profile_from(settings: EngineSettings, model: ModelSpec, name: str = "cpu-demo") -> EngineProfile:
    """The profile that the settings describe, for `model`."""
    return EngineProfile(
        name=name,
        model=model,
        kv_space_gib=settings.kv_space_gib,
        max_num_seqs=settings.max_num_seqs,
        max_model_len=min(settings.max_model_len, model.shape.context),
        max_num_batched_tokens=settings.max_num_batched_tokens,
        enforce_eager=settings.enforce_eager,
        prefix_caching=settings.prefix_caching,
        max_queued=settings.max_queued,
    )
