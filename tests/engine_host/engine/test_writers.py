"""What the answering room is told of the engine: which languages it writes, and whether it answers tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine_host.engine import health
from engine_host.engine.board import StateBoard
from engine_host.engine.models import LLAMA_8B, QWEN_7B, SMOLLM2
from engine_host.engine.profile import EngineProfile
from engine_host.engine.session import EngineSession
from engine_host.engine.writers import SessionWriters
from tests.fakes.fake_vllm import Behaviour, FakeVllm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from engine_host.engine.models import ModelSpec
    from storage.paths import Home
    from storage.settings import Settings


@pytest.fixture
async def attached(home: Home, settings: Settings) -> AsyncIterator[EngineSession]:
    one = EngineSession(home, settings)
    yield one
    await one.close()


@pytest.mark.parametrize(("spec", "tools"), [(SMOLLM2, False), (QWEN_7B, True), (LLAMA_8B, True)])
def test_that_a_hosted_model_calls_tools_as_the_catalogue_says(spec: ModelSpec, tools: bool) -> None:
    board = StateBoard()
    board.starting("cpu-demo", spec.name)
    assert board.state.value.tools is tools


async def test_that_a_writer_knows_its_tools(session: EngineSession) -> None:
    await session.start(EngineProfile("cpu-demo", QWEN_7B))
    writer = await SessionWriters(session).writer()
    assert writer is not None
    assert writer.tools


@pytest.mark.parametrize("tools", [True, False])
async def test_that_an_attached_engine_is_tried_once_with_a_tool(attached: EngineSession, tools: bool) -> None:
    async with FakeVllm(Behaviour(tools=tools)) as fake:
        await attached.attach(fake.url)
        writer = await SessionWriters(attached).writer()
        assert writer is not None
        assert writer.tools is tools
        (tried,) = fake.counters.bodies
        assert (tried["tool_choice"], tried["max_tokens"]) == ("auto", 1)
        await attached.detach()


async def test_that_an_engine_too_slow_for_a_trial_is_attached_without_tools(
    attached: EngineSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "TRIAL_S", 0.05)
    async with FakeVllm(Behaviour(whole_delay_s=60)) as fake:
        await attached.attach(fake.url)
        assert not attached.state.value.tools
        await attached.detach()
