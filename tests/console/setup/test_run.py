from __future__ import annotations

import asyncio
import io
import os
import signal
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from console.commands.setup_steps import line_of, print_setup
from console.setup.run import SetupRun, SetupState, StepState, StepStatus
from console.setup.steps import EMBEDDING, KITCHEN, MODEL, RUNTIME, SetupRefused, SetupStep, StepReport

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class FakeWork:
    """A step that does what the test says."""

    step: SetupStep
    done: bool = False
    error: Exception | None = None
    reports: tuple[StepReport, ...] = ()
    hangs: bool = False
    started: asyncio.Event = field(default_factory=asyncio.Event)
    runs: int = 0

    async def is_done(self) -> bool:
        return self.done

    async def run(self, report: Callable[[StepReport], None]) -> str:
        self.runs += 1
        self.started.set()
        for one in self.reports:
            report(one)
        if self.hangs:
            await asyncio.Event().wait()
        if self.error:
            raise self.error
        self.done = True
        return "it is there"


def statuses(run: SetupRun) -> list[StepStatus]:
    return [one.status for one in run.state.value.steps]


async def test_that_what_is_done_is_not_done_again() -> None:
    works = [FakeWork(RUNTIME, done=True), FakeWork(MODEL)]
    run = SetupRun(works)
    assert await run.run()
    assert [work.runs for work in works] == [0, 1]
    runtime, model = run.state.value.steps
    assert (runtime.was_there, model.was_there, model.told) == (True, False, "it is there")


async def test_that_looking_starts_nothing() -> None:
    works = [FakeWork(RUNTIME, done=True), FakeWork(MODEL)]
    run = SetupRun(works)
    assert not await run.look()
    assert statuses(run) == [StepStatus.DONE, StepStatus.WAITING]
    assert works[1].runs == 0


async def test_that_a_failed_step_blocks_only_what_needs_it() -> None:
    refused = SetupRefused("The disk is full. Make room.")
    run = SetupRun([FakeWork(RUNTIME, error=refused), FakeWork(MODEL), FakeWork(EMBEDDING), FakeWork(KITCHEN)])
    assert not await run.run()
    assert statuses(run) == [StepStatus.FAILED, StepStatus.BLOCKED, StepStatus.DONE, StepStatus.DONE]
    assert run.state.value.of("runtime").told == "The disk is full. Make room."
    assert "Engine runtime is not done" in run.state.value.of("model").told


async def test_that_a_disk_that_refuses_is_a_sentence() -> None:
    run = SetupRun([FakeWork(RUNTIME, error=OSError(28, "No space left on device"))])
    assert not await run.run()
    assert "Engine runtime could not be written: No space left on device." in run.state.value.of("runtime").told


async def test_that_a_second_run_goes_on_where_the_first_failed() -> None:
    runtime, model = FakeWork(RUNTIME, error=SetupRefused("No network. Try again.")), FakeWork(MODEL)
    run = SetupRun([runtime, model])
    await run.run()
    runtime.error = None
    assert await run.run()
    assert statuses(run) == [StepStatus.DONE, StepStatus.DONE]
    assert run.state.value.of("runtime").told == "it is there"


async def test_that_cancelling_marks_the_running_step_and_leaves_the_rest() -> None:
    runtime = FakeWork(RUNTIME, hangs=True)
    run = SetupRun([runtime, FakeWork(MODEL)])
    task = asyncio.create_task(run.run())
    await runtime.started.wait()
    assert statuses(run) == [StepStatus.RUNNING, StepStatus.WAITING]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert statuses(run) == [StepStatus.CANCELLED, StepStatus.WAITING]


async def test_that_rate_and_time_left_are_published() -> None:
    seconds = iter(range(100))
    reports = tuple(StepReport("Downloading torch", 1e6 * n, 10e6) for n in range(1, 4))
    run = SetupRun([FakeWork(RUNTIME, reports=reports)], clock=lambda: float(next(seconds)))
    seen: list[SetupState] = []
    run.state.watch(seen.append)
    await run.run()
    running = next(one.steps[0] for one in seen if one.steps[0].report.done == 3e6)
    assert running.fraction == pytest.approx(0.3)
    assert running.rate is not None
    assert running.left_s == pytest.approx(7e6 / running.rate)


async def test_that_each_step_is_printed_with_its_end() -> None:
    failed = FakeWork(RUNTIME, error=SetupRefused("The index cannot be reached. Check the network."))
    works = [failed, FakeWork(MODEL), FakeWork(EMBEDDING, done=True), FakeWork(KITCHEN)]
    stream = io.StringIO()
    assert not await print_setup(SetupRun(works), stream)
    printed = stream.getvalue()
    assert "✗ Engine runtime       The index cannot be reached. Check the network." in printed
    assert "· Engine model" in printed
    assert "✓ Embedding model      already there" in printed
    assert "✓ Sample kitchen       it is there" in printed


async def test_that_nothing_is_printed_when_nothing_is_to_do() -> None:
    stream = io.StringIO()
    assert await print_setup(SetupRun([FakeWork(RUNTIME, done=True)]), stream)
    assert stream.getvalue() == ""


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGHUP])
def test_that_a_signal_cancels_the_running_step_and_ends_the_command(sign: signal.Signals) -> None:
    stream = io.StringIO()

    async def command() -> None:
        runtime = FakeWork(RUNTIME, hangs=True)
        printing = asyncio.create_task(print_setup(SetupRun([runtime]), stream))
        await runtime.started.wait()
        os.kill(os.getpid(), sign)
        await printing

    with pytest.raises(SystemExit) as ended:
        asyncio.run(command())
    assert ended.value.code == 128 + sign
    assert "■ Engine runtime       Stopped. Run ./dabba again to go on." in stream.getvalue()


def test_that_a_running_step_is_shown_with_bytes_rate_and_time() -> None:
    state = StepState(
        RUNTIME, StepStatus.RUNNING, StepReport("Downloading torch", 120e6, 191e6), rate=12e6, left_s=6, seconds=10
    )
    assert line_of(state) == (
        "… Engine runtime       Downloading torch · 120 MB of 191 MB · 12.0 MB/s · 0:06 left · 0:10"
    )
