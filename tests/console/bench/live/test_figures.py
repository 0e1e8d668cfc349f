"""What the bench of the Live page makes of its child's report."""

from __future__ import annotations

import pytest

from console.bench.live.figures import TARGETS, child_figures, growth_an_hour, percentile
from console.bench.report import judge


def test_that_memory_is_judged_from_the_second_half_on() -> None:
    filling = [(float(at), 100.0 + at) for at in range(0, 150, 5)]
    flat = [(float(at), 250.0) for at in range(150, 301, 5)]
    assert growth_an_hour([*filling, *flat]) == pytest.approx(0.0)
    assert growth_an_hour([(float(at), 100 + at / 360) for at in range(0, 301, 5)]) == pytest.approx(10.0)


def test_that_a_short_run_tells_nothing_of_memory() -> None:
    assert growth_an_hour([]) is None
    assert growth_an_hour([(float(at), 1.0) for at in range(0, 200, 5)]) is None


@pytest.mark.parametrize(("share", "value"), [(0.5, 10.0), (0.95, 19.0), (1.0, 20.0)])
def test_that_a_percentile_is_a_value_that_was_seen(share: float, value: float) -> None:
    assert percentile([float(one) for one in range(20, 0, -1)], share) == value


def test_that_a_child_that_reported_nothing_meets_no_target() -> None:
    figures = child_figures({})
    assert set(figures.values()) == {None}
    assert not any(judge("live", figures, TARGETS).holds.values())


def test_that_what_the_child_reports_becomes_figures() -> None:
    stalls = {"p50": 0.1, "p99": 9.0, "max": 30.0, "samples": 100}
    memory = [[float(at), 200.0] for at in range(0, 301, 5)]
    figures = child_figures(
        {"cpu_share": 0.04, "stalls": stalls, "memory": memory, "costs_ms": [4.0, 8.0], "panels": 12}
    )
    assert (figures["stall_p99_ms"], figures["memory_mib"], figures["scrape_p95_ms"]) == (9.0, 200.0, 8.0)
    assert figures["memory_mib_an_hour"] == pytest.approx(0.0)
