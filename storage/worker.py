"""One thread that does a room's blocking work, one piece after the other."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from storage.errors import WorkerClosed

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")


class Worker:
    """Owns one thread, started at the first piece of work. Pieces run in the order in which they were given."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._closed = False
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    @property
    def closed(self) -> bool:
        return self._closed

    async def run(self, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `fn` in the thread and return its result or raise its exception.

        A caller that is cancelled takes back a piece that still waits; a piece that has begun runs to its end.
        Raises WorkerClosed after `close`.
        """
        return await self._submit(fn, *args, **kwargs)

    async def run_to_end(self, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """As `run`, but a piece that was given is always done, even if the caller is cancelled."""
        return await asyncio.shield(self._submit(fn, *args, **kwargs))

    def _submit(self, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
        if self._closed:
            raise WorkerClosed(f"The {self._name} worker takes no more work: it has been closed. Open it again first.")
        return asyncio.wrap_future(self._threads.submit(fn, *args, **kwargs))

    def close(self) -> None:
        """Take no more work and wait for what was given. Blocks the caller; in a loop use `aclose`."""
        self._closed = True
        self._threads.shutdown(wait=True)

    async def aclose(self) -> None:
        """As `close`, without blocking the loop: waits behind the work that was given before.

        The thread ends after that work also when the caller is cancelled.
        """
        if self._closed:
            return
        self._closed = True
        last = self._threads.submit(_nothing)
        self._threads.shutdown(wait=False)
        await asyncio.wrap_future(last)
        self._threads.shutdown(wait=True)


async def run_once(name: str, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `fn` in a thread of its own, which ends with it. Raises what `fn` raises."""
    worker = Worker(name)
    try:
        return await worker.run(fn, *args, **kwargs)
    finally:
        await worker.aclose()


def _nothing() -> None:
    """The last piece of work: when it is done, all others are."""
