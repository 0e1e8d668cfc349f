"""The judge of the Live page: raw metrics pages and raw turns to figures, by a parser and arithmetic of its own.

It knows nothing of the program.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from tests.fakes.recorded_load import RUNS, SECONDS, RawTurn, RecordedLoad

if TYPE_CHECKING:
    from collections.abc import Sequence

WINDOW, SMOOTH, PACE = 60, 5, 10
"""Seconds: of percentiles and shares, of the rates in a chart of five minutes, of the rate in a tile."""
Pages = list[tuple[int, dict[tuple[str, str], float]]]


@cache
def parsed(text: str) -> dict[tuple[str, str], float]:
    """(series, its own label's value) -> number; the labels of every series are left out."""
    found: dict[tuple[str, str], float] = {}
    for line in text.splitlines():
        match = re.fullmatch(r"([\w:]+)(?:\{(.*)\})? (\S+)", line)
        assert match, line
        labels = dict(re.findall(r'(\w+)="([^"]*)"', match[2] or ""))
        own = "|".join(value for key, value in labels.items() if key not in ("engine", "model_name"))
        found[match[1].removeprefix("vllm:"), own] = float(match[3])
    return found


@dataclass(frozen=True)
class Judge:
    """Of the engines in `which`, at the last second of the record."""

    load: RecordedLoad
    which: tuple[int, ...]

    def pages(self, number: int, since: int) -> Pages:
        told = enumerate(self.load.engines[number].pages)
        return [(second, parsed(page)) for second, page in told if page is not None and second >= since]

    def now(self, name: str, own: str = "") -> float:
        return sum(self.pages(number, SECONDS)[-1][1][name, own] for number in self.which)

    def grown(self, name: str, over: int, own: str = "") -> float:
        """A fall is another process: what it counted since is growth."""
        total = 0.0
        for number in self.which:
            values = [page[name, own] for _, page in self.pages(number, SECONDS - over)]
            total += sum(after - before if after >= before else after for before, after in pairwise(values))
        return total

    def bucket(self, name: str, share: float) -> tuple[float, float]:
        """The edges around this share of what was observed in the window, by the raw counts."""
        edges = [own for series, own in self.pages(0, SECONDS)[-1][1] if series == f"{name}_bucket"]
        counts = [self.grown(f"{name}_bucket", WINDOW, own) for own in edges]
        place = next(n for n, count in enumerate(counts) if count >= share * counts[-1])
        return (float(edges[place - 1]) if place else 0.0), float(edges[place].replace("+Inf", "inf"))

    def true_values(self, name: str) -> list[float]:
        return [
            value
            for number in self.which
            for moment, value in self.load.engines[number].observed[name]
            if SECONDS - WINDOW < moment <= SECONDS
        ]

    def turns(self) -> list[RawTurn]:
        runs = {RUNS[number] for number in self.which}
        return [turn for turn in self.load.turns if turn.run in runs and turn.ended <= SECONDS]

    def ended(self) -> list[RawTurn]:
        return [turn for turn in self.turns() if turn.ended > SECONDS - WINDOW]


def ranked(values: Sequence[float], share: float) -> float:
    """The smallest value that so many do not pass."""
    return sorted(values)[math.ceil(share * len(values)) - 1]
