"""Which of several engines gets the next request. Pure.

An engine that answers its health checks comes before one that is stalled, one with free places and KV blocks before one
where requests wait; then the one with the fewest requests for its weight, then the one whose KV is emptier.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from engine_host.engine.state import EngineStatus
from engine_host.metrics.samples import MetricSample

if TYPE_CHECKING:
    from engine_host.metrics.samples import Scrape

KV_FULL = 0.9
"""Fraction of the KV blocks from which the next long prompt may push a running answer out."""


@dataclass(frozen=True, slots=True)
class Load:
    """What an engine has to do. `ours` are streams of this program, counted at once; `others` and `waiting` are
    requests by its own metrics, and `kv` is the used fraction of its blocks: None where it publishes none.
    """

    ours: int = 0
    others: int = 0
    waiting: int = 0
    kv: float | None = None

    @property
    def requests(self) -> int:
        return self.ours + self.others

    @property
    def is_full(self) -> bool:
        return self.waiting > 0 or (self.kv or 0.0) >= KV_FULL


@dataclass(frozen=True, slots=True)
class Candidate:
    """An engine that can answer. `weight` is how many requests it is given for one of an engine of weight 1."""

    status: EngineStatus
    load: Load
    weight: float = 1.0

    def rank(self) -> tuple[bool, bool, float, float]:
        """The engine with the least rank comes first."""
        stalled = self.status is EngineStatus.STALLED
        return (stalled, self.load.is_full, (self.load.requests + 1) / self.weight, self.load.kv or 0.0)


def load_from(scrape: Scrape | None, ours: int, ours_then: int) -> Load:
    """`ours` are our streams now, `ours_then` those at the time of the scrape: the engine counted them too."""
    if not isinstance(scrape, MetricSample):
        return Load(ours)
    waiting = round(scrape.waiting or 0.0)
    counted = round(scrape.running or 0.0) + waiting
    return Load(ours, max(0, counted - ours_then), waiting, scrape.kv_usage)


def family(model: str) -> str:
    """What two served names have in common when they serve one model: its name without owner and number format."""
    name = model.rstrip("/").rsplit("/", 1)[-1].casefold()
    while (ending := next((one for one in _formats() if name.endswith(one)), "")) and ending != name:
        name = name.removesuffix(ending)
    return name


@cache
def _formats() -> tuple[str, ...]:
    text = files("assets").joinpath("engine/model_names.toml").read_text(encoding="utf-8")
    formats: list[str] = tomllib.loads(text)["number_formats"]
    return tuple(mark + one for one in formats for mark in ("-", "_", "."))
