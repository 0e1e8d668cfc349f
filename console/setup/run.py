"""Walks the steps of the first use and publishes where it stands."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from console.setup.pace import Pace
from console.setup.steps import SetupRefused, SetupStep, StepKey, StepReport, StepWork
from engine_host.engine.errors import EngineRoomError
from engine_host.published import Published
from knowledge.errors import KnowledgeError
from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

TOLD_ERRORS: Final = (SetupRefused, EngineRoomError, KnowledgeError, StorageError)
NOTHING_YET: Final = StepReport("")
_TICK_S: Final = 1.0


class StepStatus(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class StepState:
    """Where one step stands. `report` belongs to a running step; `rate` is its units a second, `left_s` seconds left.

    `told` says what is there now (DONE) or why not, with the next step (FAILED, BLOCKED). `was_there` = DONE before
    this run, so nothing had to be done. `seconds` is how long it ran in this run.
    """

    step: SetupStep
    status: StepStatus = StepStatus.WAITING
    report: StepReport = NOTHING_YET
    rate: float | None = None
    left_s: float | None = None
    seconds: float = 0.0
    told: str = ""
    was_there: bool = False

    @property
    def fraction(self) -> float | None:
        """0 to 1 of what is reported now, None when that is not known."""
        done, total = self.report.done, self.report.total
        return min(done / total, 1.0) if total and done is not None else None


@dataclass(frozen=True, slots=True)
class SetupState:
    steps: tuple[StepState, ...]

    @property
    def all_done(self) -> bool:
        return all(one.status is StepStatus.DONE for one in self.steps)

    def of(self, key: StepKey) -> StepState:
        return next(one for one in self.steps if one.step.key == key)


class SetupRun:
    """Use in one loop: `look` finds out what is done, `run` does the rest. Cancel the task of `run` to stop it."""

    def __init__(self, works: Sequence[StepWork], clock: Callable[[], float] = time.monotonic) -> None:
        self._works = tuple(works)
        self._clock = clock
        self.state = Published(SetupState(tuple(StepState(work.step) for work in self._works)))

    async def look(self) -> bool:
        """Whether every step is done; publishes which are. Starts nothing."""
        for work in self._works:
            if self.state.value.of(work.step.key).status is not StepStatus.DONE and await work.is_done():
                self._show(work.step, status=StepStatus.DONE, was_there=True)
        return self.state.value.all_done

    async def run(self) -> bool:
        """Do every step that is not done, in order; returns whether all are done now.

        A step that fails says so in its state and blocks only those that need it. Cancelling marks the running step
        as cancelled and is raised; run again to go on.
        """
        await self.look()
        for work in self._works:
            state = self.state.value
            if state.of(work.step.key).status is StepStatus.DONE:
                continue
            lacking = [state.of(key).step.title for key in work.step.needs if state.of(key).status != StepStatus.DONE]
            if lacking:
                told = f"{work.step.title} waits: {lacking[0]} is not done. Finish that step first."
                self._show(work.step, status=StepStatus.BLOCKED, told=told)
            else:
                await self._do(work)
        return self.state.value.all_done

    async def _do(self, work: StepWork) -> None:
        begun, pace = self._clock(), Pace()

        def report(news: StepReport) -> None:
            if news.done is not None:
                pace.add(self._clock(), news.done)
            self._show(
                work.step,
                report=news,
                rate=pace.rate if news.done is not None else None,
                left_s=pace.left_s(news.total) if news.done is not None else None,
                seconds=self._clock() - begun,
            )

        self._show(work.step, status=StepStatus.RUNNING, report=NOTHING_YET, seconds=0.0, told="")
        try:
            async with self._ticking(work.step, begun):
                told = await work.run(report)
        except asyncio.CancelledError:
            self._end(work.step, StepStatus.CANCELLED, "Stopped. Run ./dabba again to go on.", begun)
            raise
        except TOLD_ERRORS as error:
            self._end(work.step, StepStatus.FAILED, str(error), begun)
        except OSError as error:
            told = (
                f"{work.step.title} could not be written: {error.strerror or error}. Make room, then run ./dabba again."
            )
            self._end(work.step, StepStatus.FAILED, told, begun)
        else:
            self._end(work.step, StepStatus.DONE, told, begun)

    @contextlib.asynccontextmanager
    async def _ticking(self, step: SetupStep, begun: float) -> AsyncGenerator[None]:
        async def tick() -> None:
            while True:
                await asyncio.sleep(_TICK_S)
                self._show(step, seconds=self._clock() - begun)

        ticking = asyncio.create_task(tick())
        try:
            yield
        finally:
            ticking.cancel()
            await asyncio.wait({ticking})

    def _end(self, step: SetupStep, status: StepStatus, told: str, begun: float) -> None:
        self._show(step, status=status, told=told, seconds=self._clock() - begun, rate=None, left_s=None)

    def _show(self, step: SetupStep, **changes: object) -> None:
        steps = self.state.value.steps
        changed = tuple(replace(one, **changes) if one.step.key == step.key else one for one in steps)
        self.state.publish(SetupState(changed))
