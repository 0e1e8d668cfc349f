"""Start and stop of the whole program, in order, in the middle of anything."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from console import lifecycle
from console.bridge.collector import GuiCollector
from console.bridge.errors import BridgeError
from console.bridge.loop_thread import LoopThread
from console.lifecycle import Lifecycle, Room, leave, threads_left


class House:
    """Rooms that write down what happens to them."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def room(self, name: str, fault: Exception | None = None) -> Room:
        async def open_room() -> None:
            self.log.append(f"open {name}")
            if fault is not None:
                raise fault
            await asyncio.sleep(0)

        async def close_room() -> None:
            self.log.append(f"close {name}")

        return Room(name, open_room, close_room, 1.0)


@pytest.fixture
def house() -> House:
    return House()


if TYPE_CHECKING:
    from collections.abc import Iterator

Program = tuple[Lifecycle, LoopThread, QWidget]


@pytest.fixture
def program(qapp: QApplication) -> Iterator[Program]:
    faults: list[object] = []
    bridge = LoopThread(lambda error, where: faults.append((error, where)))
    yield Lifecycle(qapp, bridge, GuiCollector()), bridge, QWidget()
    # The last window posts a "quit" of its own; outside of exec() it would end every later event loop at once.
    QCoreApplication.removePostedEvents(qapp, QEvent.Type.Quit.value)
    QTimer.singleShot(0, qapp.quit)
    qapp.exec()
    assert faults == []


def test_that_rooms_close_in_reverse_when_the_window_closes_in_mid_work(program: Program, house: House) -> None:
    life, bridge, window = program
    rooms = [house.room("database"), house.room("engine"), Room("clock", asyncio.Event().wait)]
    life.before_stop(lambda: house.log.append("timers off"))
    QTimer.singleShot(0, lambda: bridge.submit(lambda: life.open_rooms(rooms, house.log.append)))
    closer = QTimer()
    closer.timeout.connect(lambda: window.close() if "clock" in house.log else None)
    closer.start(1)
    assert life.run(window) == 0
    assert house.log == [
        "database",
        "open database",
        "engine",
        "open engine",
        "clock",
        "timers off",
        "close engine",
        "close database",
    ]
    assert gc.isenabled()
    assert threads_left() == ()


def test_that_a_failed_start_closes_what_was_opened(program: Program, house: House) -> None:
    life, bridge, window = program
    rooms = [
        house.room("database"),
        house.room("index", BridgeError("The index is locked: another program uses it. Close that one.")),
        house.room("engine"),
    ]

    def begin() -> None:
        bridge.submit(life.open_rooms(rooms, house.log.append)).failed.connect(window.close)

    QTimer.singleShot(0, begin)
    assert life.run(window) == 0
    assert house.log[-2:] == ["close index", "close database"]
    assert "open engine" not in house.log


def test_that_a_failing_step_of_the_stop_does_not_leave_the_loop_running(program: Program, house: House) -> None:
    life, bridge, window = program

    def fail() -> None:
        raise OSError("the export is not finished")

    before = signal.getsignal(signal.SIGTERM)
    life.before_stop(lambda: house.log.append("timers off"))
    life.before_stop(fail)
    QTimer.singleShot(0, window.close)
    with pytest.raises(OSError, match="the export"):
        life.run(window)
    assert house.log == ["timers off"]
    assert not bridge.is_running
    assert gc.isenabled()
    assert signal.getsignal(signal.SIGTERM) is before


def test_that_a_terminate_signal_closes_the_program_with_exit_status_0(program: Program) -> None:
    life, _, window = program
    before = signal.getsignal(signal.SIGTERM)
    QTimer.singleShot(0, lambda: os.kill(os.getpid(), signal.SIGTERM))
    assert life.run(window) == 0
    assert signal.getsignal(signal.SIGTERM) is before


def test_that_leaving_ends_the_process_even_with_a_stuck_thread(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    release = threading.Event()
    thread = threading.Thread(target=release.wait, name="stuck writer")
    thread.start()
    codes: list[int] = []

    def end(code: int) -> None:
        codes.append(code)
        raise SystemExit(code)

    monkeypatch.setattr(lifecycle.os, "_exit", end)
    monkeypatch.setattr(logging, "shutdown", lambda: None)
    with pytest.raises(SystemExit):
        leave(0)
    release.set()
    thread.join(5)
    assert codes == [0]
    assert "stuck writer" in caplog.text


def test_that_leaving_with_nothing_left_is_a_plain_exit() -> None:
    with pytest.raises(SystemExit) as left:
        leave(3)
    assert left.value.code == 3
