"""The end of the loop: order, limits, names, and nothing left behind."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from console.bridge.loop_thread import THREAD_NAME, LoopThread

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pytestqt.qtbot import QtBot

    from tests.console.bridge.conftest import Faults, Probe


async def _for_ever() -> None:
    await asyncio.Event().wait()


def _loop_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == THREAD_NAME]


class Room:
    """Writes down when it was closed, and may take its time or fail."""

    def __init__(self, log: list[str], name: str) -> None:
        self.log = log
        self.name = name

    async def close(self) -> None:
        await asyncio.sleep(0)
        self.log.append(self.name)

    async def hang(self) -> None:
        await _for_ever()

    async def fail(self) -> None:
        raise OSError("the disk is full")


@pytest.fixture
def started(qtbot: QtBot, faults: Faults) -> LoopThread:
    bridge = LoopThread(faults.report)
    bridge.start()
    return bridge


def test_that_stop_cancels_first_and_then_closes_the_rooms_in_order(started: LoopThread) -> None:
    order: list[str] = []

    async def work() -> None:
        try:
            await _for_ever()
        finally:
            order.append("work")

    begun = threading.Event()

    async def begin() -> None:
        begun.set()
        await work()

    started.submit(begin)
    assert begun.wait(5)
    for name in ("poller", "engine", "database"):
        started.add_closer(name, Room(order, name).close)
    report = started.stop()
    assert order == ["work", "poller", "engine", "database"]
    assert report.clean
    assert _loop_threads() == []


def test_that_an_overrunning_closer_is_named_and_the_next_ones_still_run(
    started: LoopThread, caplog: pytest.LogCaptureFixture
) -> None:
    order: list[str] = []
    started.add_closer("the engine", Room(order, "").hang, limit_s=0.05)
    started.add_closer("the index", Room(order, "").fail)
    started.add_closer("the database", Room(order, "database").close)
    report = started.stop()
    assert report.overran == ("the engine",)
    assert report.failed == ("the index",)
    assert order == ["database"]
    assert "Closing the engine took more than" in caplog.text
    assert "the disk is full" in caplog.text
    assert _loop_threads() == []


def test_that_a_task_which_a_room_forgot_is_named_and_ended(started: LoopThread, qtbot: QtBot) -> None:
    keep: list[asyncio.Task[None]] = []

    async def forget() -> None:
        keep.append(asyncio.create_task(_for_ever(), name="scrape of 127.0.0.1"))

    call = started.submit(forget)
    qtbot.waitUntil(lambda: not call.running)
    assert started.stop().left == ("scrape of 127.0.0.1",)
    assert keep[0].cancelled()


def test_that_a_task_which_ignores_the_cancel_is_named_and_the_thread_still_ends(
    started: LoopThread, caplog: pytest.LogCaptureFixture
) -> None:
    begun, release = threading.Event(), asyncio.Event()

    async def stubborn() -> None:
        begun.set()
        while not release.is_set():
            try:
                await _for_ever()
            except asyncio.CancelledError:
                if len(ignored) > 0:
                    raise
                ignored.append(1)

    ignored: list[int] = []
    started.submit(stubborn, "import of articles")
    assert begun.wait(5)
    report = started.stop(tasks_limit_s=0.05)
    assert report.overran == ("import of articles #1",)
    assert _loop_threads() == []


def test_that_a_loop_which_blocks_does_not_hold_up_the_exit(
    started: LoopThread, caplog: pytest.LogCaptureFixture
) -> None:
    release = threading.Event()

    async def block() -> None:
        release.wait(30)

    started.submit(block)
    thread = next(t for t in threading.enumerate() if t.name == THREAD_NAME)
    report = started.stop(timeout_s=0.05)
    release.set()
    thread.join(5)
    assert not report.joined
    assert "something in it blocks" in caplog.text


def test_that_stop_in_the_middle_of_many_streams_closes_every_upstream(
    started: LoopThread, probe: Probe, qtbot: QtBot
) -> None:
    closed: list[int] = []

    async def endless(number: int) -> AsyncIterator[int]:
        try:
            while True:
                await asyncio.sleep(0.001)
                yield number
        finally:
            closed.append(number)

    for number in range(32):
        probe.listen(started.stream(lambda number=number: endless(number)))
    qtbot.waitUntil(lambda: len(probe.named("batch")) >= 32)
    assert started.stop().clean
    assert sorted(closed) == list(range(32))
    assert _loop_threads() == []


def test_that_nothing_is_delivered_after_the_stop(started: LoopThread, probe: Probe, qtbot: QtBot) -> None:
    worked = threading.Event()

    async def work() -> int:
        worked.set()
        return 1

    probe.listen(started.submit(work))
    assert worked.wait(5)
    started.stop()
    late = started.submit(_for_ever())
    probe.listen(late)
    probe.listen(started.submit(_for_ever))
    qtbot.wait(1)
    assert probe.events == []


def test_that_work_given_to_a_bridge_that_never_started_is_an_error_and_not_lost(qtbot: QtBot, faults: Faults) -> None:
    with pytest.raises(RuntimeError, match="not started yet"):
        LoopThread(faults.report).submit(_for_ever)


def test_that_a_bridge_may_be_stopped_twice_and_not_started_twice(started: LoopThread) -> None:
    with pytest.raises(RuntimeError):
        started.start()
    assert started.is_running
    started.stop()
    assert started.stop().clean
    assert not started.is_running
