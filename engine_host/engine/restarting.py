"""How often, and after which pause, an engine that died is started again. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

LONGEST_PAUSE_S = 60.0


@dataclass(frozen=True, slots=True)
class Restart:
    """The start that follows a death, number `number` of at most `of` within the window; `pause_s` lie between."""

    number: int
    of: int
    pause_s: float

    @property
    def sentence(self) -> str:
        return f"It is started again in {self.pause_s:g} s ({self.number} of {self.of})."


@dataclass(slots=True)
class RestartBudget:
    """`times` starts within `window_s` seconds; each pause is twice the one before, from 1 s."""

    times: int
    window_s: float
    _deaths: list[float] = field(default_factory=list[float])

    def spend(self, at: float) -> Restart | None:
        """A death at `at` (seconds, monotonic); None when the engine has died too often."""
        self._deaths = [death for death in self._deaths if at - death < self.window_s]
        if len(self._deaths) >= self.times:
            return None
        self._deaths.append(at)
        number = len(self._deaths)
        return Restart(number, self.times, min(2.0 ** (number - 1), LONGEST_PAUSE_S))

    def gave_up(self, fact: str) -> str:
        """The end of a crash loop; `fact` is the sentence about the last death."""
        if not self.times:
            return fact
        minutes = max(1, round(self.window_s / 60))
        return f"{fact} It died {self.times + 1} times within {minutes} minutes and is not started again by itself."
