from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from console.live.helps import HELPS
from console.live.latency_shown import LATENCIES, derive_latency, lines_of_latency
from console.live.ledger import EXACT, ledger_rows
from console.live.steps_shown import derive_steps, derive_tokens_in
from console.live.tracks import EngineHistory
from console.live.windows import bucket_bounds, bucket_percentiles, bucket_quantile
from engine_host.metrics.samples import Histogram
from tests.console.live.scrapes import T0, buckets, sample
from tests.console.live.test_shown import VIEW, reading, turns


def test_that_every_latency_is_read_explained_and_measured_by_our_own_turns() -> None:
    figures = set(EngineHistory().rows().histograms)
    assert set(LATENCIES) == figures == set(EXACT)
    assert set(LATENCIES) <= HELPS.keys()
    assert all(one.names[0] in HELPS[one.key] for one in LATENCIES.values())


@pytest.mark.parametrize("key", list(LATENCIES))
def test_that_each_latency_has_percentiles_with_the_edges_of_the_bucket(key: str) -> None:
    before, after = sample(0, **{key: buckets(0, 0, 0, 0, 0)}), sample(1, **{key: buckets(0, 0, 10, 0, 0)})
    shown = derive_latency(reading(before, after), VIEW, key)
    scale = LATENCIES[key].scale
    assert (shown.data["low"][1][-1], shown.data["high"][1][-1]) == (0.5 * scale, 1.0 * scale)
    assert 0.5 * scale < shown.data["p95"][1][-1] <= 1.0 * scale
    assert {line.key for line in lines_of_latency(LATENCIES[key])} == shown.data.keys()


def test_that_the_last_bucket_has_no_upper_edge() -> None:
    read = reading(sample(0, ttft=buckets(0, 0, 0, 0, 0)), sample(1, ttft=buckets(0, 0, 0, 0, 10)))
    shown = derive_latency(read, VIEW, "ttft")
    assert shown.note == "engine over 2.5 s"
    assert shown.data["low"][1][-1] == 2.5
    assert math.isnan(shown.data["high"][1][-1])


def test_that_own_turns_stand_beside_the_engines_bucket() -> None:
    scrapes = (sample(0, ttft=buckets(0, 0, 0, 0, 0)), sample(40, ttft=buckets(0, 0, 20, 0, 0)))
    shown = derive_latency(reading(*scrapes, ledger=ledger_rows(turns(20), T0 + 40)), VIEW, "ttft")
    assert shown.data["p95"][1][-1] == pytest.approx(0.58)
    assert (shown.note, shown.data["high"][1][-1]) == ("engine 0.5 to 1.0 s", 1.0)


def test_that_a_time_that_was_not_read_yet_is_empty_and_not_called_missing() -> None:
    history = EngineHistory()
    history.add(sample(0))
    read = reading(sample(0))
    early = type(read)(read.now, read.engine, history.rows(("ttft",)), read.newest, None)
    assert derive_latency(early, VIEW, "queue").missing == ""
    assert "vllm:request_queue_time_seconds" in derive_latency(read, VIEW, "queue").missing


def test_that_a_fault_of_the_page_stands_in_place_of_its_chart() -> None:
    read = reading(sample(0, faults=(("ttft", "It cannot be added up."),)))
    assert derive_latency(read, VIEW, "ttft").missing == "It cannot be added up."


def test_that_bounds_hold_the_percentile_of_every_row() -> None:
    scrapes = [sample(n, ttft=buckets(n, 2 * n, n % 7 + n, n // 3, n // 20)) for n in range(60)]
    told = reading(*scrapes).rows
    rows = told.histograms["ttft"]
    assert rows is not None
    values = bucket_percentiles(told.times, rows, 10.0, [0.95], T0)[:, 0]
    bounds = bucket_bounds(told.times, rows, 10.0, 0.95, T0)
    known = ~np.isnan(values)
    assert (bounds[known, 0] <= values[known]).all()
    assert (values[known] <= np.nan_to_num(bounds[known, 1], nan=np.inf)).all()
    last = bucket_quantile(told.times, rows, 10.0, 0.95, T0 + 59)
    assert last is not None
    assert bounds[-1, 0] == last.low


# Tokens in, and steps


def told(second: float, **figures: Any) -> Any:
    counts = {"prompt_tokens": 100.0 * second, "prompt_computed": 30.0 * second, "prompt_cached": 70.0 * second}
    steps = Histogram((1.0, math.inf), (0.0, 10.0 * second), 10.0 * second, 240.0 * second)
    return sample(second, **({**counts, "step_tokens": steps} | figures))


def test_that_tokens_in_are_computed_and_cached_ones() -> None:
    shown = derive_tokens_in(reading(told(0), told(1), told(2)), VIEW)
    assert {key: values[1][-1] for key, values in shown.data.items()} == {"prompt": 100, "computed": 30, "cached": 70}
    assert shown.note == "70 % cached"


def test_that_an_engine_that_does_not_part_its_tokens_shows_only_the_whole() -> None:
    shown = derive_tokens_in(reading(*(told(n, prompt_computed=None) for n in range(3))), VIEW)
    assert list(shown.data) == ["prompt"]
    assert shown.note == "cached ones are not told apart"


def test_that_tokens_a_step_are_a_mean_and_nothing_while_no_step_is_made() -> None:
    shown = derive_steps(reading(told(0), told(1), told(2)), VIEW)
    assert shown.data["tokens"][1][-1] == 24.0
    assert shown.note == "10.0 steps/s in 1 min"
    still = derive_steps(reading(told(2), sample(3, step_tokens=told(2).step_tokens)), VIEW)
    assert math.isnan(still.data["tokens"][1][-1])


@pytest.mark.parametrize(
    ("derive", "name"),
    [(derive_tokens_in, "vllm:prompt_tokens_total"), (derive_steps, "vllm:iteration_tokens_total")],
    ids=["in", "steps"],
)
def test_that_a_missing_series_is_named(derive: Any, name: str) -> None:
    assert name in derive(reading(sample(0)), VIEW).missing
