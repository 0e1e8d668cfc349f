"""When an engine that says that it is well must prove it by one token. Pure.

Only a server shows by its counters whether it works: while they grow, nothing is asked. One that has requests in hand
and makes no token is asked after 5 s; one at rest once a minute, which costs it some 30 prompt tokens and a tenth of a
second.
"""

from __future__ import annotations

from dataclasses import dataclass

STUCK_S = 5.0
IDLE_S = 60.0
AGAIN_S = 2.0
ANSWER_S = 4.0
"""How long it may take for the token."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """`progress` grows with everything that the engine does: tokens read and written, steps. Requests `in_hand`."""

    in_hand: int
    progress: float
    asleep: bool = False


@dataclass(slots=True)
class Canary:
    """Fed with each pulse. Times are monotonic seconds. `at_rest`: it may be asked when it has nothing to do."""

    at_rest: bool
    _last: Pulse | None = None
    _moved: float = 0.0
    _asked: float = float("-inf")

    def feel(self, pulse: Pulse, at: float) -> bool:
        """Whether the engine has moved since the last pulse, or had no reason to."""
        before, self._last = self._last, pulse
        if before is None or pulse.progress != before.progress or (pulse.in_hand and not before.in_hand):
            self._moved = at
            return True
        return False

    def due(self, at: float) -> bool:
        if self._last is None or at - self._asked < AGAIN_S:
            return False
        if self._last.in_hand:
            return at - self._moved >= STUCK_S
        return self.at_rest and at - max(self._moved, self._asked) >= IDLE_S

    def asked(self, at: float) -> None:
        self._asked = at

    def still_s(self, at: float) -> float:
        """Seconds since the engine last moved."""
        return at - self._moved
