"""The figures of the fit bench, from starts that were measured. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from console.bench.fit.agreement import Agreement
    from engine_host.engine.fit_check import CacheCheck

TARGETS: Final[Mapping[str, str]] = {
    "configs_compared": ">= 200",
    "differ_from_vllm": "== 0",
    "starts": "== 6",
    "kv_error_worst": "<= 0.01",
    "blocks_off_worst": "<= 0",
    "smallest_space_starts": "== 1",
    "a_block_less_is_refused": "== 1",
    "longest_request_off": "<= 0",
}
MIB = 2**20
GIB = 2**30


@dataclass(frozen=True, slots=True)
class Start:
    """One start with a KV cache of `space_gib` in `kv_dtype`. `check` None = the engine did not say its size.

    `held` are the bytes that are the engine's alone when it is ready, `weights` those of its weights.
    """

    space_gib: float
    kv_dtype: str
    check: CacheCheck | None
    held: int
    weights: int


@dataclass(frozen=True, slots=True)
class Edge:
    """The smallest KV space that fit says a request of the whole context needs, in bytes, and one block less.

    With one block less the engine is refused: `longest` is the longest request that fit says it could hold, in tokens,
    `said` what the engine said; None = it was not refused for its cache.
    """

    space: int
    starts: bool
    longest: int
    said: int | None


def figures_of(
    agreement: Agreement, starts: Sequence[Start], edge: Edge | None, processes: int
) -> dict[str, float | None]:
    """`processes`: bytes that fit reckons for vLLM's processes beside weights and KV cache."""
    checks = [one.check for one in starts if one.check]
    each = {f"tokens_{one.space_gib:g}_gib_{one.kv_dtype}": _tokens(one) for one in starts}
    errors = [abs(check.error) for check in checks]
    blocks = [abs(check.blocks_expected - check.blocks_reported) for check in checks]
    held = [one.held - one.weights - int(one.space_gib * GIB) for one in starts]
    return {
        "configs_compared": float(agreement.compared),
        "configs_unknown_here": float(agreement.unread),
        "caches_divided": float(agreement.divided),
        "differ_from_vllm": float(len(agreement.differ)),
        "starts": float(len(checks)),
        **each,
        "kv_error_worst": max(errors, default=None),
        "blocks_off_worst": float(max(blocks)) if blocks else None,
        "smallest_space_mib": edge.space / MIB if edge else None,
        "smallest_space_starts": float(edge.starts) if edge else None,
        "a_block_less_is_refused": float(edge.said is not None) if edge else None,
        "longest_request_off": float(abs(edge.longest - edge.said)) if edge and edge.said is not None else None,
        "processes_mib_least": min(held) / MIB if held else None,
        "processes_mib_most": max(held) / MIB if held else None,
        "processes_mib_reckoned": processes / MIB,
    }


def _tokens(start: Start) -> float | None:
    return float(start.check.reported) if start.check else None
