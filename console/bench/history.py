"""A filled history and how long it takes to open it: for `dabba bench live`."""

from __future__ import annotations

import math
import time
from functools import partial
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

import numpy as np

from console.live.history_reading import ALL, opening_ms
from console.live.history_window import Span
from engine_host.metrics.history import DAY_S, LEVELS, Level
from engine_host.metrics.history_pack import pack
from engine_host.metrics.history_rows import COUNTERS, GAUGES, HISTOGRAMS, SEEN, SUM, Before, HistoryRows, kind_of
from engine_host.metrics.thinning import thin
from storage.queries.metric_samples import keep_block, kept_history

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

    from storage.database import Database

EDGES: Final = 20
"""Buckets of a histogram, about as many as vLLM's have."""
COLUMNS: Final = (
    SEEN, *GAUGES[:4], "kv_blocks", "started", *COUNTERS[:9], *(f"finished[{why}]" for why in ("stop", "length")),
    *(f"{name}[{edge}]" for name in HISTOGRAMS for edge in (*(round(0.01 * 1.6**n, 4) for n in range(EDGES)), "inf")),
    *(name + SUM for name in HISTOGRAMS),
)  # fmt: skip


MIDDLE: Final = {"ttft": 0.4, "inter_token": 0.06, "per_token": 0.07, "queue": 0.1, "prefill": 0.2, "step_tokens": 40.0}
"""Seconds (tokens of a step) of a middling observation; the other histograms have 2.5."""


def busy_rows(first: float, seconds: int, step_s: int, seed: int) -> HistoryRows:
    """A busy engine's samples `step_s` apart. Counters are the same at one moment whatever the step."""
    count = seconds // step_s
    random = np.random.default_rng(seed)
    times = np.floor(first) + np.arange(0.0, count * step_s, step_s)
    values = [_column(number, column, times, random) for number, column in enumerate(COLUMNS)]
    marks = np.zeros(count, dtype=np.int64)
    marks[0] = int(Before.GAP)
    return HistoryRows(times, marks, COLUMNS, np.column_stack(values))


def _column(number: int, column: str, times: NDArray[np.float64], random: np.random.Generator) -> NDArray[np.float64]:
    kind = kind_of(column)
    if kind in GAUGES:
        return random.random(len(times)) if kind == "kv_usage" else random.poisson(16, len(times)).astype(np.float64)
    if kind in COUNTERS:
        return np.floor(_grown(times) * (40 - number))
    if kind in HISTOGRAMS:
        return np.floor(3 * _grown(times) * _share(kind, column))
    return np.ones(len(times))


def _grown(times: NDArray[np.float64]) -> NDArray[np.float64]:
    """One a second, faster at noon than at midnight, and never evenly."""
    day = DAY_S / (2 * math.pi)
    return times % (100 * DAY_S) + 0.5 * day * np.sin(times / day) + 3 * np.sin(times / 7) + 60 * np.sin(times / 300)


def _share(kind: str, column: str) -> float:
    """How much of what a histogram counts lies below this edge."""
    edge = column.partition("[")[2].rstrip("]")
    return 1.0 if edge in {"", "inf"} else 1 - math.exp(-float(edge) / MIDDLE.get(kind, 2.5))


async def fill_history(database: Database, engines: Sequence[str], now: float, days: int = 1) -> None:
    """Keep `days` days of each engine, at each level for as long as it is kept, as the recorder would have left it."""
    for number, engine in enumerate(engines):
        for level in LEVELS:
            kept_s = min(level.kept_s, days * DAY_S)
            rows = busy_rows(now - kept_s, kept_s, level.step_s, number)
            await database.run(partial(_keep, engine, level, rows))


def _keep(engine: str, level: Level, rows: HistoryRows, session: Session) -> None:
    thinned = rows if level.step_s == LEVELS[0].step_s else thin(rows, level.step_s)
    places = np.floor_divide(thinned.times, level.block_s)
    for place in np.unique(places):
        keep_block(session, pack(engine, level.step_s, thinned.part(places == place)))


async def open_day_ms(database: Database, now: float | None = None) -> float:
    """Reading a window of 24 h of all engines together, ready to be drawn."""
    moment = time.time() if now is None else now
    return await opening_ms(database, Span(DAY_S), ALL, ZoneInfo("Asia/Kolkata"), moment)


async def kept_bytes(database: Database) -> int:
    """All blocks, without the database's own share of a page."""
    return sum(one.body_bytes for one in await database.run(kept_history))
