"""The bench's engine: its page is read as vLLM's, and its figures belong together."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from console.bench.live.moving_engine import BLOCK, BLOCKS, MODEL, SEATS, MovingEngine
from engine_host.metrics.prometheus import read_page

if TYPE_CHECKING:
    from engine_host.metrics.samples import MetricSample

AT = datetime(2026, 11, 30, 7, 0, tzinfo=UTC)
OF_THE_PROCESS = {"started", "rejections", "sleep", "faults"}
"""What this engine does not publish, or has nothing to say of."""


def moved(seconds: int, seed: int = 1, rate: float = 2.0) -> tuple[MovingEngine, int]:
    engine = MovingEngine(seed, rate, 10)
    return engine, sum(len(engine.advance(1.0)) for _ in range(seconds))


def read(engine: MovingEngine) -> MetricSample:
    return read_page(engine.page().decode(), AT, 0.0, 2.0)


def test_that_every_figure_of_the_live_page_is_on_it() -> None:
    sample = read(moved(120)[0])
    missing = {name for name, value in asdict(sample).items() if value in (None, (), "")}
    assert missing <= OF_THE_PROCESS
    assert (sample.kv_blocks, sample.block_size, sample.models) == (BLOCKS, BLOCK, (MODEL,))
    assert 40_000 < len(MovingEngine(1, 1.0, 1).page()) < 70_000


def test_that_what_ended_is_what_was_begun_less_what_runs_and_waits() -> None:
    engine, ended = moved(300)
    sample = read(engine)
    assert sample.requests_ok == ended
    assert sample.e2e is not None
    assert sample.ttft is not None
    assert sample.e2e.count == ended
    assert sample.ttft.count == ended + (sample.running or 0)
    assert sample.prompt_tokens == (sample.prompt_computed or 0) + (sample.prompt_cached or 0)


def test_that_more_requests_than_seats_wait_and_no_counter_falls() -> None:
    engine, _ = moved(60, rate=20.0)
    before = read(engine)
    assert 0 < (before.running or 0) <= SEATS < (before.waiting or 0)
    engine.advance(1.0)
    after = read(engine)
    for name in ("prompt_tokens", "output_tokens", "prefix_hits", "requests_ok"):
        assert getattr(after, name) >= getattr(before, name)


def test_that_the_same_seed_makes_the_same_page() -> None:
    lines = [set(moved(30, seed)[0].page().decode().splitlines()) for seed in (3, 3, 4)]
    told = [{line for line in one if "_created" not in line} for one in lines]
    assert told[0] == told[1] != told[2]
