from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_host.metrics.samples import Histogram, MetricSample, Scrape, ScrapeGap
from engine_host.metrics.window import (
    ENGINE_CHANGED,
    Percentiles,
    gauge_points,
    in_window,
    percentiles,
    quantile,
    rate,
    rate_points,
)

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
EDGES = (0.1, 0.5, 1.0, math.inf)


def cumulative(*in_each: float) -> Histogram:
    counts, total = [], 0.0
    for count in in_each:
        total += count
        counts.append(total)
    return Histogram(EDGES, tuple(counts), total, 0.0)


def seen(mono: float, tokens: float | None = None, ttft: Histogram | None = None) -> MetricSample:
    return MetricSample(NOON, mono, 7.0, output_tokens=tokens, ttft=ttft)


def gap(mono: float, reason: str = "It timed out.") -> ScrapeGap:
    return ScrapeGap(NOON, mono, reason)


def tokens(sample: MetricSample) -> float | None:
    return sample.output_tokens


def ttft_of(*scrapes: Scrape) -> Percentiles | None:
    return percentiles(scrapes, lambda sample: sample.ttft)


def test_that_percentiles_come_from_what_happened_in_the_window_only() -> None:
    found = ttft_of(seen(0, ttft=cumulative(100, 0, 0, 0)), seen(10, ttft=cumulative(100, 10, 10, 0)))
    assert found is not None
    assert found.count == 20
    assert found.p50.value == pytest.approx(0.5)
    assert (found.p95.value, found.p95.low, found.p95.high) == (pytest.approx(0.95), 0.5, 1.0)


def test_that_a_percentile_beyond_the_last_edge_says_at_least() -> None:
    found = ttft_of(seen(0, ttft=cumulative(0, 0, 0, 0)), seen(1, ttft=cumulative(0, 0, 1, 99)))
    assert found is not None
    assert (found.p50.value, found.p50.low, found.p50.high) == (1.0, 1.0, math.inf)


def test_that_a_window_in_which_nothing_happened_has_no_percentiles() -> None:
    assert ttft_of(seen(0, ttft=cumulative(5, 0, 0, 0)), seen(1, ttft=cumulative(5, 0, 0, 0))) is None
    assert ttft_of(seen(0, ttft=cumulative(5, 0, 0, 0))) is None
    assert ttft_of(seen(0), seen(1)) is None
    assert ttft_of() is None


def test_that_a_restart_in_the_window_loses_nothing_that_was_seen() -> None:
    found = ttft_of(
        seen(0, ttft=cumulative(50, 0, 0, 0)),
        seen(1, ttft=cumulative(54, 0, 0, 0)),
        seen(2, ttft=cumulative(3, 0, 0, 0)),
        seen(3, ttft=cumulative(5, 0, 0, 0)),
    )
    assert found is not None
    assert found.count == 4 + 3 + 2


@given(st.lists(st.integers(0, 50), min_size=4, max_size=4).filter(any), st.floats(0, 1), st.floats(0, 1))
def test_that_a_quantile_lies_in_its_bucket_and_grows_with_the_share(
    in_each: list[int], one: float, other: float
) -> None:
    histogram = cumulative(*in_each)
    low, high = (quantile(histogram, share) for share in sorted((one, other)))
    assert low.value <= high.value
    assert low.low <= low.value <= low.high


def test_that_a_rate_is_per_second_and_bridges_a_timeout() -> None:
    assert rate([seen(0, 100), seen(1, 150), gap(2), seen(4, 300)], tokens) == pytest.approx(50)


def test_that_a_fallen_counter_counts_from_its_new_beginning() -> None:
    assert rate([seen(0, 1000), seen(1, 30)], tokens) == pytest.approx(30)


def test_that_another_engine_is_never_compared_with_the_one_before() -> None:
    scrapes = [seen(0, 100), seen(1, 110), gap(2, ENGINE_CHANGED), seen(3, 5000), seen(4, 5010)]
    assert rate(scrapes, tokens) == pytest.approx(10)


@pytest.mark.parametrize("scrapes", [[], [seen(0, 5)], [gap(0), gap(1)], [seen(0), seen(1)]])
def test_that_an_unknown_rate_is_none(scrapes: list[Scrape]) -> None:
    assert rate(scrapes, tokens) is None


def test_that_charts_show_gaps_as_gaps() -> None:
    scrapes: list[Scrape] = [seen(0, 0), seen(1, 40), gap(2), seen(3, 120)]
    times, rates = rate_points(scrapes, tokens)
    assert times == [1, 2, 3]
    assert rates[0] == 40
    assert all(math.isnan(value) for value in rates[1:])
    times, values = gauge_points(scrapes, tokens)
    assert times == [0, 1, 2, 3]
    assert math.isnan(values[2])


def test_that_the_window_is_cut_by_the_monotonic_clock() -> None:
    scrapes = [seen(at, at) for at in range(10)]
    assert [one.mono for one in in_window(scrapes, 3, now=8)] == [5, 6, 7, 8]
