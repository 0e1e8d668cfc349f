"""Streams across the bridge: batches, back-pressure and the closing of what is read."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from console.bridge.calls import Finished
from console.bridge.errors import BridgeError, UnexpectedFaultError
from console.bridge.streams import FLUSHES_OF_ALL, FLUSHES_PER_SECOND, Batch, Pace, Pump, next_tick

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pytestqt.qtbot import QtBot

    from console.bridge.loop_thread import LoopThread
    from tests.console.bridge.conftest import Faults, Probe


class Box:
    """Stands in for the mailbox: keeps the letters."""

    def __init__(self) -> None:
        self.letters: list[object] = []
        self._came = asyncio.Event()

    def post(self, address: int, letter: object) -> None:
        self.letters.append(letter)
        self._came.set()

    async def next_letter(self) -> object:
        await self._came.wait()
        self._came.clear()
        return self.letters[-1]


async def _count(stop: int) -> AsyncIterator[int]:
    for number in range(stop):
        yield number


class Upstream:
    """A request that is open until its iterator is closed."""

    def __init__(self, fail: BaseException | None = None) -> None:
        self.pulled = 0
        self.closed = threading.Event()
        self._fail = fail

    async def items(self) -> AsyncIterator[int]:
        try:
            while True:
                await asyncio.sleep(0)
                self.pulled += 1
                yield self.pulled
                if self._fail is not None:
                    raise self._fail
        finally:
            await asyncio.sleep(0)
            self.closed.set()


def test_that_every_item_arrives_once_in_order_and_in_far_fewer_signals(
    bridge: LoopThread, probe: Probe, qtbot: QtBot
) -> None:
    stream = bridge.stream(lambda: _count(1000))
    probe.listen(stream)
    qtbot.waitUntil(lambda: not stream.running)
    batches = probe.named("batch")
    assert [item for batch in batches for item in batch] == list(range(1000))  # type: ignore[attr-defined]
    assert len(batches) <= 2
    assert probe.named("ended") == [None]
    assert probe.threads == {threading.get_ident()}


def test_that_flush_times_lie_on_a_grid_and_streams_do_not_share_their_moment() -> None:
    interval = 1 / FLUSHES_PER_SECOND
    first = next_tick(10.01, interval, 0.25)
    assert 10.01 <= first < 10.01 + interval
    assert next_tick(first + interval, interval, 0.25) == pytest.approx(first + interval)
    assert next_tick(first, interval, 0.25) == pytest.approx(first)
    apart = (next_tick(10.01, interval, 0.75) - first) % interval
    assert apart == pytest.approx(interval / 2)


def test_that_many_streams_share_what_the_screen_can_take() -> None:
    pace = Pace()
    pace.streams = 1
    assert 1 / pace.interval_s == pytest.approx(FLUSHES_PER_SECOND)
    pace.streams = 32
    assert 32 / pace.interval_s == pytest.approx(FLUSHES_OF_ALL)


async def test_that_no_batch_is_posted_before_the_screen_took_the_last_one() -> None:
    upstream, box = Upstream(), Box()
    pump = Pump(upstream.items, box, limit=10, pace=Pace())  # type: ignore[arg-type]
    running = asyncio.create_task(pump.run())
    await box.next_letter()
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(box.next_letter(), 3 / FLUSHES_PER_SECOND)
    assert upstream.pulled <= 20, "a full buffer must stop the pulling"
    pump.taken()
    await box.next_letter()
    running.cancel()
    await asyncio.wait({running})
    assert upstream.closed.is_set()


async def test_that_the_rest_is_posted_before_the_end() -> None:
    box = Box()
    pump = Pump(lambda: _count(25), box, limit=10, pace=Pace())  # type: ignore[arg-type]
    running = asyncio.create_task(pump.run())
    while not running.done():
        pump.taken()
        await asyncio.sleep(0)
    assert [len(letter.items) for letter in box.letters if isinstance(letter, Batch)] == [10, 10, 5]


def test_that_cancel_closes_the_upstream_and_no_batch_comes_any_more(
    bridge: LoopThread, probe: Probe, qtbot: QtBot
) -> None:
    upstream = Upstream()
    stream = bridge.stream(upstream.items)
    probe.listen(stream)
    qtbot.waitUntil(lambda: len(probe.named("batch")) >= 1)
    stream.cancel()
    before = len(probe.named("batch"))
    qtbot.waitUntil(lambda: not stream.running)
    assert upstream.closed.is_set()
    assert len(probe.named("batch")) == before
    assert probe.named("ended") == [None]


def test_that_a_stream_held_back_by_a_slow_screen_can_be_cancelled(bridge: LoopThread, qtbot: QtBot) -> None:
    upstream = Upstream()
    stream = bridge.stream(upstream.items, buffer=4)
    assert not upstream.closed.wait(0.1)
    assert upstream.pulled <= 8
    stream.cancel()
    assert upstream.closed.wait(5)
    qtbot.waitUntil(lambda: not stream.running)


def test_that_a_failure_in_mid_stream_comes_after_the_items_before_it(
    bridge: LoopThread, probe: Probe, faults: Faults, qtbot: QtBot
) -> None:
    upstream = Upstream(fail=BridgeError("The engine was lost in mid-answer: its process ended. Start it again."))
    stream = bridge.stream(upstream.items)
    probe.listen(stream)
    qtbot.waitUntil(lambda: not stream.running)
    assert probe.named("batch") == [(1,)]
    assert "mid-answer" in str(probe.named("ended")[0])
    assert faults.seen == []


def test_that_an_unforeseen_failure_is_reported_and_turned_into_a_sentence(
    bridge: LoopThread, probe: Probe, faults: Faults, qtbot: QtBot
) -> None:
    stream = bridge.stream(Upstream(fail=ZeroDivisionError()).items)
    probe.listen(stream)
    qtbot.waitUntil(lambda: not stream.running)
    assert isinstance(probe.named("ended")[0], UnexpectedFaultError)
    assert len(faults.seen) == 1


def test_that_a_letter_of_another_kind_is_refused(bridge: LoopThread, qtbot: QtBot) -> None:
    stream = bridge.stream(lambda: _count(0))
    with pytest.raises(TypeError):
        stream.receive("not a letter")
    assert stream.receive(Finished(None)) is False
    stream.cancel()
