"""The latency panel: the percentiles of one of the times that a request spends, and how sure they are. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from console.live.charts_shown import ChartShown, missing_words, seconds_of
from console.live.view import edge_words
from console.live.windows import (
    LONGEST_STEP_S,
    SHARES,
    Observations,
    bucket_bounds,
    bucket_percentiles,
    bucket_quantile,
    exact_percentiles,
)
from console.promises import INTER_TOKEN_PROMISE_S, TTFT_PROMISE_S
from console.widgets.chart_data import Line
from engine_host.metrics import names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from console.live.charts_shown import Series
    from console.live.reading import LiveRead
    from console.live.tracks import HistogramRows
    from console.live.view import View

LEAST_TURNS: Final = 20
"""With fewer ended turns in the window the 95th of them says nothing: the engine's buckets are shown instead."""
PERCENTILES: Final = ("p50", "p95", "p99")
EDGES: Final = ("low", "high")


@dataclass(frozen=True, slots=True)
class Latency:
    """`own` names what our turns measure, exactly, beside the engine; `promise_s` None = nothing was promised."""

    key: str
    name: str
    names: names.Names
    own: str = "own turns"
    promise_s: float | None = None
    milliseconds: bool = False

    @property
    def scale(self) -> float:
        return 1000.0 if self.milliseconds else 1.0

    @property
    def unit(self) -> str:
        return "ms" if self.milliseconds else "s"

    @property
    def promise(self) -> tuple[float, str] | None:
        """In the unit of the chart, with its words."""
        if self.promise_s is None:
            return None
        value = self.promise_s * self.scale
        return value, f"SLO {value:.0f} ms" if self.milliseconds else f"SLO {value:.2f} s"


_MEAN: Final = "own means"
LATENCIES: Final[Mapping[str, Latency]] = {
    one.key: one
    for one in (
        Latency("ttft", "Time to first token", names.TTFT, promise_s=TTFT_PROMISE_S),
        Latency(
            "inter_token", "Inter-token latency", names.INTER_TOKEN, _MEAN, INTER_TOKEN_PROMISE_S, milliseconds=True
        ),
        Latency("per_token", "Time per output token", names.PER_TOKEN, _MEAN, milliseconds=True),
        Latency("queue", "Queue time", names.QUEUE),
        Latency("prefill", "Prefill time", names.PREFILL),
        Latency("decode", "Decode time", names.DECODE),
        Latency("e2e", "Whole request", names.E2E, "own whole turns"),
    )
}


def lines_of_latency(latency: Latency) -> tuple[Line, ...]:
    """The percentiles, and dashed without a name the edges of the bucket that holds the engine's own p95."""
    digits = 0 if latency.milliseconds else 2
    return (
        Line("p50", "p50", "second", digits=digits),
        Line("p95", "p95", "main", digits=digits),
        Line("p99", "p99", "third", digits=digits),
        *(Line(key, "", "ghost", digits=digits) for key in EDGES),
    )


def derive_latency(read: LiveRead, view: View, key: str) -> ChartShown:
    """Our own turns where enough of them ended, else the engine's buckets; beside either the edges of its p95."""
    latency, seen = LATENCIES[key], read.ledger.seen[key]
    rows = _rows(read, key)
    unit = f"{latency.unit}, {view.window_words}, "
    edges: Series = {} if rows is None else _edges(read, view, rows, latency.scale)
    engine = "" if rows is None else _engine_words(read, view, rows, latency)
    if has_own_turns(seen, view.window_s, read.now):
        grid = seconds_of(read, view)
        found = exact_percentiles(seen, grid, view.window_s, SHARES, LEAST_TURNS) * latency.scale
        return ChartShown({**_columns(grid, found), **edges}, unit + latency.own, engine, scraped=False)
    if key not in read.rows.histograms:
        return ChartShown(unit=latency.unit)  # it was chosen since this was read
    if rows is None:
        return ChartShown(missing=missing_words(read, key, latency.names))
    since = read.now - view.span_s - LONGEST_STEP_S
    found = bucket_percentiles(read.rows.times, rows, view.window_s, SHARES, since) * latency.scale
    times = read.rows.times[len(read.rows.times) - len(found) :]
    return ChartShown({**_columns(times, found), **edges}, unit + "by the engine", engine)


def has_own_turns(seen: Observations, window_s: float, now: float) -> bool:
    return len(seen.inside(window_s, now)) >= LEAST_TURNS


def _rows(read: LiveRead, key: str) -> HistogramRows | None:
    """None when the engine does not publish it now."""
    rows = read.rows.histograms.get(key)
    return None if rows is None or np.isnan(rows.counts[-1:]).all() else rows


def _edges(read: LiveRead, view: View, rows: HistogramRows, scale: float) -> Series:
    """In the last bucket there is no upper one."""
    since = read.now - view.span_s - LONGEST_STEP_S
    found = bucket_bounds(read.rows.times, rows, view.window_s, SHARES[1], since) * scale
    times = read.rows.times[len(read.rows.times) - len(found) :]
    return {key: (times, found[:, number]) for number, key in enumerate(EDGES)}


def _engine_words(read: LiveRead, view: View, rows: HistogramRows, latency: Latency) -> str:
    found = bucket_quantile(read.rows.times, rows, view.window_s, SHARES[1], read.now)
    return f"engine {edge_words(found.low, found.high, latency.scale, latency.unit)}" if found else ""


def _columns(times: NDArray[np.float64], found: NDArray[np.float64]) -> Series:
    return {name: (times, found[:, number]) for number, name in enumerate(PERCENTILES)}
