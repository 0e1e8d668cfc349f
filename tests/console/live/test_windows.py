from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from console.live.tracks import EngineHistory
from console.live.windows import (
    SHARES,
    Observations,
    bucket_percentiles,
    bucket_quantile,
    exact_percentiles,
    growth,
    nearest_rank,
    pace,
    rates,
    spread_rates,
)
from engine_host.metrics.samples import MetricSample, Scrape
from engine_host.metrics.window import in_window, percentiles
from tests.console.live.scrapes import EDGES, T0, buckets, gap, other_engine, sample


def history(scrapes: list[Scrape]) -> EngineHistory:
    made = EngineHistory()
    for scrape in scrapes:
        made.add(scrape)
    return made


def test_that_counters_go_on_after_a_restart() -> None:
    rows = history(
        [sample(0, output_tokens=100.0), sample(1, output_tokens=130.0), sample(2, output_tokens=10.0)]
    ).rows()
    assert rows.figures["output"].tolist() == [0.0, 30.0, 40.0]


def test_that_the_counts_of_another_engine_are_no_growth() -> None:
    rows = history([sample(0, output_tokens=5.0), other_engine(1), sample(2, output_tokens=9000.0)]).rows()
    assert rows.figures["output"].tolist() == [0.0, 0.0]


def test_that_a_series_that_is_not_published_stays_unknown() -> None:
    rows = history([sample(0, running=1.0), sample(1, running=2.0)]).rows()
    assert np.isnan(rows.figures["kv_usage"]).all()
    assert rows.known("running")
    assert not rows.known("kv_usage")
    assert rows.histograms["ttft"] is None


def test_that_a_histogram_that_came_late_has_unknown_rows_before() -> None:
    rows = history([sample(0), sample(1, ttft=buckets(0, 0, 0, 0, 0)), sample(2, ttft=buckets(1, 0, 0, 0, 0))]).rows()
    told = rows.histograms["ttft"]
    assert told is not None
    assert np.isnan(told.counts[0]).all()
    assert told.counts[2, -1] == 1.0


def test_that_the_ring_keeps_only_an_hour() -> None:
    rows = history([sample(second, running=float(second)) for second in range(7300)]).rows()
    assert len(rows.times) == 3600
    assert rows.figures["running"][-1] == 7299.0


def random_scrapes(seed: int) -> list[Scrape]:
    dice = Random(seed)
    counts = [0.0] * len(EDGES)
    made: list[Scrape] = []
    for second in range(120):
        if dice.random() < 0.05:
            made.append(gap(second))
            continue
        if sum(counts) > 40 and dice.random() < 0.1:  # begins again, and its total is seen to fall
            counts = [0.0] * len(EDGES)
        counts = [count + dice.randint(0, 3) * (dice.random() < 0.4) for count in counts]
        made.append(sample(second, ttft=buckets(*counts)))
    return made


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("window_s", [10.0, 60.0])
def test_that_all_moments_together_say_what_the_engine_room_says_of_each(seed: int, window_s: float) -> None:
    scrapes = random_scrapes(seed)
    rows = history(scrapes).rows()
    told = rows.histograms["ttft"]
    assert told is not None
    found = bucket_percentiles(rows.times, told, window_s, SHARES, T0)
    samples = [one for one in scrapes if isinstance(one, MetricSample)]
    for number, one in enumerate(samples):
        wanted = percentiles(in_window(scrapes, window_s, one.mono), lambda s: s.ttft)
        if wanted is None:
            assert np.isnan(found[number]).all()
        else:
            assert found[number].tolist() == pytest.approx([wanted.p50.value, wanted.p95.value, wanted.p99.value])
            newest = bucket_quantile(rows.times, told, window_s, 0.95, one.at.timestamp())
            assert newest is not None
            assert (newest.low, newest.high) == (wanted.p95.low, wanted.p95.high)


def test_that_a_rate_over_a_gap_is_not_known() -> None:
    found = rates(np.array([0.0, 1.0, 5.0, 6.0]), np.array([0.0, 10.0, 50.0, 70.0]), 1.0)
    assert np.isnan(found[[0, 2]]).all()
    assert found[[1, 3]].tolist() == [10.0, 20.0]


def test_that_a_rate_is_the_mean_since_the_gap_at_most() -> None:
    found = rates(np.array([0.0, 5.0, 6.0, 7.0]), np.array([0.0, 100.0, 110.0, 140.0]), 10.0)
    assert found[2:].tolist() == [10.0, 20.0]
    assert len(rates(np.empty(0), np.empty(0), 5.0)) == 0


def test_that_samples_a_little_further_apart_than_the_span_of_a_mean_leave_no_hole() -> None:
    found = rates(np.array([0.0, 1.003, 2.001, 3.002, 8.0]), np.array([0.0, 10.03, 20.01, 30.02, 99.0]), 1.0)
    assert found[1:4].tolist() == pytest.approx([10.0, 10.0, 10.0])
    assert np.isnan(found[[0, 4]]).all()


def test_that_growth_and_pace_need_two_sights() -> None:
    times, grown = np.array([0.0, 1.0, 2.0]), np.array([0.0, 10.0, 40.0])
    assert growth(times, grown, 10.0, 2.0) == 40.0
    assert pace(times, grown, 10.0, 2.0) == 20.0
    assert growth(times, grown, 0.5, 2.0) is None
    assert pace(times, grown, 0.5, 2.0) is None


@pytest.mark.parametrize(("share", "value"), [(0.5, 10.0), (0.95, 19.0), (0.99, 20.0)])
def test_that_exact_percentiles_are_by_nearest_rank(share: float, value: float) -> None:
    assert nearest_rank(np.arange(1.0, 21.0), share) == value


def test_that_exact_percentiles_need_enough_turns_and_forget_old_ones() -> None:
    seen = Observations(np.array([1.0, 2.0, 3.0, 50.0]), np.array([0.1, 0.2, 0.3, 9.0]))
    found = exact_percentiles(seen, np.array([2.0, 3.0, 50.0]), 10.0, (0.5,), least=3)
    assert math.isnan(found[0, 0])
    assert found[1, 0] == 0.2
    assert math.isnan(found[2, 0])


def test_that_a_long_chart_still_ends_with_the_newest_percentile() -> None:
    seen = Observations(np.array([3599.0]), np.array([7.0]))
    found = exact_percentiles(seen, np.arange(3601.0), 60.0, (0.5,), least=1)
    assert found[-1, 0] == 7.0
    assert math.isnan(found[0, 0])


def test_that_spread_tokens_add_up_and_lie_where_they_were_made() -> None:
    starts, ends, tokens = np.array([0.5, 2.0]), np.array([2.5, 2.0]), np.array([20.0, 1.0])
    found = spread_rates(starts, ends, tokens, np.arange(1.0, 5.0), 1.0)
    assert found.tolist() == pytest.approx([5.0, 10.0, 6.0, 0.0])
    assert spread_rates(np.empty(0), np.empty(0), np.empty(0), np.arange(2.0), 1.0).tolist() == [0.0, 0.0]
