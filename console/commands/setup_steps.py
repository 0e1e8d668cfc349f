"""Prints the steps of the first use: one line each, rewritten in place on a terminal, plain lines elsewhere."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from typing import TYPE_CHECKING, Final

from console.setup.lines import DONE, FAILED, RUNNING, STOPPED, WAITING, StepLine, bytes_text, duration_text, step_line
from console.setup.run import StepStatus

if TYPE_CHECKING:
    from collections.abc import Generator

    from console.setup.lines import TextStream
    from console.setup.run import SetupRun, SetupState, StepState

_SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP)
_MARKS: Final = {
    StepStatus.WAITING: WAITING,
    StepStatus.RUNNING: RUNNING,
    StepStatus.DONE: DONE,
    StepStatus.FAILED: FAILED,
    StepStatus.CANCELLED: STOPPED,
    StepStatus.BLOCKED: WAITING,
}


async def print_setup(run: SetupRun, stream: TextStream | None = None) -> bool:
    """Run the steps that are not done and print them on `stream` (stderr); returns whether all are done now.

    Prints nothing when all were done before.
    """
    if await run.look():
        return True
    printer = _Printer(stream or sys.stderr)
    printer.show(run.state.value)
    stop = run.state.watch(printer.show)
    try:
        with _ended_in_order():
            return await run.run()
    finally:
        stop()


@contextlib.contextmanager
def _ended_in_order() -> Generator[None]:
    """SIGTERM and a closed terminal cancel what runs here, as Ctrl+C does: else pip would go on without us."""
    loop, task, got = asyncio.get_running_loop(), asyncio.current_task(), list[int]()

    def leave(number: int) -> None:
        got.append(number)
        if task is not None:
            task.cancel()

    for number in _SIGNALS:
        loop.add_signal_handler(number, leave, number)
    try:
        yield
    except asyncio.CancelledError:
        if got:
            raise SystemExit(128 + got[0]) from None
        raise
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)


class _Printer:
    def __init__(self, stream: TextStream) -> None:
        self._line = StepLine(stream)
        self._ended: set[str] = set()

    def show(self, state: SetupState) -> None:
        for one in state.steps:
            if one.status is StepStatus.RUNNING:
                self._line.show(line_of(one))
            elif one.status is not StepStatus.WAITING and one.step.key not in self._ended:
                self._ended.add(one.step.key)
                self._line.end(line_of(one))


def line_of(state: StepState) -> str:
    """One step as text: `… Engine runtime       downloading torch 2.13.0 · 120 MB of 191 MB · 12 MB/s · 0:06 left`."""
    return step_line(_MARKS[state.status], state.step.title, _facts(state))


def _facts(state: StepState) -> tuple[str, ...]:
    match state.status:
        case StepStatus.WAITING:
            return (state.step.size_hint,)
        case StepStatus.RUNNING:
            return (
                state.report.text or state.step.what,
                _amount(state),
                _rate(state),
                _left(state),
                duration_text(state.seconds),
            )
        case StepStatus.DONE if state.was_there:
            return ("already there",)
        case StepStatus.DONE:
            return (state.told, duration_text(state.seconds))
        case _:
            return (state.told,)


def _amount(state: StepState) -> str:
    done, total = state.report.done, state.report.total
    if done is None:
        return ""
    shown = bytes_text if state.report.unit == "bytes" else "{:.0f}".format
    return shown(done) + (f" of {shown(total)}" if total else "")


def _rate(state: StepState) -> str:
    return f"{bytes_text(state.rate)}/s" if state.rate is not None and state.report.unit == "bytes" else ""


def _left(state: StepState) -> str:
    return "" if state.left_s is None else f"{duration_text(state.left_s)} left"
