from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from engine_host.engine.finding import Found
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.engine.worst import WORST_FIRST, worst_state
from engine_host.metrics.engines_now import derive_now, time_to_first_token
from engine_host.metrics.samples import Histogram, MetricSample

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
READY = EngineState(EngineStatus.READY, "cpu-demo")
LOST = EngineState(EngineStatus.LOST, "far")


def sample(mono: float, **figures: Any) -> MetricSample:
    return MetricSample(NOON, mono, 2.0, **figures)


def ttft(*counts: float, edges: tuple[float, ...] = (0.1, 1.0, math.inf)) -> Histogram:
    return Histogram(edges, counts, counts[-1], 0.0)


def test_that_all_that_can_answer_are_added_up() -> None:
    one = [sample(0, running=1.0, output_tokens=0.0), sample(1, running=2.0, output_tokens=10.0)]
    other = [sample(0.5, running=4.0, output_tokens=5.0), sample(1.5, running=5.0, output_tokens=45.0)]
    now = derive_now([(READY, one), (READY, other), (LOST, [sample(0, running=99.0)])])
    assert now.sample is not None
    assert (now.sample.running, now.sample.mono, now.output_rate) == (7, 1, 50)
    assert [state.status for state in now.states] == ["ready", "ready", "lost"]


def test_that_one_that_does_not_tell_leaves_the_sum_unknown() -> None:
    told = [sample(0, running=1.0), sample(1, running=1.0)]
    assert derive_now([(READY, told), (READY, [])]).sample is None
    assert derive_now([(READY, told)]).output_rate is None
    assert derive_now([(LOST, told)]).sample is None


def test_that_a_server_without_metrics_has_no_part_in_the_sum() -> None:
    told = [sample(0, running=1.0), sample(1, running=1.0)]
    plain = replace(READY, found=Found("m", metrics=False))
    now = derive_now([(READY, told), (plain, [])])
    assert now.sample is not None
    assert now.sample.running == 1
    assert len(now.states) == 2
    assert derive_now([(READY, told), (replace(READY, found=Found("m", metrics=True)), [])]).sample is None


def test_that_the_first_token_is_of_what_all_engines_saw() -> None:
    quick = [sample(0, ttft=ttft(0, 0, 0)), sample(50, ttft=ttft(90, 90, 90))]
    slow = [sample(0, ttft=ttft(0, 0, 0)), sample(50, ttft=ttft(0, 10, 10))]
    found = time_to_first_token([quick, slow], 60.0, 50.0, 0.95)
    assert found is not None
    assert (found.low, found.high) == (0.1, 1.0)
    assert time_to_first_token([quick], 60.0, 500.0, 0.95) is None


def test_that_other_buckets_have_no_common_percentile() -> None:
    one = [sample(0, ttft=ttft(0, 0, 0)), sample(50, ttft=ttft(1, 1, 1))]
    other = [sample(0, ttft=ttft(0, 0, edges=(0.5, math.inf))), sample(50, ttft=ttft(1, 1, edges=(0.5, math.inf)))]
    assert time_to_first_token([one, other], 60.0, 50.0, 0.95) is None


def test_that_every_state_has_its_place_among_the_worst() -> None:
    assert sorted(WORST_FIRST) == sorted(EngineStatus)
    assert worst_state([READY, LOST]) is LOST
    assert worst_state([]) == EngineState()


@pytest.mark.parametrize("status", [EngineStatus.STOPPED, EngineStatus.NONE])
def test_that_an_engine_that_nobody_waits_for_is_not_the_worst(status: EngineStatus) -> None:
    assert worst_state([EngineState(status), READY]) is READY
