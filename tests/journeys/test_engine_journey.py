"""The real vLLM: started, streamed from, left in mid-answer, killed, started again."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from engine_host.client.errors import EngineLost
from engine_host.client.types import ChatDelta, ChatEnd, ChatEvent, ChatMessage, ChatRequest, ChatUsage
from engine_host.engine.models import SMOLLM2
from engine_host.engine.process import group_members
from engine_host.engine.state import EngineStatus
from engine_host.metrics.poller import MetricsPoller
from engine_host.metrics.samples import MetricSample

if TYPE_CHECKING:
    from engine_host.engine.session import EngineSession

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(900)]


def ask(text: str, max_tokens: int, choices: tuple[str, ...] = ()) -> ChatRequest:
    return ChatRequest(SMOLLM2.name, (ChatMessage("user", text),), max_tokens, choices=choices)


async def collect(
    engine: EngineSession, request: ChatRequest, into: list[ChatEvent], telling: asyncio.Event | None = None
) -> None:
    """Read the stream into `into`; `telling` is set at its first words."""
    assert engine.client is not None
    async with aclosing(engine.client.stream(request)) as stream:
        async for event in stream:
            into.append(event)
            if telling is not None and isinstance(event, ChatDelta):
                telling.set()


async def figures(engine: EngineSession) -> MetricSample:
    poller = MetricsPoller(lambda: engine.state.value.url, timeout_s=10)
    try:
        await poller.scrape()
        assert isinstance(poller.latest.value, MetricSample)
        return poller.latest.value
    finally:
        await poller.close()


async def until_idle(engine: EngineSession) -> MetricSample:
    async with asyncio.timeout(20):
        while (sample := await figures(engine)).running:
            pass
        return sample


async def test_that_a_stream_counts_what_the_engine_counts(engine: EngineSession) -> None:
    before = await until_idle(engine)
    events: list[ChatEvent] = []
    await collect(engine, ask("Tell me about lunch boxes.", 24), events)
    after = await until_idle(engine)
    usage = [event for event in events if isinstance(event, ChatUsage)][-1]
    assert isinstance(events[-1], ChatEnd)
    assert events[-1].queue_ms is not None
    assert sum(isinstance(event, ChatDelta) for event in events) <= usage.output_tokens <= 24
    assert before.prompt_tokens is not None
    assert before.output_tokens is not None
    assert after.prompt_tokens == before.prompt_tokens + usage.prompt_tokens
    assert after.output_tokens == before.output_tokens + usage.output_tokens
    assert after.ttft is not None
    assert after.inter_token is not None
    assert after.kv_blocks
    assert after.block_size


async def test_that_choices_bind_the_answer(engine: EngineSession) -> None:
    events: list[ChatEvent] = []
    await collect(engine, ask("Is ice hot?", 8, choices=("warm", "cold")), events)
    assert "".join(e.text for e in events if isinstance(e, ChatDelta)) in ("warm", "cold")


async def test_that_leaving_in_mid_answer_stops_the_engine(engine: EngineSession) -> None:
    assert engine.client is not None
    async with aclosing(engine.client.stream(ask("Tell me a very long story.", 2000))) as stream:
        async for event in stream:
            if isinstance(event, ChatDelta):
                break
    idle = await until_idle(engine)
    assert idle.running == 0
    assert idle.kv_usage == 0


async def test_that_an_engine_whose_core_is_killed_is_failed_and_leaves_nothing(engine: EngineSession) -> None:
    """The last here: the death of its server, and the next start, are the journey that comes after this one."""
    group = engine.state.value.process_group
    assert group is not None
    core = next(one.pid for one in group_members(group) if one.name().startswith("VLLM::Engine"))
    events: list[ChatEvent] = []
    failed, telling = asyncio.Event(), asyncio.Event()
    stop = engine.state.watch(lambda state: failed.set() if state.status is EngineStatus.FAILED else None)
    asking = asyncio.create_task(collect(engine, ask("Tell me a very long story.", 2000), events, telling))
    await telling.wait()
    os.kill(core, signal.SIGKILL)
    async with asyncio.timeout(3):
        with pytest.raises(EngineLost):
            await asking
        await failed.wait()
        assert not group_members(group)
    stop()
    assert engine.state.value.reason
