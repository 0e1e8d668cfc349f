from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine_host.metrics.adding_up import add_up_samples
from engine_host.metrics.samples import Histogram, MetricSample

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
NEAR = Histogram((0.1, math.inf), (3, 4), 4, 1.0)


def sample(second: float = 0.0, **figures: Any) -> MetricSample:
    return MetricSample(NOON + timedelta(seconds=second), 100.0 + second, 2.0, **figures)


def test_that_figures_of_several_engines_are_added_up() -> None:
    one = sample(
        0, running=3.0, waiting=1.0, waiting_reasons=(("capacity", 1.0),), ttft=NEAR, finished=(("stop", 2.0),)
    )
    other = sample(
        1, running=5.0, waiting=2.0, waiting_reasons=(("deferred", 2.0),), ttft=NEAR, finished=(("stop", 1.0),)
    )
    summed = add_up_samples({"a": one, "b": other})
    assert (summed.running, summed.waiting) == (8, 3)
    assert summed.waiting_reasons == (("capacity", 1.0), ("deferred", 2.0))
    assert summed.finished == (("stop", 3.0),)
    assert summed.ttft == Histogram((0.1, math.inf), (6, 8), 8, 2.0)
    assert (summed.at, summed.mono) == (one.at, 100.0)


def test_that_engines_weigh_by_their_blocks() -> None:
    summed = add_up_samples({"a": sample(kv_usage=1.0, kv_blocks=100), "b": sample(kv_usage=0.0, kv_blocks=300)})
    assert (summed.kv_usage, summed.kv_blocks) == (0.25, 400)


@pytest.mark.parametrize(("figures", "key", "sentence"), [
    ({"kv_usage": 0.5}, "kv_usage", "their blocks are not told"),
    ({"ttft": Histogram((0.2, math.inf), (1, 1), 1, 0.1)}, "ttft", "they count in different buckets"),
    ({}, "running", "b does not tell it"),
])  # fmt: skip
def test_that_what_has_no_sum_is_unknown_with_a_sentence(figures: dict[str, Any], key: str, sentence: str) -> None:
    one = sample(running=1.0, kv_usage=0.5, kv_blocks=10, ttft=NEAR)
    summed = add_up_samples({"a": one, "b": sample(**({"kv_usage": 0.5, "ttft": NEAR} | figures))})
    assert getattr(summed, key) is None
    assert sentence in summed.fault(key)


def test_that_what_no_engine_publishes_is_simply_not_published() -> None:
    summed = add_up_samples({"a": sample(running=1.0), "b": sample(running=1.0)})
    assert (summed.e2e, summed.fault("e2e")) == (None, "")


def test_that_one_engine_is_its_own_sum() -> None:
    one = sample(running=1.0, started=5.0)
    assert add_up_samples({"a": one}) is one
