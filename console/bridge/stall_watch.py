"""How long the GUI thread keeps the user waiting: the lateness of a fine timer that lives in it."""

from __future__ import annotations

import time
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Slot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TICK_MS: Final = 5
KEPT: Final = 60_000
"""Samples kept: five minutes of ticks."""


@dataclass(frozen=True, slots=True)
class Stalls:
    """Milliseconds that an event of the GUI thread had to wait; `samples` is how many waits these are taken from."""

    p50: float
    p99: float
    max: float
    samples: int


def waits(late_ms: float, tick_ms: float = TICK_MS) -> Iterator[float]:
    """The waits that one late tick stands for: events due at each tick missed meanwhile waited for the rest of it.

    Without them a freeze of a second would count as one sample of many and vanish from p99.
    """
    yield max(late_ms, 0.0)
    late_ms -= tick_ms
    while late_ms > 0:
        yield late_ms
        late_ms -= tick_ms


def summarise(samples_ms: Sequence[float]) -> Stalls | None:
    """Nearest-rank percentiles; None when there is no sample."""
    if not samples_ms:
        return None
    ordered = sorted(samples_ms)
    count = len(ordered)
    return Stalls(ordered[(count - 1) // 2], ordered[-(-99 * count // 100) - 1], ordered[-1], count)


class StallWatch(QObject):
    """Costs about 0.3 % of a core while it is on. Starts, reads and stops in the GUI thread."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._samples = array("d")
        self._next = 0
        self._last = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        """Forget earlier samples and watch from now on."""
        self._samples = array("d")
        self._next = 0
        self._last = time.perf_counter()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def stalls(self) -> Stalls | None:
        return summarise(self._samples)

    @Slot()
    def _tick(self) -> None:
        now = time.perf_counter()
        late_ms = (now - self._last) * 1000 - TICK_MS
        self._last = now
        for wait in waits(late_ms):
            self._keep(wait)

    def _keep(self, wait_ms: float) -> None:
        if len(self._samples) < KEPT:
            self._samples.append(wait_ms)
        else:
            self._samples[self._next] = wait_ms
            self._next = (self._next + 1) % KEPT
