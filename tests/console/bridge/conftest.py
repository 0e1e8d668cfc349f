"""A started bridge, and a probe that records signals in the GUI thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, Slot

from console.bridge.loop_thread import LoopThread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from console.bridge.calls import Call
    from console.bridge.streams import Stream


class Faults:
    """Collects what would go to the crash report."""

    def __init__(self) -> None:
        self.seen: list[tuple[BaseException, str]] = []

    def report(self, error: BaseException, where: str) -> None:
        self.seen.append((error, where))


class Probe(QObject):
    """Remembers every signal with the thread in which it came."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[tuple[str, object]] = []
        self.threads: set[int] = set()

    def listen(self, source: Call | Stream) -> None:
        for name in ("done", "failed", "cancelled", "finished", "batch", "ended", "changed"):
            if hasattr(source, name):
                getattr(source, name).connect(getattr(self, f"on_{name}"))

    def named(self, name: str) -> list[object]:
        return [value for event, value in self.events if event == name]

    def _note(self, name: str, value: object = None) -> None:
        self.threads.add(threading.get_ident())
        self.events.append((name, value))

    @Slot(object)
    def on_done(self, value: object) -> None:
        self._note("done", value)

    @Slot(object)
    def on_failed(self, error: object) -> None:
        self._note("failed", error)

    @Slot()
    def on_cancelled(self) -> None:
        self._note("cancelled")

    @Slot()
    def on_finished(self) -> None:
        self._note("finished")

    @Slot(tuple)
    def on_batch(self, items: tuple[object, ...]) -> None:
        self._note("batch", items)

    @Slot(object)
    def on_ended(self, error: object) -> None:
        self._note("ended", error)

    @Slot(object)
    def on_changed(self, value: object) -> None:
        self._note("changed", value)


@pytest.fixture
def faults() -> Faults:
    return Faults()


@pytest.fixture
def bridge(qtbot: QtBot, faults: Faults) -> Iterator[LoopThread]:
    bridge = LoopThread(faults.report)
    bridge.start()
    yield bridge
    bridge.stop()


@pytest.fixture
def probe(qtbot: QtBot) -> Probe:
    return Probe()
