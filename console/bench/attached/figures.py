"""What the stretches of `dabba bench attached` say, and how a difference is held against the noise. Pure.

A round is three stretches of the same load: one with the console, two without. The two without differ as stretches
differ by themselves: what 95 of 100 such pairs stay within is the noise. A difference is within it when no value that
its pairs leave possible is larger, either way: the end of the 95 % confidence interval of its mean that lies farther
from 0. So it can't hold because too little was measured: few pairs make a wide interval. Nor because the machine was so
restless that anything would be noise: the noise has a limit of its own.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from console.bench.pairs import mean_interval, noise_of, signed_rank_p

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Statistic = Callable[[Sequence[float]], float]

STATISTICS: Final[Mapping[str, Statistic]] = {
    "p50": lambda values: float(np.percentile(values, 50)),
    "p95": lambda values: float(np.percentile(values, 95)),
    "mean": lambda values: float(np.mean(values)),
}
"""The median does not see a token in fifteen that comes late because of a scrape; p95 and the mean do."""
TARGETS: Final[Mapping[str, str]] = {
    "p50_difference_in_noise": "<= 1",
    "p95_difference_in_noise": "<= 1",
    "mean_difference_in_noise": "<= 1",
    "p50_noise_percent": "<= 5",
    "p95_noise_percent": "<= 10",
    "mean_noise_percent": "<= 5",
    "scrapes_a_second_least": ">= 0.9",
}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Inter-token latencies of all answers in it. With a console: its share of a core, and its scrapes a second."""

    itl_ms: tuple[float, ...]
    cpu_share: float | None = None
    scrapes_a_second: float | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """One stretch with the console and two without it, in whatever order they were measured."""

    attached: Stretch
    alone: Stretch
    again: Stretch

    def difference(self, of: Statistic) -> float:
        """By how many percent it is more with the console than without."""
        return _percent(of(self.attached.itl_ms), of(self.alone.itl_ms))

    def null_difference(self, of: Statistic) -> float:
        """The same of the two without it."""
        return _percent(of(self.again.itl_ms), of(self.alone.itl_ms))


def figures_of(rounds: Sequence[Round], streams: int) -> dict[str, float | None]:
    """None where nothing was measured. A stretch must hold at least one latency."""
    if not rounds:
        return {}
    stretches = [stretch for one in rounds for stretch in (one.attached, one.alone, one.again)]
    shares = [one.attached.cpu_share for one in rounds if one.attached.cpu_share is not None]
    scrapes = [one.attached.scrapes_a_second for one in rounds if one.attached.scrapes_a_second is not None]
    figures: dict[str, float | None] = {
        "pairs": len(rounds),
        "streams": streams,
        "latencies": sum(len(stretch.itl_ms) for stretch in stretches),
    }
    for name, of in STATISTICS.items():
        figures |= _compared(name, of, rounds)
    return figures | {
        "console_cpu_share": statistics.fmean(shares) if shares else None,
        "scrapes_a_second_least": min(scrapes) if len(scrapes) == len(rounds) else None,
    }


def _compared(name: str, of: Statistic, rounds: Sequence[Round]) -> dict[str, float | None]:
    differences = [one.difference(of) for one in rounds]
    null = [one.null_difference(of) for one in rounds]
    noise = noise_of([*null, *(-one for one in null)])  # which of the two was first is chance: both signs count
    interval = mean_interval(differences)
    low, high = interval or (None, None)
    farthest = max(abs(end) for end in interval) if interval else None
    return {
        f"{name}_attached_ms": statistics.median(of(one.attached.itl_ms) for one in rounds),
        f"{name}_alone_ms": statistics.median(of(one.alone.itl_ms) for one in rounds),
        f"{name}_difference_percent": statistics.fmean(differences),
        f"{name}_difference_low_percent": low,
        f"{name}_difference_high_percent": high,
        f"{name}_noise_percent": noise,
        f"{name}_difference_in_noise": farthest / noise if farthest is not None and noise else None,
        f"{name}_difference_p": signed_rank_p(differences),
    }


def _percent(value: float, base: float) -> float:
    return (value / base - 1) * 100
