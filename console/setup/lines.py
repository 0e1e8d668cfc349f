"""One step as one line of text: rewritten in place on a terminal, printed now and then elsewhere. Standard library."""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

DONE, FAILED, STOPPED, RUNNING, WAITING = "✓", "✗", "■", "…", "·"
PLAIN_EVERY_S: Final = 15.0
_REDRAW_EVERY_S: Final = 0.1
_CLEAR_LINE: Final = "\r\x1b[2K"


class TextStream(Protocol):
    def write(self, text: str, /) -> int: ...
    def flush(self) -> None: ...
    def isatty(self) -> bool: ...


def bytes_text(count: float) -> str:
    """`640 kB`, `98.4 MB`, `3.42 GB`: powers of ten, three digits."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            value = count / size
            digits = 2 if value < 10 else 1 if value < 100 else 0
            return f"{value:.{digits}f} {unit}"
    return f"{count:.0f} B"


def duration_text(seconds: float) -> str:
    """`0:42`, `12:05`, `1:02:10`."""
    whole = int(seconds)
    hours, minutes = whole // 3600, whole % 3600 // 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def step_line(mark: str, title: str, facts: tuple[str, ...] = ()) -> str:
    told = " · ".join(fact for fact in facts if fact)
    return f"{mark} {title:<20} {told}".rstrip()


class StepLine:
    """Shows a step while it runs. A line that is longer than the terminal is cut, so that it can be rewritten."""

    def __init__(self, stream: TextStream, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._in_place = stream.isatty()
        self._open = False
        self._shown_at = float("-inf")

    def show(self, line: str) -> None:
        """The newest state of the running step; not every call is seen."""
        now = self._clock()
        if now - self._shown_at < (_REDRAW_EVERY_S if self._in_place else PLAIN_EVERY_S):
            return
        self._shown_at = now
        if self._in_place:
            self._open = True
            self._put(_CLEAR_LINE + line[: shutil.get_terminal_size().columns - 1])
        else:
            self._put(f"{line}\n")

    def end(self, line: str) -> None:
        """The last word about the step, always printed whole."""
        self._put((_CLEAR_LINE if self._open else "") + f"{line}\n")
        self._open = False
        self._shown_at = float("-inf")

    def _put(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
