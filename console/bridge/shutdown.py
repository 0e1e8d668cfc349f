"""How the loop ends: in a fixed order, each part with a limit, and whatever overruns is named."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

log = logging.getLogger(__name__)

LEFTOVER_LIMIT_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Closer:
    name: str
    close: Callable[[], Awaitable[object]]
    limit_s: float


@dataclass(frozen=True, slots=True)
class StopReport:
    """Names of what did not end in time (`overran`), of closers that `failed`, of tasks that no closer ended (`left`).

    `joined` False: the loop thread itself is stuck.
    """

    overran: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    joined: bool = True

    @property
    def clean(self) -> bool:
        return self.joined and not (self.overran or self.failed or self.left)


async def shut_down(own: Iterable[asyncio.Task[object]], closers: Sequence[Closer], tasks_limit_s: float) -> StopReport:
    """Cancel and gather `own` tasks, run `closers` in order, then cancel what the rooms left running."""
    overran = await _cancel(set(own), tasks_limit_s)
    failed: list[str] = []
    for closer in closers:
        verdict = await _run_closer(closer)
        if verdict == "overran":
            overran.append(closer.name)
        elif verdict == "failed":
            failed.append(closer.name)
    left = {task for task in asyncio.all_tasks() if task is not asyncio.current_task()}
    names = sorted(task.get_name() for task in left)
    if names:
        log.warning("Tasks that nobody ended: %s.", ", ".join(names))
    await _cancel(left, LEFTOVER_LIMIT_S)
    await _end_executor()
    return StopReport(tuple(overran), tuple(failed), tuple(names))


async def _cancel(tasks: set[asyncio.Task[object]], limit_s: float) -> list[str]:
    if not tasks:
        return []
    for task in tasks:
        task.cancel()
    _, pending = await asyncio.wait(tasks, timeout=limit_s)
    names = sorted(task.get_name() for task in pending)
    if names:
        log.error("Did not end within %.1f s of being cancelled: %s.", limit_s, ", ".join(names))
    return names


async def _run_closer(closer: Closer) -> str:
    task = asyncio.ensure_future(_await(closer.close))
    _, pending = await asyncio.wait({task}, timeout=closer.limit_s)
    if pending:
        task.cancel()
        log.error("Closing %s took more than %.1f s and was given up.", closer.name, closer.limit_s)
        return "overran"
    error = None if task.cancelled() else task.exception()
    if error is not None:
        log.error("Closing %s failed: %s", closer.name, error, exc_info=error)
        return "failed"
    return "closed"


async def _await(close: Callable[[], Awaitable[object]]) -> object:
    return await close()


async def _end_executor() -> None:
    """Ends generators and the loop's own threads (name look-ups). A stuck one is left: 3.11 joins it for ever."""
    loop = asyncio.get_running_loop()
    await loop.shutdown_asyncgens()
    ending = asyncio.ensure_future(loop.shutdown_default_executor())
    await asyncio.wait({ending}, timeout=LEFTOVER_LIMIT_S)
