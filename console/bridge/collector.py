"""Python's garbage collection, moved into the GUI thread.

A collection that happens to run in the loop thread would destroy QObjects there. So the automatic one is off while the
window is open, and a timer of the GUI thread looks every 100 ms whether a generation is due.
"""

from __future__ import annotations

import gc
import time
from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot

CHECK_MS: Final = 100
OLDEST: Final = 2
OLDEST_EVERY_S: Final = 60.0
"""Collecting the oldest generation walks every object: at most once in this time."""


def due_generation(counts: tuple[int, int, int], thresholds: tuple[int, int, int], oldest_age_s: float) -> int | None:
    """The oldest generation that is due, None when none is. Counts and thresholds as `gc` gives them."""
    if counts[2] > thresholds[2] and oldest_age_s >= OLDEST_EVERY_S:
        return OLDEST
    if counts[1] > thresholds[1]:
        return 1
    return 0 if counts[0] > thresholds[0] else None


class GuiCollector(QObject):
    """`start()` and `stop()` in the GUI thread; `stop` restores what was set before."""

    def __init__(self) -> None:
        super().__init__()
        self._was_enabled = False
        self._oldest_at = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(CHECK_MS)
        self._timer.timeout.connect(self.check)

    def start(self) -> None:
        self._was_enabled = gc.isenabled()
        gc.disable()
        self._oldest_at = time.monotonic()
        self._timer.start()

    def settle(self) -> None:
        """Call once, when the heavy libraries are loaded: later collections do not walk again what is alive now."""
        gc.collect()
        gc.freeze()
        self._oldest_at = time.monotonic()

    def stop(self) -> None:
        if not self._timer.isActive():
            return
        self._timer.stop()
        gc.unfreeze()
        if self._was_enabled:
            gc.enable()

    @Slot()
    def check(self) -> None:
        now = time.monotonic()
        generation = due_generation(gc.get_count(), gc.get_threshold(), now - self._oldest_at)
        if generation is None:
            return
        gc.collect(generation)
        if generation == OLDEST:
            self._oldest_at = now
