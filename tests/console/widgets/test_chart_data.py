"""The numbers behind a chart: round ticks, gaps, steps, rings, thinning without losing a peak."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.widgets.chart_data import (
    SampleRing,
    as_steps,
    broken_at,
    clipped,
    find_gaps,
    thinned,
    tick_text,
    time_ticks,
    value_at,
    value_ticks,
)


@pytest.mark.parametrize(
    ("highest", "ticks"),
    [
        (36, (0, 10, 20, 30, 40)),
        (1.65, (0, 0.5, 1, 1.5, 2)),
        (333, (0, 100, 200, 300, 400)),
        (416, (0, 100, 200, 300, 400, 500)),
        (45e6, (0, 10e6, 20e6, 30e6, 40e6, 50e6)),
    ],
)
def test_that_the_axis_ends_at_a_round_value_above_the_data(highest: float, ticks: tuple[float, ...]) -> None:
    assert value_ticks(highest) == pytest.approx(ticks)


@given(st.floats(min_value=1e-6, max_value=1e12))
def test_that_an_axis_has_four_to_six_values_and_room_above(highest: float) -> None:
    ticks = value_ticks(highest)
    assert 4 <= len(ticks) <= 6
    assert ticks[0] == 0
    assert highest < ticks[-1] <= highest * 2.6


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (0.5, "0.5"), (400, "400"), (1500, "1.5k"), (250e3, "250k"), (10e6, "10 M"), (-2, "\u22122")],
)
def test_that_ticks_are_written_short(value: float, text: str) -> None:
    assert tick_text(value) == text


def test_that_time_labels_stand_at_whole_minutes_of_the_wall_clock() -> None:
    offset = 5.5 * 3600
    ticks = time_ticks(1_796_022_550.0, 1_796_022_850.0, 390, offset)
    assert 3 <= len(ticks) <= 5
    assert all((tick + offset) % 60 == 0 for tick in ticks)


def test_that_a_narrow_chart_has_fewer_time_labels() -> None:
    assert len(time_ticks(0, 3600, 200, 0)) < len(time_ticks(0, 3600, 900, 0))


def test_that_nothing_is_drawn_over_a_gap() -> None:
    times = np.array([0.0, 1.0, 2.0, 10.0, 11.0])
    assert find_gaps(times, 2.5) == ((2.0, 10.0),)
    broken, values = broken_at(times, np.ones(5), [(2.0, 10.0)])
    assert np.isnan(values[3])
    assert 2.0 < broken[3] < 2.1  # a count's step ends where the gap begins
    assert list(values[~np.isnan(values)]) == [1, 1, 1, 1, 1]


def test_that_a_sample_inside_a_gap_is_left_out() -> None:
    _, values = broken_at(np.arange(5.0), np.arange(5.0), [(1.0, 3.0)])
    assert list(values[~np.isnan(values)]) == [0, 1, 3, 4]


def test_that_a_step_holds_until_the_next_sample() -> None:
    times, values = as_steps(np.array([0.0, 1.0, 2.0]), np.array([5.0, 7.0, 6.0]))
    assert list(times) == [0, 1, 1, 2, 2]
    assert list(values) == [5, 5, 7, 7, 6]


def test_that_clipping_keeps_one_sample_at_each_side() -> None:
    times, _ = clipped(np.arange(100.0), np.arange(100.0), 10.5, 20.5)
    assert (times[0], times[-1]) == (10, 21)


def test_that_thinning_loses_no_peak_and_no_gap() -> None:
    values = np.zeros(3600)
    values[1234] = 9.0
    values[2000:2010] = np.nan
    times, thin = thinned(np.arange(3600.0), values, 300)
    assert len(thin) < 1000
    assert np.nanmax(thin) == 9
    assert np.isnan(thin).any()
    assert (np.diff(times) > 0).all()


def test_that_a_short_curve_is_not_thinned() -> None:
    times, _ = thinned(np.arange(300.0), np.zeros(300), 400)
    assert len(times) == 300


def test_that_a_value_is_known_only_near_a_sample() -> None:
    times, values = np.array([0.0, 1.0, 2.0, 10.0]), np.array([1.0, np.nan, 3.0, 4.0])
    assert value_at(times, values, 2.2) == 3
    assert value_at(times, values, 1.1) is None
    assert value_at(times, values, 6.0) is None
    assert value_at(times[:0], values[:0], 1.0) is None


def test_that_a_ring_keeps_the_newest_samples_in_order() -> None:
    ring = SampleRing(("running", "waiting"), capacity=4)
    for number in range(11):
        ring.append(float(number), {"running": number * 2.0, "waiting": None})
    assert list(ring.times) == [7, 8, 9, 10]
    assert list(ring.values("running")) == [14, 16, 18, 20]
    assert np.isnan(ring.values("waiting")).all()
    assert ring.times.dtype == np.float64
