"""Which engine is given the next request."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from engine_host.engine.pool import EnginePool
from engine_host.engine.pool_choice import Candidate, Load, family, load_from
from engine_host.engine.pool_member import PoolMember
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.metrics.samples import MetricSample, Scrape, ScrapeGap
from engine_host.published import Published
from tests.engine_host.engine.standing import stand
from tests.fakes.fake_vllm import Behaviour

READY, STALLED = EngineStatus.READY, EngineStatus.STALLED
NOW = datetime(2026, 11, 30, tzinfo=UTC)


def scrape(running: float = 0, waiting: float = 0, kv: float | None = 0.0) -> MetricSample:
    return MetricSample(NOW, 0.0, 1.0, running=running, waiting=waiting, kv_usage=kv)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (Candidate(READY, Load(ours=1)), Candidate(READY, Load(ours=2))),
        (Candidate(READY, Load(others=1)), Candidate(READY, Load(ours=1, others=1))),
        (Candidate(READY, Load(kv=0.2)), Candidate(READY, Load(kv=0.4))),
        (Candidate(READY, Load(ours=5)), Candidate(READY, Load(waiting=1))),
        (Candidate(READY, Load(ours=5)), Candidate(READY, Load(kv=0.95))),
        (Candidate(READY, Load(ours=9)), Candidate(STALLED, Load())),
        (Candidate(READY, Load(ours=2), weight=3.0), Candidate(READY, Load(ours=1))),
    ],
)
def test_that_the_engine_with_less_to_do_comes_first(better: Candidate, worse: Candidate) -> None:
    assert better.rank() < worse.rank()


def test_that_our_own_streams_are_not_counted_twice() -> None:
    assert load_from(scrape(running=3, waiting=1), ours=2, ours_then=2) == Load(2, others=2, waiting=1, kv=0.0)


def test_that_a_stream_opened_since_the_scrape_counts_at_once() -> None:
    assert load_from(scrape(running=0), ours=4, ours_then=0).requests == 4


@pytest.mark.parametrize("metrics", [None, ScrapeGap(NOW, 0.0, "It did not come.")])
def test_that_an_engine_without_metrics_is_judged_by_our_own_streams(metrics: Scrape | None) -> None:
    assert load_from(metrics, ours=3, ours_then=1) == Load(3)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("SmolLM2-135M-Instruct", "HuggingFaceTB/SmolLM2-135M-Instruct", True),
        ("Qwen/Qwen2.5-7B-Instruct-AWQ", "Qwen2.5-7B-Instruct", True),
        ("/models/Qwen2.5-7B-Instruct-GPTQ-Int4/", "qwen2.5-7b-instruct", True),
        ("Qwen2.5-7B-Instruct", "Qwen2.5-14B-Instruct", False),
        ("Qwen2.5-7B-Instruct", "Qwen2.5-7B", False),
        ("fp8", "awq", False),
    ],
)
def test_that_a_family_is_one_model_in_any_number_format(one: str, other: str, same: bool) -> None:
    assert (family(one) == family(other)) is same


async def test_that_streams_under_way_send_the_next_question_to_the_other_engine() -> None:
    async with stand(Behaviour(), Behaviour()) as here:
        here.members[0].streams = 1
        writer = await here.pool.writer()
        assert writer is not None
        assert writer.first is here.members[1]


async def test_that_metrics_of_an_engine_count() -> None:
    async with stand(Behaviour(), Behaviour()) as here:
        metrics = Published[Scrape | None](None)
        busy, idle = PoolMember(here.engines[0], metrics), here.members[1]
        metrics.publish(scrape(running=5, kv=0.5))
        writer = await EnginePool((busy, idle)).writer()
        assert writer is not None
        assert writer.first is idle


@pytest.mark.parametrize("status", [one for one in EngineStatus if not EngineState(one).can_answer])
async def test_that_an_engine_that_is_not_ready_gets_nothing_new(status: EngineStatus) -> None:
    async with stand(Behaviour(), Behaviour()) as here:
        here.engines[0].becomes(status)
        writer = await here.pool.writer()
        assert writer is not None
        assert writer.first is here.members[1]


async def test_that_there_is_no_writer_while_no_engine_can_answer() -> None:
    async with stand(Behaviour(), Behaviour()) as here:
        for engine in here.engines:
            engine.becomes(EngineStatus.STOPPED)
        assert await here.pool.writer() is None
        assert here.pool.run == "run-1"


async def test_that_the_context_is_what_every_engine_of_the_model_holds() -> None:
    async with stand(Behaviour(), Behaviour(), Behaviour(), models=("m", "m", "other")) as here:
        here.engines[1].context_tokens = 1024
        here.engines[2].context_tokens = 256
        writer = await here.pool.writer()
        assert writer is not None
        assert writer.context_tokens == 1024


async def test_that_the_pool_answers_while_any_of_its_engines_can() -> None:
    async with stand(Behaviour(), Behaviour()) as here:
        told: list[bool] = []
        here.pool.answering.watch(told.append)
        for number, status in ((0, EngineStatus.FAILED), (1, EngineStatus.DRAINING), (0, EngineStatus.READY)):
            here.engines[number].becomes(status)
        assert told == [False, True]


async def test_that_an_empty_pool_has_neither_writer_nor_run() -> None:
    assert await EnginePool(()).writer() is None
    assert EnginePool(()).run is None
