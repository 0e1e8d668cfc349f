"""The KV cache of one engine, block by block, as vLLM 0.32 divides it. Pure.

Source: `vllm/v1/core/kv_cache_utils.py`. Layers of one kind share one table of blocks; where a model has several kinds,
they are cut into groups of equal size that draw their blocks from one pool.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_host.engine.model_attention import Sight

if TYPE_CHECKING:
    from engine_host.engine.model_attention import Attention, LayerKind

_NEARLY_AS_MANY = 1.5


@dataclass(frozen=True, slots=True)
class CacheRules:
    """How the engine is asked to keep its cache. `kv_bytes`: of one number. `in_flight_tokens`: scheduled and not yet
    settled, which layers with a window keep beside it. `held_back`: blocks that are never given out.
    """

    block_size: int
    kv_bytes: int
    in_flight_tokens: int
    held_back: int = 1
    tensor_parallel: int = 1
    pipeline_parallel: int = 1


@dataclass(frozen=True, slots=True)
class CacheShape:
    """The cache of one GPU (or of the processor). `groups` says how many tables of blocks each kind of layer has."""

    rules: CacheRules
    bytes_per_token: int
    block_bytes: int
    groups: tuple[tuple[LayerKind, int], ...]

    def blocks_for(self, tokens: int) -> int:
        """Blocks that one request of `tokens` holds at most."""
        return sum(tables * self._blocks_of(kind, tokens) for kind, tables in self.groups)

    def bytes_for(self, tokens: int) -> int:
        return self.blocks_for(tokens) * self.block_bytes

    def blocks_in(self, space: int) -> int:
        return max(0, space // self.block_bytes)

    def space_for(self, tokens: int) -> int:
        """Bytes of cache with which the engine takes a request of `tokens`: its blocks and those held back."""
        return (self.blocks_for(tokens) + self.rules.held_back) * self.block_bytes

    def tokens_in(self, space: int, context: int) -> int:
        """What vLLM reports as the size of its cache: whole requests of `context` tokens and a part of one."""
        return int(self.blocks_in(space) / self.blocks_for(context) * context)

    def requests_in(self, space: int, tokens: int) -> int:
        """How many requests of `tokens` the cache holds at once."""
        return max(0, self.blocks_in(space) - self.rules.held_back) // self.blocks_for(tokens)

    def longest_in(self, space: int, at_most: int) -> int:
        """The longest request, in tokens, that the engine would take with this cache; 0 when not even one token."""
        low, high = 0, at_most
        while low < high:
            middle = (low + high + 1) // 2
            if self.space_for(middle) <= space:
                low = middle
            else:
                high = middle - 1
        return low

    def _blocks_of(self, kind: LayerKind, tokens: int) -> int:
        rules = self.rules
        if kind.span is None:
            return _parts(tokens, rules.block_size)
        if kind.sight is Sight.CHUNK:
            return _parts(min(kind.span + rules.in_flight_tokens, tokens), rules.block_size)
        # one more: a window seldom begins where a block does
        return _parts(min(kind.span - 1 + rules.in_flight_tokens, tokens), rules.block_size) + 1


def cache_shape(attention: Attention, rules: CacheRules) -> CacheShape:
    """The cache of the GPU that has the most layers: it decides for all."""
    page = _page_numbers(attention, rules.tensor_parallel) * rules.kv_bytes
    counts = [_parts(kind.count, rules.pipeline_parallel) for kind in attention.kinds]
    size = min(counts)
    if max(counts) < size * _NEARLY_AS_MANY:
        size = max(counts)
    groups = tuple((kind, _parts(count, size)) for kind, count in zip(attention.kinds, counts, strict=True))
    return CacheShape(rules, page * sum(counts), page * size * rules.block_size, groups)


def _page_numbers(attention: Attention, tensor_parallel: int) -> int:
    """Numbers that one layer keeps of one token on one GPU: heads are shared out, a head is never cut in two."""
    if attention.latent:
        return attention.numbers_per_token
    return 2 * max(1, attention.kv_heads // tensor_parallel) * attention.head_size


def _parts(count: int, size: int) -> int:
    return -(-count // size)
