"""What is known before a start: each part in bytes, the cache in tokens and conversations, what is missing. Records."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine_host.engine.fit_cache import CacheShape
    from engine_host.engine.fit_question import Device


class Part(StrEnum):
    WEIGHTS = "weights"
    PROCESSES = "processes"
    ACTIVATIONS = "activations"
    GRAPHS = "graphs"
    CACHE = "kv cache"


class Verdict(StrEnum):
    FITS = "fits"
    TOO_BIG = "too big"
    UNKNOWN = "unknown"


class Shortage(StrEnum):
    """MEMORY: all parts together are more than is free. SHARE: the engine would take a larger share of the device than
    is free, and refuses to start. CACHE: the cache is smaller than one request of the full context. DEVICES: it wants
    more GPUs than there are.
    """

    MEMORY = "memory"
    SHARE = "share"
    CACHE = "cache"
    DEVICES = "devices"


@dataclass(frozen=True, slots=True)
class Term:
    """`how` says where the figure comes from."""

    part: Part
    size: int
    how: str


@dataclass(frozen=True, slots=True)
class CachePlan:
    """The cache of one device. `space` in bytes, `longest` in tokens: the longest request that the engine would take.

    `usual` and `long` count conversations of that length at once; `allowed` is what max-num-seqs lets run.
    """

    shape: CacheShape
    space: int
    blocks: int
    tokens: int
    longest: int
    request_space: int
    usual: int
    long: int
    allowed: int


@dataclass(frozen=True, slots=True)
class Fit:
    """`device` is the one with the least free memory of those that are used; sizes are of one device.

    `missing` in bytes, or in GPUs for DEVICES. `reason` says why it is UNKNOWN, as the rest of 'because'.
    """

    verdict: Verdict
    device: Device | None
    terms: tuple[Term, ...]
    cache: CachePlan | None = None
    shortage: Shortage | None = None
    missing: int = 0
    reason: str = ""

    @property
    def needed(self) -> int:
        """Bytes on the device, the cache included."""
        return sum(term.size for term in self.terms)
