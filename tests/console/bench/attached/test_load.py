"""The load of the bench: every token has its moment, and what breaks the load is said."""

from __future__ import annotations

import asyncio

import pytest

from console.bench.attached.load import LoadSpoilt, Mark, latencies_ms, load
from engine_host.client.errors import EngineLost, EngineRefused
from tests.fakes.fake_vllm import Behaviour, FakeVllm


def test_that_each_token_after_the_first_has_a_latency() -> None:
    marks = [Mark(1.0, 0), Mark(3.0, 1), Mark(3.5, 2), Mark(4.25, 3)]
    assert latencies_ms(marks, 0.0, 9.0) == [500, 750]


def test_that_tokens_of_one_piece_share_its_time() -> None:
    assert latencies_ms([Mark(1.0, 1), Mark(1.5, 6)], 0.0, 9.0) == [100] * 5


def test_that_only_what_came_in_the_time_given_counts() -> None:
    marks = [Mark(float(at), at) for at in range(1, 9)]
    assert latencies_ms(marks, 3.0, 6.0) == [1000] * 3


def test_that_counts_that_come_again_are_no_tokens() -> None:
    assert latencies_ms([Mark(1.0, 1), Mark(1.5, 2), Mark(1.9, 2)], 0.0, 9.0) == [500]
    assert latencies_ms([], 0.0, 9.0) == []


async def test_that_answers_begin_anew_and_all_end_with_the_block() -> None:
    async with FakeVllm(Behaviour(token_delay_s=0.01)) as fake:
        async with load(fake.url, "fake-model", 3) as one:
            await asyncio.wait_for(fake.until(lambda now: now.finished >= 6), 20)
            assert fake.counters.running <= 3
        await asyncio.wait_for(fake.until(lambda now: now.running == 0), 20)
        bodies = fake.counters.bodies
        assert all(body["ignore_eos"] and body["temperature"] == 0 for body in bodies)
        assert len({body["messages"][0]["content"] for body in bodies}) == 3
    assert [len(latencies_ms(writing.answers[0], 0.0, float("inf"))) for writing in one.writings] == [15] * 3


async def test_that_an_engine_that_refuses_is_no_load() -> None:
    async with FakeVllm(Behaviour(refuse_status=400)) as fake:
        with pytest.raises(EngineRefused):
            await hold_for_ever(fake)


async def test_that_an_engine_that_fails_in_mid_load_is_said_at_once() -> None:
    async with FakeVllm(Behaviour(token_delay_s=0.01, error_after=3)) as fake:
        with pytest.raises(EngineLost, match="EngineCore died"):
            await hold_for_ever(fake)


async def test_that_tokens_that_nobody_counts_are_no_latencies() -> None:
    async with FakeVllm(Behaviour(usage=False)) as fake:
        with pytest.raises(LoadSpoilt, match="does not tell how many"):
            await hold_for_ever(fake)


async def hold_for_ever(fake: FakeVllm) -> None:
    async with load(fake.url, fake.model, 2) as one:
        await one.hold(3600)
