"""The ordered start and stop of the program: rooms open one after another, close in reverse, and the process ends."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NoReturn

from console.bridge.shutdown import StopReport

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from types import FrameType

    from PySide6.QtWidgets import QApplication, QWidget

    from console.bridge.collector import GuiCollector
    from console.bridge.loop_thread import LoopThread

log = logging.getLogger(__name__)

SWITCH_S: Final = 0.001
"""The longest that Python code of another thread holds up the GUI thread; Python's own 5 ms can be felt."""


@dataclass(frozen=True, slots=True)
class Room:
    """One part of the program. `open` and `close` run in the loop; `close` is awaited for at most `close_limit_s`."""

    name: str
    open: Callable[[], Awaitable[object]]
    close: Callable[[], Awaitable[object]] | None = None
    close_limit_s: float = 5.0


class Lifecycle:
    """Made in the GUI thread after the bridge. What was opened is closed in reverse order, whatever came between."""

    def __init__(self, app: QApplication, bridge: LoopThread, collector: GuiCollector) -> None:
        self._app = app
        self._bridge = bridge
        self._collector = collector
        self._opened: list[Room] = []
        self._before_stop: list[Callable[[], object]] = []
        self.report = StopReport()
        """How the last stop went."""

    def before_stop(self, step: Callable[[], object]) -> None:
        """Run `step` in the GUI thread when the window is gone and before the loop ends: timers, exporters."""
        self._before_stop.append(step)

    async def open_rooms(self, rooms: Sequence[Room], on_room: Callable[[str], None]) -> None:
        """In the loop. `on_room(name)` before each. A room that fails ends the start; those before it stay open."""
        for room in rooms:
            on_room(room.name)
            # A room that is cancelled half open is closed too.
            self._opened.append(room)
            await room.open()

    def run(self, window: QWidget) -> int:
        """Show the window until it is closed or the process is told to end; returns the exit status."""
        if not self._bridge.is_running:
            self._bridge.start()
        self._collector.start()
        # Last in, first out; a step that fails does not spare the others.
        with ExitStack() as stack:
            stack.callback(window.deleteLater)
            for number in (signal.SIGTERM, signal.SIGINT):
                stack.callback(signal.signal, number, signal.signal(number, self._told_to_end))
            stack.callback(sys.setswitchinterval, sys.getswitchinterval())
            sys.setswitchinterval(SWITCH_S)
            stack.callback(self._collector.stop)
            stack.callback(self._stop_bridge)
            for step in self._before_stop:
                stack.callback(step)
            stack.callback(window.hide)
            window.show()
            return self._app.exec()

    def _stop_bridge(self) -> None:
        for room in reversed(self._opened):
            if room.close is not None:
                self._bridge.add_closer(room.name, room.close, room.close_limit_s)
        self.report = self._bridge.stop()

    def _told_to_end(self, _number: int, _frame: FrameType | None) -> None:
        # Python runs this between two bytecodes of the GUI thread: at the latest at the collector's next tick.
        self._app.quit()


def threads_left() -> tuple[str, ...]:
    """Names of the threads that would hold up the end of the process."""
    main = threading.main_thread()
    return tuple(sorted(t.name for t in threading.enumerate() if t is not main and not t.daemon and t.is_alive()))


def leave(code: int) -> NoReturn:
    """End the process with `code`, also when a thread does not end: it is named in the log."""
    left = threads_left()
    if not left:
        sys.exit(code)
    log.error("Threads that did not end: %s. The process ends without them.", ", ".join(left))
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
