"""What is said of an engine that runs: busy, stalled, asleep, draining, and dead, whoever of it died."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import pytest

from engine_host.client.types import ChatDelta, ChatMessage, ChatRequest
from engine_host.engine import canary, watch
from engine_host.engine.errors import SleepRefused
from engine_host.engine.health import EngineProbe, WarmUp
from engine_host.engine.process import group_members
from engine_host.engine.run_file import read_run_file
from engine_host.engine.session import EngineSession
from engine_host.engine.state import EngineStatus
from tests.engine_host.engine.conftest import PROFILE, lives, until, until_line, until_status
from tests.fakes.fake_vllm import STORY, Behaviour

if TYPE_CHECKING:
    from collections.abc import Callable

    from storage.paths import Home

    Behave = Callable[[Behaviour], None]

ASKED = ChatRequest(PROFILE.model.name, (ChatMessage("user", "Hi"),), max_tokens=50)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same steps, with less time between them."""
    monkeypatch.setattr(watch, "ASK_EVERY_S", 0.05)
    monkeypatch.setattr(canary, "STUCK_S", 0.3)
    monkeypatch.setattr(canary, "AGAIN_S", 0.2)
    monkeypatch.setattr(watch, "ANSWER_S", 0.3)


def group_of(session: EngineSession) -> int:
    group = session.state.value.process_group
    assert group is not None
    return group


def worker_of(session: EngineSession) -> int:
    group = group_of(session)
    return next(one.pid for one in group_members(group) if any("VLLM::" in word for word in one.cmdline()))


async def told(session: EngineSession) -> str:
    assert session.client is not None
    return "".join([event.text async for event in session.client.stream(ASKED) if isinstance(event, ChatDelta)])


async def test_that_an_engine_with_work_in_hand_is_busy(session: EngineSession, behave: Behave) -> None:
    behave(Behaviour(with_worker=True, token_delay_s=0.05))
    await session.start(PROFILE)
    ready = session.state.value
    asking = asyncio.create_task(told(session))
    busy = await until_status(session, EngineStatus.BUSY)
    assert (busy.can_answer, busy.since) == (True, ready.since)
    assert await asking == STORY
    assert (await until_status(session, EngineStatus.READY)).since == ready.since


@pytest.mark.parametrize("victim", ["the server", "its worker"])
async def test_that_a_stopped_process_stalls_the_engine_and_is_named(session: EngineSession, victim: str) -> None:
    await session.start(PROFILE)
    await until_line(session, "worker has ")
    pid = group_of(session) if victim == "the server" else worker_of(session)
    os.kill(pid, signal.SIGSTOP)
    stalled = await until_status(session, EngineStatus.STALLED)
    assert stalled.reason.startswith("The engine stands still: its process ")
    assert f"({pid}) was stopped by a signal" in stalled.reason
    assert stalled.next_step == "It is well again as soon as it answers; if it does not, stop it."
    os.kill(pid, signal.SIGCONT)
    await until(session, lambda state: state.is_well)


async def test_that_a_worker_that_dies_alone_ends_the_engine(session: EngineSession) -> None:
    await session.start(PROFILE)
    await until_line(session, "worker has ")
    pid = worker_of(session)
    os.kill(pid, signal.SIGKILL)
    failed = await until_status(session, EngineStatus.FAILED)
    assert failed.reason == f"The engine stopped: its process VLLM::EngineCore ({pid}) ended."
    assert not lives(failed.process_group)


async def test_that_an_engine_that_says_200_and_makes_nothing_is_stalled_until_it_makes_a_token(
    session: EngineSession,
) -> None:
    await session.start(PROFILE)
    os.kill(group_of(session), signal.SIGUSR2)
    stalled = await until_status(session, EngineStatus.STALLED)
    assert stalled.reason.startswith("The engine says that it is well, but has made no token for ")
    os.kill(group_of(session), signal.SIGUSR2)
    await until(session, lambda state: state.is_well)


async def test_that_the_tokens_of_a_check_at_rest_are_not_held_against_the_ledger(
    session: EngineSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(canary, "IDLE_S", 0.2)
    await session.start(PROFILE)
    while session.warm_up == WarmUp(31, 1):  # noqa: ASYNC110 - a change of a file has no event
        await asyncio.sleep(0.05)
    run = read_run_file(session.run_file)
    assert run is not None
    assert session.warm_up == WarmUp(run.warm_up_prompt, run.warm_up_output) == WarmUp(62, 2)
    assert session.state.value.status is EngineStatus.READY


async def test_that_metrics_that_end_are_a_stall(session: EngineSession, behave: Behave) -> None:
    behave(Behaviour(with_worker=True, metrics_page=""))
    await session.start(PROFILE)
    assert "metrics have become empty" in (await until_status(session, EngineStatus.STALLED)).reason


async def test_that_stop_lets_an_answer_finish_and_takes_no_new_one(session: EngineSession, behave: Behave) -> None:
    behave(Behaviour(with_worker=True, token_delay_s=0.03))
    await session.start(PROFILE)
    asking = asyncio.create_task(told(session))
    await until_status(session, EngineStatus.BUSY)
    stopping = asyncio.create_task(session.stop(drain_s=20.0))
    await until_status(session, EngineStatus.DRAINING)
    assert session.client is None
    assert await asking == STORY
    await stopping
    assert session.state.value.status is EngineStatus.STOPPED


@pytest.mark.parametrize("how", ["the limit", "a second stop"])
async def test_that_draining_ends(session: EngineSession, behave: Behave, how: str) -> None:
    behave(Behaviour(with_worker=True, token_delay_s=60))
    await session.start(PROFILE)
    asking = asyncio.create_task(told(session))
    await until_status(session, EngineStatus.BUSY)
    stopping = asyncio.create_task(session.stop(drain_s=0.3 if how == "the limit" else 600))
    await until_status(session, EngineStatus.DRAINING)
    if how == "a second stop":
        await session.stop()
    await stopping
    assert session.state.value.status is EngineStatus.STOPPED
    assert isinstance((await asyncio.gather(asking, return_exceptions=True))[0], Exception)


async def test_that_an_engine_that_dies_while_it_drains_is_stopped_and_stays_so(
    session: EngineSession, behave: Behave
) -> None:
    engine = session.settings.engine.model_copy(update={"restarts": 3})
    session.settings = session.settings.model_copy(update={"engine": engine})
    behave(Behaviour(with_worker=True, token_delay_s=60))
    await session.start(PROFILE)
    asking = asyncio.create_task(told(session))
    await until_status(session, EngineStatus.BUSY)
    seen: list[EngineStatus] = []
    session.state.watch(lambda state: seen.append(state.status))
    stopping = asyncio.create_task(session.stop(drain_s=600))
    await until_status(session, EngineStatus.DRAINING)
    os.kill(group_of(session), signal.SIGKILL)
    await stopping
    await asyncio.gather(asking, return_exceptions=True)
    assert session.state.value.status is EngineStatus.STOPPED
    assert EngineStatus.FAILED not in seen


async def test_that_an_engine_sleeps_and_wakes_where_it_can(session: EngineSession, behave: Behave) -> None:
    behave(Behaviour(with_worker=True, sleep=True))
    await session.start(PROFILE)
    await session.sleep()
    asleep = session.state.value
    assert (asleep.status, session.client) == (EngineStatus.SLEEPING, None)
    with pytest.raises(SleepRefused, match="cannot sleep now: it is sleeping"):
        await session.sleep()
    await session.wake()
    assert session.state.value.status is EngineStatus.READY
    assert await told(session) == STORY


async def test_that_an_engine_that_sleeps_is_taken_back_asleep(
    session: EngineSession, home: Home, behave: Behave
) -> None:
    behave(Behaviour(sleep=True))
    await session.start(PROFILE, keep_running=True)
    await session.sleep()
    other = EngineSession(home, session.settings)
    assert await other.adopt()
    assert other.state.value.status is EngineStatus.SLEEPING
    await other.wake()
    assert other.state.value.status is EngineStatus.READY
    await other.close()


async def test_that_an_engine_that_others_put_to_sleep_and_woke_is_told(session: EngineSession, behave: Behave) -> None:
    behave(Behaviour(sleep=True))
    await session.start(PROFILE)
    other = EngineProbe(session.state.value.url)
    try:
        assert await other.ask("/sleep?level=1", 5)
        await until_status(session, EngineStatus.SLEEPING)
        assert session.client is None
        assert await other.ask("/wake_up", 5)
        await until_status(session, EngineStatus.READY)
    finally:
        await other.aclose()


@pytest.mark.parametrize(
    ("behaviour", "asked", "sentence"),
    [
        (Behaviour(), "sleep", "started without --enable-sleep-mode"),
        (Behaviour(sleep=True), "wake", "does not sleep, it is ready"),
        (Behaviour(sleep=True, wakes=False), "sleep and wake", "did not wake"),
    ],
)
async def test_that_what_cannot_sleep_or_wake_says_why(
    session: EngineSession, behave: Behave, behaviour: Behaviour, asked: str, sentence: str
) -> None:
    behave(behaviour)
    await session.start(PROFILE)
    if asked == "sleep and wake":
        await session.sleep()
    with pytest.raises(SleepRefused, match=sentence):
        await (session.sleep() if asked == "sleep" else session.wake())


async def test_that_a_sleeping_engine_is_stopped_and_its_death_is_noticed(
    session: EngineSession, behave: Behave
) -> None:
    behave(Behaviour(with_worker=True, sleep=True))
    await session.start(PROFILE)
    await session.sleep()
    os.kill(group_of(session), signal.SIGKILL)
    assert "killed by signal 9" in (await until_status(session, EngineStatus.FAILED)).reason
