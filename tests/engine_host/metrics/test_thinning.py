from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine_host.metrics.history_figures import Slotted
from engine_host.metrics.history_pack import pack, unpack
from engine_host.metrics.history_rows import HIGH, LOW, NO_ROWS, Before, HistoryRows, joined, rows_of
from engine_host.metrics.thinning import MOST_GAPS, thin
from tests.engine_host.metrics.history_samples import T0, buckets, seconds


def growing(number: int) -> dict[str, Any]:
    return {"running": float(number % 7), "output_tokens": 10.0 * number, "ttft": buckets(number, number, 1, 0)}


def grown(rows: HistoryRows, edges: list[float]) -> list[float]:
    return Slotted(rows, np.array(edges)).growth("output_tokens")[0].tolist()


def test_that_a_slot_is_one_row_at_the_time_of_its_last_sample() -> None:
    rows = thin(seconds(60, growing), 10)
    assert (rows.times - T0).tolist() == [9, 19, 29, 39, 49, 59]
    assert rows.column("output_tokens").tolist() == [90, 190, 290, 390, 490, 590]


def test_that_a_gauge_keeps_its_mean_its_lowest_and_its_highest() -> None:
    rows = thin(seconds(10, lambda n: {"running": 32.0 if n == 4 else 2.0}), 10)
    assert rows.column("running").tolist() == [5.0]
    assert rows.column("running" + LOW).tolist() == [2.0]
    assert rows.column("running" + HIGH).tolist() == [32.0]


def test_that_thinning_twice_says_the_same_as_thinning_once() -> None:
    fine = seconds(600, growing)
    once, twice = thin(fine, 60), thin(thin(fine, 10), 60)
    assert set(once.columns) == set(twice.columns)
    for column in once.columns:
        np.testing.assert_allclose(once.column(column), twice.column(column))


def test_that_a_restart_inside_a_slot_loses_and_invents_no_token() -> None:
    """100 a second, at second 35 the engine begins again: at 40 it has passed nothing of what it had."""

    def told(number: int) -> dict[str, Any]:
        return {"output_tokens": 100.0 * (number if number < 35 else number - 35)}

    fine = seconds(61, told, {35: int(Before.RESTART)})
    for rows in (fine, thin(fine, 10)):
        assert grown(rows, [T0 + 10, T0 + 60]) == [24 * 100 + 25 * 100]


def test_that_the_first_counts_of_another_engine_are_no_growth() -> None:
    fine = seconds(61, lambda n: {"output_tokens": 10.0 * n if n < 30 else 1e9 + 10.0 * n}, {30: int(Before.OTHER)})
    for rows in (fine, thin(fine, 10)):
        assert grown(rows, [T0 + 10, T0 + 60]) == [190.0 + 300.0]


def test_that_a_gap_stays_where_it_was() -> None:
    before, after = seconds(20, growing), seconds(20, growing, {33: int(Before.GAP)}, start=33)
    for step in (10, 60):
        thinned = Slotted(thin(joined([before, after]), step), np.array([T0, T0 + 60]))
        assert [(a - T0, b - T0) for a, b in thinned.gaps] == [(19.0, 33.0)]


def test_that_an_engine_that_answers_every_other_time_is_one_gap_a_slot() -> None:
    flapping = seconds(600, growing, {n: int(Before.GAP) for n in range(0, 600, 2)})
    thinned = thin(flapping, 60)
    assert len(thinned) <= 2 * 10
    assert Slotted(thinned, np.array([T0 + 60, T0 + 120])).lost.all()
    few = seconds(60, growing, {n: int(Before.GAP) for n in range(0, 10 * MOST_GAPS, 10)})
    assert len(Slotted(thin(few, 60), np.array([T0, T0 + 60])).gaps) == MOST_GAPS - 1


def test_that_an_hour_of_silence_is_a_row_a_slot() -> None:
    silent = rows_of([T0 + n for n in range(0, 3600, 10)], [int(Before.GAP)] * 360, [{"running": 1.0}] + [{}] * 359)
    assert len(thin(silent, 60)) <= 61


def test_that_a_figure_that_is_not_told_stays_unknown() -> None:
    rows = thin(seconds(20, lambda n: {"running": 1.0} if n < 10 else {"waiting": 2.0}), 10)
    assert np.isnan(rows.column("running")).tolist() == [False, True]
    assert np.isnan(rows.column("waiting")).tolist() == [True, False]


def test_that_nothing_is_thinned_to_nothing() -> None:
    assert len(thin(NO_ROWS, 10)) == 0


numbers = st.one_of(st.just(float("nan")), st.floats(allow_nan=False, width=64))


@given(st.lists(st.tuples(numbers, numbers, st.integers(0, 15)), min_size=1, max_size=80))
def test_that_a_block_gives_back_every_digit(told: list[tuple[float, float, int]]) -> None:
    rows = rows_of(
        [T0 + 0.137 * number for number in range(len(told))],
        [mark for _, _, mark in told],
        [{"running": one, "ttft[0.1]": other} for one, other, _ in told],
    )
    again = unpack(pack("cpu-demo", 1, rows))
    np.testing.assert_array_equal(again.times, rows.times)
    np.testing.assert_array_equal(again.marks, rows.marks)
    np.testing.assert_array_equal(again.values, rows.values)
    assert again.columns == rows.columns
