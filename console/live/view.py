"""What a person chose to see: the window of percentiles and the span of the charts. Words for both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

UNKNOWN: Final = "–"
ALL: Final = "all"
WINDOWS: Final = {"10": "10 s", "60": "1 min", "300": "5 min", "900": "15 min", "3600": "60 min"}
SPANS: Final = {"60": "1 minute", "300": "5 minutes", "900": "15 minutes", "1800": "30 minutes", "3600": "60 minutes"}


@dataclass(frozen=True, slots=True)
class View:
    """`window_s`: percentiles, the prefix hit and the table are over so long. `span_s`: how much the charts show.

    `engine` is the key of the engine that is shown, ALL = all of them added up. `latency` is the time that the latency
    panel shows.
    """

    window_s: float = 60.0
    span_s: float = 300.0
    engine: str = ALL
    latency: str = "ttft"

    @property
    def window_words(self) -> str:
        return WINDOWS[f"{self.window_s:.0f}"]


def whole(number: float | None) -> str:
    return UNKNOWN if number is None else f"{number:,.0f}"


def decimals(number: float | None, digits: int) -> str:
    return UNKNOWN if number is None else f"{number:,.{digits}f}"


def edge_words(low: float, high: float, scale: float = 1.0, unit: str = "s") -> str:
    """The bucket in which the engine counted: "1.0 to 2.5 s", "over 80 s"."""
    if high == float("inf"):
        return f"over {_edge(low * scale)} {unit}"
    return f"{_edge(low * scale)} to {_edge(high * scale)} {unit}"


def _edge(value: float) -> str:
    rounded = round(value, 4)
    return f"{rounded:g}" if rounded >= 10 or rounded != int(rounded) else f"{rounded:.1f}"


def age_words(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
