"""The one thread of a room."""

from __future__ import annotations

import asyncio
import threading

import pytest

from storage.errors import WorkerClosed
from storage.worker import Worker, run_once


async def test_that_all_work_runs_in_one_named_thread_in_order() -> None:
    worker = Worker("kitchen")
    done: list[int] = []

    def work(number: int) -> str:
        done.append(number)
        return threading.current_thread().name

    names = await asyncio.gather(*(worker.run(work, n) for n in range(20)))
    await worker.aclose()
    assert done == list(range(20))
    assert len(set(names)) == 1
    assert names[0].startswith("kitchen")


async def test_that_an_exception_reaches_the_caller() -> None:
    worker = Worker("kitchen")
    with pytest.raises(ZeroDivisionError):
        await worker.run(divmod, 1, 0)
    await worker.aclose()


async def test_that_a_closed_worker_refuses_work() -> None:
    worker = Worker("kitchen")
    await worker.aclose()
    await worker.aclose()
    worker.close()
    with pytest.raises(WorkerClosed, match="kitchen"):
        await worker.run(len, "x")


async def test_that_closing_waits_for_work_that_was_given() -> None:
    worker = Worker("kitchen")
    gate = threading.Event()
    first = asyncio.create_task(worker.run(gate.wait, 30))
    second = asyncio.create_task(worker.run(len, "xyz"))
    await asyncio.sleep(0)
    closing = asyncio.create_task(worker.aclose())
    await asyncio.sleep(0)
    assert not closing.done()
    gate.set()
    await closing
    assert (await first, await second) == (True, 3)


async def test_that_a_cancelled_caller_takes_back_work_that_waits() -> None:
    worker = Worker("kitchen")
    gate, ran = threading.Event(), threading.Event()
    first = asyncio.create_task(worker.run(gate.wait, 30))
    waiting = asyncio.create_task(worker.run(ran.set))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    gate.set()
    await first
    await worker.aclose()
    assert not ran.is_set()


def test_that_one_worker_serves_one_loop_after_another() -> None:
    worker = Worker("kitchen")
    assert [asyncio.run(worker.run(len, "ab")) for _ in range(2)] == [2, 2]
    worker.close()


async def test_that_a_thread_for_one_piece_ends_with_it() -> None:
    assert await run_once("once", threading.current_thread) not in threading.enumerate()


async def test_that_the_thread_ends_also_when_closing_is_cancelled() -> None:
    worker, may_end, running = Worker("kitchen"), threading.Event(), threading.Event()

    def work() -> threading.Thread:
        running.set()
        assert may_end.wait(10)
        return threading.current_thread()

    piece = asyncio.create_task(worker.run(work))
    await asyncio.to_thread(running.wait, 10)
    closing = asyncio.create_task(worker.aclose())
    await asyncio.sleep(0)
    closing.cancel()
    await asyncio.gather(closing, return_exceptions=True)
    may_end.set()
    thread = await piece
    await asyncio.to_thread(thread.join, 10)
    assert not thread.is_alive()
