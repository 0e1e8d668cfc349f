"""The program's one asyncio loop, in its one worker thread, and the only door between it and the GUI thread."""

from __future__ import annotations

import asyncio
import logging
import threading
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from console.bridge.calls import Call, FaultSink, LoopTask, Work
from console.bridge.mailbox import Mailbox
from console.bridge.mirrors import Mirror, Tap
from console.bridge.shutdown import Closer, StopReport, shut_down
from console.bridge.streams import DEFAULT_BUFFER, Pace, Pump, Source, Stream

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from engine_host.published import Published

T = TypeVar("T")

log = logging.getLogger(__name__)

THREAD_NAME: Final = "dabba-loop"
JOIN_GRACE_S: Final = 5.0
"""For what has no limit of its own: tasks that nobody ended, generators, name look-ups."""


@dataclass(frozen=True, slots=True)
class _Running:
    loop: asyncio.AbstractEventLoop
    thread: threading.Thread


class LoopThread:
    """Made, used and stopped in the GUI thread. It must be started before it is used; after `stop()` nothing is run or
    delivered, and asking for it does nothing."""

    def __init__(self, on_fault: FaultSink) -> None:
        """`on_fault(error, where)` hears of every error that no room foresaw; it may be called in any thread."""
        self._on_fault = on_fault
        self._mailbox = Mailbox()
        self._pace = Pace()
        self._running: _Running | None = None
        self._tasks: set[asyncio.Task[object]] = set()
        self._closers: list[Closer] = []
        self._count = 0
        self._ended = False

    def start(self) -> None:
        if self._running is not None or self._ended:
            raise RuntimeError("a loop thread is started once")
        loop = asyncio.new_event_loop()
        loop.set_exception_handler(self._loop_fault)
        thread = threading.Thread(target=_run, args=(loop,), name=THREAD_NAME)
        self._running = _Running(loop, thread)
        thread.start()

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def submit(self, work: Work, name: str = "") -> Call:
        """Run a coroutine, or what a function without arguments returns, in the loop."""
        task = LoopTask(work, self._name(work, name), self._mailbox, self._on_fault)
        call = Call(task.name, partial(self._in_loop, task.cancel))
        task.address = self._mailbox.register(call)
        self._begin(task)
        return call

    def stream(self, source: Source, name: str = "", buffer: int = DEFAULT_BUFFER) -> Stream:
        """Pull the asynchronous iterator that `source()` makes; at most `buffer` items wait for the screen."""
        pump = Pump(source, self._mailbox, buffer, self._pace)
        task = LoopTask(pump.run, self._name(source, name), self._mailbox, self._on_fault)
        stream = Stream(task.name, partial(self._in_loop, task.cancel), pump.taken)
        task.address = pump.address = self._mailbox.register(stream)
        self._begin(task)
        return stream

    def mirror(self, published: Published[T]) -> Mirror:
        """Follow a value that the loop publishes."""
        seen = published.value
        tap = Tap(published, self._mailbox, seen)
        mirror = Mirror(seen, tap.take, partial(self._close_mirror, tap))
        tap.address = self._mailbox.register(mirror)
        self._in_loop(tap.open)
        return mirror

    def add_closer(self, name: str, close: Callable[[], Awaitable[object]], limit_s: float = 5.0) -> None:
        """`close` is awaited in the loop at `stop()`, in the order in which closers were added."""
        self._closers.append(Closer(name, close, limit_s))

    def stop(self, timeout_s: float | None = None, tasks_limit_s: float = 5.0) -> StopReport:
        """Cancel and gather what was submitted, run the closers, end the loop, join its thread.

        Blocks the GUI thread for at most `timeout_s`, None = what all limits allow: hide the window first. What
        overran is named in the log and in the report; the caller then ends the process all the same.
        """
        running, self._running = self._running, None
        self._ended = True
        if running is None:
            return StopReport()
        self._mailbox.close()
        if timeout_s is None:
            timeout_s = tasks_limit_s + sum(closer.limit_s for closer in self._closers) + JOIN_GRACE_S
        ending = shut_down(self._tasks, tuple(self._closers), tasks_limit_s)
        future = asyncio.run_coroutine_threadsafe(ending, running.loop)
        future.add_done_callback(lambda _: running.loop.call_soon_threadsafe(running.loop.stop))
        running.thread.join(timeout_s)
        if running.thread.is_alive():
            log.error("The loop thread did not end within %.0f s: something in it blocks.", timeout_s)
            return StopReport(joined=False)
        return future.result()

    def _begin(self, task: LoopTask) -> None:
        if not self._in_loop(partial(self._start_task, task)):
            self._mailbox.forget(task.address)
            task.abandon()

    def _start_task(self, task: LoopTask) -> None:
        running = task.begin()
        self._tasks.add(running)
        running.add_done_callback(self._tasks.discard)

    def _in_loop(self, step: Callable[[], object]) -> bool:
        """Run `step` in the loop soon, after all earlier ones; False when the loop has ended."""
        if self._running is None:
            if not self._ended:
                raise RuntimeError("the loop thread is not started yet")
            return False
        self._running.loop.call_soon_threadsafe(step)
        return True

    def _close_mirror(self, tap: Tap[Any]) -> None:
        self._mailbox.forget(tap.address)
        self._in_loop(tap.close)

    def _name(self, work: object, name: str) -> str:
        self._count += 1
        return f"{name or getattr(work, '__qualname__', type(work).__name__)} #{self._count}"

    def _loop_fault(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception") or RuntimeError(context.get("message", "unknown fault in the loop"))
        self._on_fault(error, str(context.get("message", "asyncio")))


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        asyncio.set_event_loop(None)
        loop.close()
