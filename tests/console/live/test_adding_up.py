from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np

from console.live.adding_up import add_up
from console.live.tracks import EngineHistory, EngineRows
from console.live.windows import growth
from tests.console.live.scrapes import START, T0, buckets, gap, other_engine, sample

if TYPE_CHECKING:
    from engine_host.metrics.samples import Scrape


def rows(*scrapes: Scrape) -> EngineRows:
    made = EngineHistory()
    for scrape in scrapes:
        made.add(scrape)
    return made.rows()


def steady(first: int, last: int, running: float, at: float = 0.0) -> list[Scrape]:
    return [sample(n + at, running=running, output_tokens=10.0 * n) for n in range(first, last)]


def test_that_gauges_and_counters_of_two_engines_are_added_up() -> None:
    summed = add_up([rows(*steady(0, 10, 3.0, 0.25)), rows(*steady(0, 10, 4.0, 0.75))])
    assert summed.figures["running"][1:].tolist() == [7.0] * 9
    assert growth(summed.times, summed.figures["output"], 60.0, T0 + 10) == 180.0
    assert summed.times[-1] == T0 + 9.75


def test_that_the_sum_is_unknown_while_one_of_them_does_not_answer() -> None:
    silent = [*steady(0, 5, 4.0), *(gap(n) for n in range(5, 12)), *steady(12, 16, 4.0)]
    summed = add_up([rows(*steady(0, 16, 3.0)), rows(*silent)])
    assert summed.figures["running"].tolist() == [7.0] * 11
    assert summed.failed.tolist() == [T0 + n for n in range(7, 12)]
    assert not np.isin(summed.failed, summed.times).any()


def test_that_an_engine_that_is_not_asked_counts_for_nothing() -> None:
    summed = add_up([rows(*steady(0, 20, 3.0)), rows(*steady(5, 10, 4.0))])
    assert summed.figures["running"].tolist() == [3.0] * 5 + [7.0] * 7 + [3.0] * 5
    assert summed.failed.tolist() == [T0 + 12, T0 + 13, T0 + 14]  # its answer could have been under way
    assert (np.diff(summed.figures["output"]) >= 0).all()


def test_that_an_engine_that_never_told_a_figure_has_no_part() -> None:
    alone = rows(*steady(0, 5, 3.0))
    assert add_up([alone, rows(gap(1), gap(2))]) is alone


def test_that_kv_use_weighs_by_blocks_and_is_unknown_without_them() -> None:
    full = rows(sample(0, kv_usage=1.0, kv_blocks=100))
    empty = rows(sample(0, kv_usage=0.0, kv_blocks=300))
    assert add_up([full, empty]).figures["kv_usage"].tolist() == [0.25]
    assert np.isnan(add_up([full, rows(sample(0, kv_usage=0.0))]).figures["kv_usage"]).all()


def test_that_only_histograms_of_equal_edges_are_added_up() -> None:
    one = rows(sample(0, ttft=buckets(0, 0, 0, 0, 0)), sample(1, ttft=buckets(1, 0, 0, 0, 0)))
    told = add_up([one, one]).histograms["ttft"]
    assert told is not None
    assert told.counts[-1].tolist() == [2.0] * 5
    assert add_up([one, rows(sample(0), sample(1))]).histograms["ttft"] is None


def test_that_a_sum_never_falls_and_is_never_more_than_its_parts() -> None:
    dice = Random(4)
    scrapes: list[list[Scrape]] = [[], [], []]
    total = 0.0
    for mine in scrapes:
        count = 0.0
        for second in range(300):
            luck = dice.random()
            if luck < 0.03:
                count = 0.0
            elif luck < 0.1:
                mine.append(gap(second))
                continue
            more = dice.randint(0, 9)
            total, count = total + more, count + more
            mine.append(sample(second + dice.random() / 2, output_tokens=count, running=1.0))
    summed = add_up([rows(*mine) for mine in scrapes])
    output = summed.figures["output"]
    assert (np.diff(output) >= 0).all()
    assert output[-1] <= total


# What the samples themselves show


def test_that_a_restart_is_marked_also_when_no_counter_shows_it() -> None:
    told = rows(sample(0, output_tokens=5.0, started=10.0), sample(1, output_tokens=9.0, started=500.0))
    assert [(mark.kind, mark.time) for mark in told.marks] == [("restart", T0 + 1)]
    assert told.figures["output"].tolist() == [0.0, 9.0]


def test_that_a_series_that_was_missing_for_a_moment_loses_no_growth() -> None:
    told = rows(*(sample(n, output_tokens=count, prompt_tokens=1.0) for n, count in enumerate((5.0, None, 9.0))))
    assert told.figures["output"][-1] == 4.0
    assert np.isnan(told.figures["output"][1])


def test_that_another_model_is_marked_and_its_first_counts_are_no_growth() -> None:
    told = rows(sample(0, output_tokens=5.0, models=("a",)), sample(1, output_tokens=900.0, models=("b",)))
    assert [(mark.kind, mark.text) for mark in told.marks] == [("model", "Another model answers: b.")]
    assert told.figures["output"].tolist() == [0.0, 0.0]


def test_that_a_clock_that_goes_back_keeps_the_order_of_the_samples() -> None:
    before = [sample(n, output_tokens=10.0 * n) for n in range(3)]
    after = [type(one)(START.replace(hour=6), one.mono + 3, 2.0, output_tokens=30.0) for one in before[:1]]
    told = rows(*before, *after)
    assert np.diff(told.times).tolist() == [1.0, 1.0, 1.0]
    assert told.times[-1] == T0 - 3600
    assert [mark.kind for mark in told.marks] == ["clock"]


def test_that_a_clock_that_goes_forward_leaves_a_gap() -> None:
    later = type(sample(0))(START.replace(hour=9), sample(1).mono, 2.0, running=1.0)
    told = rows(sample(0, running=1.0), later)
    assert told.times.tolist() == [T0, T0 + 7200]
    assert [mark.kind for mark in told.marks] == ["clock"]


def test_that_marks_are_not_made_of_an_engine_that_was_chosen_instead() -> None:
    told = rows(sample(0, output_tokens=50.0), other_engine(0.5), sample(1, output_tokens=5.0))
    assert told.marks == ()
