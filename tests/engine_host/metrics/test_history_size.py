"""The stated size of 30 days, held against what a page of a real engine takes while all of its figures move."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from engine_host.metrics.history import LEVELS
from engine_host.metrics.history_pack import pack
from engine_host.metrics.history_rows import COUNTERS, GAUGES, HISTOGRAMS, HistoryRows, figures_of, kind_of
from engine_host.metrics.history_size import ROW_BYTES, most_bytes, most_rows
from engine_host.metrics.prometheus import read_page
from engine_host.metrics.thinning import thin

PAGE = Path(__file__).parents[2] / "fakes/metrics/v1_0.32.0_cpu__recorded_here.prom"


def busy(count: int) -> HistoryRows:
    """The recorded page, each counter and bucket growing by another number each second."""
    told = figures_of(read_page(PAGE.read_text(encoding="utf-8"), datetime.now(UTC), 0.0, 5.0))
    random = np.random.default_rng(7)
    columns = tuple(told)
    values = np.tile([told[name] for name in columns], (count, 1))
    for number, column in enumerate(columns):
        kind = kind_of(column)
        if kind in (*COUNTERS, *HISTOGRAMS):
            values[:, number] += np.cumsum(random.poisson(40, count))
        elif kind in GAUGES:
            values[:, number] = random.random(count) * 30
    return HistoryRows(np.arange(float(count)) + 1.79e9, np.zeros(count, dtype=np.int64), columns, values)


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: f"{level.step_s} s")
def test_that_no_sample_takes_more_than_is_stated(level: object) -> None:
    step_s, block_s = next((one.step_s, one.block_s) for one in LEVELS if one is level)
    rows = thin(busy(block_s), step_s) if step_s > 1 else busy(block_s)
    assert len(pack("cpu-demo", step_s, rows).body) / len(rows) <= ROW_BYTES[step_s]


def test_that_30_days_of_an_engine_stay_below_45_megabytes() -> None:
    assert most_bytes(1) <= 45_000_000
    assert most_bytes(3) == pytest.approx(3 * most_bytes(1), abs=3)


def test_that_what_waits_to_be_thinned_is_counted() -> None:
    assert [most_rows(level.step_s) for level in LEVELS] == [3600 + 600, 8640 + 360, 43_200 + 60]
