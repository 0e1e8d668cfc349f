"""Engines that this program hosts beside its first one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from engine_host.client.types import ChatMessage, ChatRequest
from engine_host.engine.models import QWEN_1B
from engine_host.engine.pool_crew import PoolCrew, slot_of
from engine_host.engine.profile import EngineProfile
from engine_host.engine.state import EngineStatus
from storage.settings import MoreEngine, Settings
from tests.engine_host.engine.conftest import lives, until
from tests.fakes.fake_vllm import Behaviour, FakeVllm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from storage.paths import Home

PROFILE = EngineProfile("cpu-demo", QWEN_1B)


async def no_key(_name: str) -> None:
    return None


@pytest.fixture
async def crew(home: Home, settings: Settings, behave: Callable[[Behaviour], None]) -> AsyncIterator[PoolCrew]:
    """Two engines beside the first one."""
    behave(Behaviour())
    engine = settings.engine.model_copy(update={"more": (MoreEngine(), MoreEngine())})
    made = PoolCrew(home, Settings(engine=engine), no_key)
    yield made
    await made.close()


async def test_that_hosted_engines_answer_beside_each_other_under_names_of_their_own(crew: PoolCrew) -> None:
    await crew.start(PROFILE)
    second, third = (one.session.state.value for one in crew.engines)
    assert (second.name, third.name) == ("cpu-demo 2", "cpu-demo 3")
    assert second.url != third.url
    assert all(member.can_answer for member in crew.members)


async def test_that_closing_ends_every_engine(crew: PoolCrew) -> None:
    await crew.start(PROFILE)
    groups = [one.session.state.value.process_group for one in crew.engines]
    assert all(map(lives, groups))
    await crew.close()
    assert not any(map(lives, groups))


async def test_that_closing_in_mid_start_starts_no_further_engine(
    crew: PoolCrew, behave: Callable[[Behaviour], None]
) -> None:
    behave(Behaviour(start_delay_s=60))
    starting = asyncio.create_task(crew.start(PROFILE))
    second, third = (one.session for one in crew.engines)
    await until(second, lambda state: state.process_group is not None)
    await crew.close()
    await starting
    assert [session.state.value.status for session in (second, third)] == [EngineStatus.STOPPED, EngineStatus.NONE]


async def test_that_an_engine_that_outlived_the_program_is_taken_back(
    crew: PoolCrew, home: Home, settings: Settings
) -> None:
    await crew.engines[1].session.start(PROFILE, keep_running=True)
    await crew.close()
    engine = settings.engine.model_copy(update={"more": (MoreEngine(), MoreEngine())})
    later = PoolCrew(home, Settings(engine=engine), no_key)
    try:
        await later.join()
        assert [member.can_answer for member in later.members] == [False, True]
        await later.engines[1].session.stop()
    finally:
        await later.close()


def test_that_each_engine_has_a_place_of_its_own() -> None:
    assert [slot_of(number) for number in (1, 2, 3)] == ["engine", "engine-2", "engine-3"]


async def test_that_an_engine_that_a_person_detached_is_not_looked_for_again(home: Home, settings: Settings) -> None:
    crew = PoolCrew(home, settings, no_key)
    async with FakeVllm(Behaviour()) as fake:
        added = crew.add(MoreEngine(url=fake.url))
        assert added.session.slot == slot_of(2)
        await crew.join()
        assert added.session.state.value.can_answer
        await crew.detach(added.session)
        await crew.join()
        assert added.session.state.value.status is EngineStatus.NONE
        await crew.close()


async def test_that_a_removed_engine_ends_and_leaves_its_number_to_the_next(crew: PoolCrew) -> None:
    await crew.start(PROFILE)
    second, third = crew.engines
    group = second.session.state.value.process_group
    await crew.remove(second, drain_s=1.0)
    assert not lives(group)
    assert crew.engines == (third,)
    assert third.session.state.value.can_answer
    assert crew.add(MoreEngine()).number == 2


async def test_that_an_engine_that_is_removed_before_its_turn_is_not_started(
    crew: PoolCrew, behave: Callable[[Behaviour], None]
) -> None:
    behave(Behaviour(start_delay_s=60))
    starting = asyncio.create_task(crew.start(PROFILE))
    second, third = crew.engines
    await until(second.session, lambda state: state.process_group is not None)
    await crew.remove(third, drain_s=0.0)
    await crew.remove(second, drain_s=0.0)
    await starting
    assert [one.session.state.value.status for one in (second, third)] == [EngineStatus.STOPPED, EngineStatus.NONE]
    assert crew.members == ()


async def test_that_an_attached_engine_is_let_go_when_its_answers_have_ended(home: Home, settings: Settings) -> None:
    crew = PoolCrew(home, settings, no_key)
    async with FakeVllm(Behaviour()) as fake:
        added = crew.add(MoreEngine(url=fake.url))
        await crew.join()
        answer = added.member.stream(ChatRequest("m", (ChatMessage("user", "Hello"),), 8), lambda: False)
        await anext(answer)
        removing = asyncio.create_task(crew.remove(added, drain_s=60.0))
        async for _ in answer:
            assert added.session.state.value.can_answer
        await removing
        assert added.session.state.value.status is EngineStatus.NONE
    await crew.close()
