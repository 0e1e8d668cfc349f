"""How long the phases of the last starts took, so that the next start can say what to expect."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine_host.engine.state import PhaseTime, StartPhase
from storage.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from storage.paths import Home

log = logging.getLogger(__name__)

KEPT = 12


@dataclass(frozen=True, slots=True)
class StartTimes:
    """One start that ended READY. Compiled and eager starts differ by a minute, so `eager` is part of the record."""

    run: str
    model: str
    eager: bool
    phases: tuple[PhaseTime, ...]

    @property
    def total_s(self) -> float:
        """Seconds from the start of the process until it answered."""
        return max((phase.ended_s or phase.started_s for phase in self.phases), default=0.0)

    def phase(self, phase: StartPhase) -> PhaseTime | None:
        return next((one for one in self.phases if one.phase is phase), None)


def keep_start(home: Home, times: StartTimes) -> None:
    """Add a start to the file of this home; the oldest leave it. An engine that is ready does not fail for it."""
    kept = [*read_starts(home), times][-KEPT:]
    try:
        write_atomically(_file(home), json.dumps([_written(one) for one in kept]).encode())
    except OSError as error:
        log.warning("The times of this start are not kept: %s.", error.strerror)


def read_starts(home: Home) -> tuple[StartTimes, ...]:
    """Newest last; empty when there is none or the file cannot be understood."""
    try:
        listed: list[dict[str, Any]] = json.loads(_file(home).read_text(encoding="utf-8"))
        return tuple(_read(one) for one in listed)
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def last_start(starts: Sequence[StartTimes], model: str, *, eager: bool, besides: str | None) -> StartTimes | None:
    """The newest start of the same kind that is not the run `besides`."""
    alike = (one for one in reversed(starts) if (one.model, one.eager) == (model, eager) and one.run != besides)
    return next(alike, None)


def _file(home: Home) -> Path:
    return home.logs / "starts.json"


def _written(times: StartTimes) -> dict[str, Any]:
    phases = [[one.phase.value, one.started_s, one.ended_s] for one in times.phases]
    return {"run": times.run, "model": times.model, "eager": times.eager, "phases": phases}


def _read(kept: dict[str, Any]) -> StartTimes:
    phases = tuple(PhaseTime(StartPhase(phase), start, end) for phase, start, end in kept["phases"])
    return StartTimes(kept["run"], kept["model"], kept["eager"], phases)
