"""Drives the real window step by step: a script that says what it waits for, looked at by a timer of the GUI thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

LOOK_MS: Final = 50


@dataclass(frozen=True, slots=True)
class Wait:
    """Go on when `until()` is true; after `limit_s` seconds the script ends with `what` as what did not happen."""

    what: str
    until: Callable[[], bool]
    limit_s: float


def pause(seconds: float) -> Wait:
    """Let the screen live for a moment."""
    end = time.monotonic() + seconds
    return Wait("a pause", lambda: time.monotonic() >= end, seconds + 60)


Script = Generator[Wait, None, None]


class ScriptFailed(Exception):
    """The script can't go on; `str(e)` is a finished sentence."""


class Driver(QObject):
    """`ended(sentence)`: "" when the script came to its end, else what did not happen."""

    ended = Signal(str)

    def __init__(self, script: Script) -> None:
        super().__init__()
        self._script = script
        self._wait: Wait | None = None
        self._since = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._look)

    def start(self) -> None:
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        self._script.close()

    @Slot()
    def _look(self) -> None:
        wait = self._wait
        try:
            if wait is not None and not wait.until():
                if time.monotonic() - self._since > wait.limit_s:
                    self._end(f"The tour stopped: {wait.what} did not happen within {wait.limit_s:.0f} s.")
                return
            self._wait, self._since = next(self._script), time.monotonic()
        except StopIteration:
            self._end("")
        except ScriptFailed as error:
            self._end(str(error))

    def _end(self, sentence: str) -> None:
        self._timer.stop()
        self.ended.emit(sentence)
