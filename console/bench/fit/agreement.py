"""How config.json files are read and KV caches divided here, against vLLM's own code in the engine runtime."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine_host.engine.children import clean_environment
from engine_host.engine.errors import RuntimeUnusable
from engine_host.engine.fit_cache import CacheRules, cache_shape
from engine_host.engine.model_attention import Attention, attention_of
from engine_host.engine.model_config import config_from
from engine_host.engine.model_types import known_types

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine_host.engine.runtime import EngineRuntime

_ASK = Path(__file__).with_name("ask_vllm.py")
_SMALL: Final[Mapping[str, Any]] = {"num_hidden_layers": 12, "hidden_size": 2048, "num_attention_heads": 16}
_HEADS: Final[Mapping[str, Any]] = {"n_head_kv": 2, "num_key_value_heads": 2, "multi_query_group_num": 2}
_VARIATIONS: Final[tuple[Mapping[str, Any], ...]] = (
    {},
    _HEADS,
    {"sliding_window": 777},
    {"sliding_window": None, "use_sliding_window": False},
    {"sliding_window": 512, "use_sliding_window": True, "max_window_layers": 5},
)
_CACHES_EACH: Final = 2
_SEED: Final = 7


@dataclass(frozen=True, slots=True)
class Agreement:
    """`compared` are config.json files, `divided` caches; `differ` tells each that is not as vLLM has it.

    `unread`: vLLM reads it and we say that it is unknown.
    """

    compared: int
    divided: int
    unread: int
    differ: tuple[str, ...]


async def agree(runtime: EngineRuntime) -> Agreement:
    """Every family that is known here, with what its file may say, and caches of each. Takes about 20 s."""
    configs = [{"model_type": name, **_SMALL, **more} for name in known_types() for more in _VARIATIONS]
    layouts = [attention_of(config_from(config)) for config in configs]
    caches = _caches([one for one in layouts if isinstance(one, Attention)])
    told = await _ask(runtime, {"configs": configs, "caches": [asked for asked, _ in caches]})
    ours = [_written(one) if isinstance(one, Attention) else None for one in layouts]
    read = [(c, mine, theirs) for c, mine, theirs in zip(configs, ours, told["layouts"], strict=True) if _is(theirs)]
    divided = [(asked, mine, theirs) for (asked, mine), theirs in zip(caches, told["caches"], strict=True)]
    wrong = [one for one in (*read, *divided) if one[1] is not None and one[1] != one[2]]
    return Agreement(
        compared=sum(mine is not None for _, mine, _ in read),
        divided=len(divided),
        unread=sum(mine is None for _, mine, _ in read),
        differ=tuple(f"{asked}: {mine} here, {theirs} in vLLM" for asked, mine, theirs in wrong),
    )


def _caches(layouts: Sequence[Attention]) -> list[tuple[dict[str, Any], list[int]]]:
    """Questions for vLLM, each with our answer: blocks, tokens, bytes of a request."""
    dice = random.Random(_SEED)  # noqa: S311 - sizes, not secrets
    found: list[tuple[dict[str, Any], list[int]]] = []
    for attention in (one for one in layouts for _ in range(_CACHES_EACH)):
        rules = CacheRules(dice.choice((16, 32, 64, 128)), dice.choice((1, 2, 4)), dice.choice((2048, 16_384)))
        context, space = dice.randint(100, 60_000), dice.randint(2**28, 2**35)
        shape = cache_shape(attention, rules)
        asked = {
            "block_size": rules.block_size,
            "kv_bytes": rules.kv_bytes,
            "in_flight_tokens": rules.in_flight_tokens,
            "context": context,
            "space": space,
            "kv_heads": attention.kv_heads,
            "head_size": attention.head_size,
            "latent": attention.latent,
            "kinds": _kinds(attention),
        }
        found.append((asked, [shape.blocks_in(space), shape.tokens_in(space, context), shape.bytes_for(context)]))
    return found


def _written(attention: Attention) -> list[Any]:
    return [attention.layers, attention.kv_heads, attention.head_size, attention.latent, _kinds(attention)]


def _kinds(attention: Attention) -> dict[str, list[int | None]]:
    return {kind.sight.value: [kind.count, kind.span] for kind in attention.kinds}


def _is(answer: object) -> bool:
    """vLLM has an answer: a text says why it has none, and a family without heads is none that it serves."""
    return isinstance(answer, list) and None not in answer


async def _ask(runtime: EngineRuntime, question: dict[str, Any]) -> dict[str, list[Any]]:
    child = await asyncio.create_subprocess_exec(
        str(runtime.python),
        str(_ASK),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=clean_environment({"HF_HUB_OFFLINE": "1"}),
    )
    said, _ = await child.communicate(json.dumps(question).encode())
    try:
        return json.loads(said.splitlines()[-1])
    except (ValueError, IndexError) as error:
        raise RuntimeUnusable("The engine runtime did not say how vLLM reads configs. Run ./dabba setup.") from error
