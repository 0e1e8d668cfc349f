"""What is asked before a start: this model, with these options, beside what the machine holds now. Records only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_host.engine.fit_reserve import Conversation, bytes_of_dtype

if TYPE_CHECKING:
    from engine_host.engine.model_config import ModelConfig

SERVED_BYTES = 2
"""Of one number where the dtype is 'auto': vLLM serves weights stored in 32 bits in 16."""


@dataclass(frozen=True, slots=True)
class Weights:
    """`size` in bytes as stored, None when nothing says it. `source` says where it was read."""

    size: int | None
    source: str


@dataclass(frozen=True, slots=True)
class Holder:
    """A program that holds memory now."""

    name: str
    pid: int
    size: int


@dataclass(frozen=True, slots=True)
class Device:
    """One GPU, or the memory of the machine. Bytes; `holders` are the largest first."""

    name: str
    total: int
    free: int
    holders: tuple[Holder, ...] = ()


@dataclass(frozen=True, slots=True)
class FitQuestion:
    """`kv_space` in bytes; None = what `utilization` (a share of the device's whole memory) leaves.

    `utilization` and `block_size` None = vLLM's own. `fp8_cache`: this machine can keep the KV cache in 8 bits.
    `uncounted`: what takes memory besides and is not computed. `elsewhere`: it runs on more than this machine.
    `copies` of the model run side by side (data parallel).
    """

    model: str
    config: ModelConfig
    weights: Weights
    on_gpu: bool
    devices: tuple[Device, ...]
    conversation: Conversation
    context: int
    kv_space: int | None = None
    utilization: float | None = None
    kv_dtype: str = "auto"
    dtype: str = "auto"
    block_size: int | None = None
    max_num_seqs: int = 32
    max_num_batched_tokens: int = 2048
    eager: bool = True
    tensor_parallel: int = 1
    pipeline_parallel: int = 1
    copies: int = 1
    fp8_cache: bool = True
    uncounted: tuple[str, ...] = ()
    elsewhere: bool = False

    @property
    def gpus(self) -> int:
        """Of one copy of the model."""
        return self.tensor_parallel * self.pipeline_parallel

    @property
    def served_bytes(self) -> int:
        """Of one weight or activation in memory."""
        return SERVED_BYTES if self.dtype == "auto" else bytes_of_dtype(self.dtype) or SERVED_BYTES

    @property
    def kv_number_bytes(self) -> int | None:
        """Of one number of the KV cache; None = packed with scales, which is not computed."""
        if self.kv_dtype != "auto":
            return bytes_of_dtype(self.kv_dtype)
        return bytes_of_dtype(self.config.kv_dtype) if self.config.kv_dtype else self.served_bytes

    @property
    def weights_in_memory(self) -> int | None:
        """Of all GPUs together."""
        if self.weights.size is None or not self.config.stored_bytes:
            return self.weights.size
        return self.weights.size * self.served_bytes // self.config.stored_bytes
