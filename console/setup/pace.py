"""How fast a step goes, from what it reported over the last seconds. Pure."""

from __future__ import annotations

from collections import deque
from typing import Final

WINDOW_S: Final = 10.0
SHORTEST_S: Final = 1.0


class Pace:
    """Fed with (seconds by one clock, amount done). Begins anew when the amount falls: another file came."""

    def __init__(self) -> None:
        self._marks: deque[tuple[float, float]] = deque()

    def add(self, now_s: float, done: float) -> None:
        if self._marks and done < self._marks[-1][1]:
            self._marks.clear()
        self._marks.append((now_s, done))
        while now_s - self._marks[0][0] > WINDOW_S:
            self._marks.popleft()

    @property
    def rate(self) -> float | None:
        """Amount a second; None when nothing moved, or for too short a time to tell."""
        if len(self._marks) < 2:
            return None
        (first_s, first), (last_s, last) = self._marks[0], self._marks[-1]
        known = last_s - first_s >= SHORTEST_S and last > first
        return (last - first) / (last_s - first_s) if known else None

    def left_s(self, total: float | None) -> float | None:
        """Seconds until `total` at this rate; None when either is not known."""
        rate = self.rate
        return None if total is None or rate is None else max(total - self._marks[-1][1], 0.0) / rate
