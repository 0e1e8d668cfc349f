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


def busy_rows(first: float, seconds: int, step_s: int, seed: int) -> HistoryRows:
    """A busy engine's samples `step_s` apart, each figure moving all the time: what packs worst."""
    count = seconds // step_s
    random = np.random.default_rng(seed)
    wave = 1 + np.sin(np.arange(count) * step_s * 2 * math.pi / DAY_S)
    values = [_column(column, wave, step_s, random) for column in COLUMNS]
    times = first + np.arange(0.0, count * step_s, step_s)
    marks = np.zeros(count, dtype=np.int64)
    marks[0] = int(Before.GAP)
    return HistoryRows(times, marks, COLUMNS, np.column_stack(values))


def _column(column: str, wave: NDArray[np.float64], step_s: int, random: np.random.Generator) -> NDArray[np.float64]:
    kind = kind_of(column)
    if kind in GAUGES:
        return random.random(len(wave)) if kind == "kv_usage" else random.poisson(16 * wave).astype(np.float64)
    if kind in COUNTERS:
        return np.cumsum(random.poisson(200 * wave * step_s)).astype(np.float64)
    if kind in HISTOGRAMS:
        seen = np.cumsum(random.poisson(60 * wave * step_s)).astype(np.float64)
        return seen if column.endswith((SUM, "inf]")) else np.floor(seen * _share(column))
    return np.ones(len(wave))


def _share(column: str) -> float:
    """How much of what a histogram counts lies below this edge."""
    return float(column.partition("[")[2].rstrip("]")) / (0.01 * 1.6**EDGES)


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
