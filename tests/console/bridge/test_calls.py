"""One piece of work across the bridge: what comes back, in which thread, and what a cancel truly did."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from console.bridge.errors import BridgeError, UnexpectedFaultError

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.bridge.loop_thread import LoopThread
    from tests.console.bridge.conftest import Faults, Probe


async def _double(number: int) -> tuple[int, int]:
    await asyncio.sleep(0)
    return number * 2, threading.get_ident()


async def _for_ever() -> None:
    await asyncio.Event().wait()


async def _refuse() -> None:
    raise BridgeError("The order system refused: the key is wrong. Check it in Settings.")


async def _break() -> None:
    raise KeyError("x")


def test_that_work_runs_in_the_loop_thread_and_is_answered_in_the_gui_thread(
    bridge: LoopThread, probe: Probe, qtbot: QtBot
) -> None:
    call = bridge.submit(_double(21))
    probe.listen(call)
    qtbot.waitUntil(lambda: not call.running)
    ((value, loop_thread),) = probe.named("done")  # type: ignore[misc]
    assert value == 42
    assert loop_thread != threading.get_ident()
    assert probe.threads == {threading.get_ident()}
    assert [name for name, _ in probe.events] == ["done", "finished"]


def test_that_a_factory_is_called_in_the_loop(bridge: LoopThread, probe: Probe, qtbot: QtBot) -> None:
    call = bridge.submit(lambda: _double(4))
    probe.listen(call)
    qtbot.waitUntil(lambda: not call.running)
    assert probe.named("done")[0][0] == 8  # type: ignore[index]


def test_that_a_call_without_an_owner_is_still_answered(bridge: LoopThread, probe: Probe, qtbot: QtBot) -> None:
    probe.listen(bridge.submit(_double(1)))
    qtbot.waitUntil(lambda: len(probe.named("finished")) == 1)


def test_that_a_room_s_refusal_is_shown_and_not_reported_as_a_crash(
    bridge: LoopThread, probe: Probe, faults: Faults, qtbot: QtBot
) -> None:
    call = bridge.submit(_refuse())
    probe.listen(call)
    qtbot.waitUntil(lambda: not call.running)
    assert str(probe.named("failed")[0]).startswith("The order system refused")
    assert faults.seen == []


def test_that_an_unforeseen_error_goes_to_the_crash_report_and_the_caller_gets_a_sentence(
    bridge: LoopThread, probe: Probe, faults: Faults, qtbot: QtBot
) -> None:
    call = bridge.submit(_break(), "load articles")
    probe.listen(call)
    qtbot.waitUntil(lambda: not call.running)
    (error,) = probe.named("failed")
    assert isinstance(error, UnexpectedFaultError)
    assert isinstance(error.__cause__, KeyError)
    assert "KeyError" not in str(error)
    assert faults.seen[0][1].startswith("load articles")


def test_that_cancel_ends_the_task_and_says_only_cancelled(bridge: LoopThread, probe: Probe, qtbot: QtBot) -> None:
    call = bridge.submit(_for_ever())
    probe.listen(call)
    call.cancel()
    qtbot.waitUntil(lambda: not call.running)
    assert [name for name, _ in probe.events] == ["cancelled", "finished"]


def test_that_cancel_after_the_work_was_done_does_not_unsay_it(bridge: LoopThread, probe: Probe, qtbot: QtBot) -> None:
    worked = threading.Event()

    async def work() -> str:
        worked.set()
        return "saved"

    call = bridge.submit(work)
    probe.listen(call)
    assert worked.wait(5)
    call.cancel()
    qtbot.waitUntil(lambda: not call.running)
    assert probe.named("done") == ["saved"]


def test_that_a_dropped_call_is_silent(bridge: LoopThread, probe: Probe, qtbot: QtBot) -> None:
    call = bridge.submit(_double(3))
    probe.listen(call)
    call.drop()
    qtbot.waitUntil(lambda: not call.running)
    assert probe.events == []


def test_that_many_calls_are_answered_each_once(bridge: LoopThread, probe: Probe, qtbot: QtBot) -> None:
    for number in range(500):
        probe.listen(bridge.submit(_double(number)))
    qtbot.waitUntil(lambda: len(probe.named("finished")) == 500)
    assert [value[0] for value in probe.named("done")] == [2 * n for n in range(500)]  # type: ignore[index]
