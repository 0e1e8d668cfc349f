"""What an engine takes that no config.json says: measured or estimated. Data: assets/fit/reserve.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

MIB = 2**20


@dataclass(frozen=True, slots=True)
class Reserve:
    """Bytes of one engine (CPU) or of one GPU. `batches_in_flight`: steps that are computed before one is settled."""

    processes: int
    graphs: int
    block_size: int
    latent_block_size: int
    utilization: float
    batches_in_flight: int
    held_back_blocks: int


@dataclass(frozen=True, slots=True)
class Conversation:
    """Prompt and answer together, in tokens: `usual` the half (p50), `long` 95 of 100 do not pass (p95).

    `turns` were measured; 0 = nobody has asked yet, and these are the program's own default.
    """

    usual: int
    long: int
    turns: int = 0


@cache
def _told() -> dict[str, Any]:
    return tomllib.loads(files("assets").joinpath("fit/reserve.toml").read_text(encoding="utf-8"))


def reserve_for(*, on_gpu: bool) -> Reserve:
    told = _told()["gpu" if on_gpu else "cpu"]
    return Reserve(
        processes=told["processes"] * MIB,
        graphs=told.get("graphs", 0) * MIB,
        block_size=told["block_size"],
        latent_block_size=told["latent_block_size"],
        utilization=told["utilization"],
        batches_in_flight=told["batches_in_flight"],
        held_back_blocks=_told()["engine"]["held_back_blocks"],
    )


def bytes_of_dtype(dtype: str) -> int | None:
    """Of one number; None for a type that is packed with scales, or that is not known here."""
    return _told()["kv_dtypes"].get(dtype)


def default_conversation() -> Conversation:
    told = _told()["conversation"]
    return Conversation(told["usual"], told["long"])
