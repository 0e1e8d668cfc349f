"""Lines of vLLM's log -> the phases of a start with their times. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine_host.engine.state import PhaseTime, StartPhase

_MARKS = (
    (
        StartPhase.WEIGHTS,
        re.compile(r"Starting to load model|Loading (safetensors|pt) checkpoint|Loading model weights"),
    ),
    (
        StartPhase.COMPILE,
        re.compile(
            r"Warming up model for the compilation|Dynamo bytecode transform|Compiling a graph|Capturing CUDA graph"
        ),
    ),
    (
        StartPhase.KV,
        re.compile(r"KV cache layout|for KV cache|KV cache memory|KV cache size|kv cache size", re.IGNORECASE),
    ),
    (StartPhase.WARM_UP, re.compile(r"init engine \(profile|Starting vLLM server|Application startup complete")),
)


@dataclass(slots=True)
class PhaseReader:
    """Fed with log lines and the seconds since the process began. A phase that has passed does not come back."""

    _done: list[PhaseTime] = field(default_factory=list[PhaseTime])
    _now: StartPhase = StartPhase.ENVIRONMENT
    _since: float = 0.0

    def feed(self, line: str, at_s: float) -> bool:
        """Whether `line` began a phase."""
        for phase, mark in _MARKS:
            if mark.search(line) and phase is not self._now and all(phase is not past.phase for past in self._done):
                self._begin(phase, at_s)
                return True
        return False

    def ready(self, at_s: float) -> None:
        self._begin(StartPhase.READY, at_s)

    def _begin(self, phase: StartPhase, at_s: float) -> None:
        self._done.append(PhaseTime(self._now, self._since, at_s))
        self._now, self._since = phase, at_s

    @property
    def phases(self) -> tuple[PhaseTime, ...]:
        """What has passed and, last, what runs now; READY ends when it begins."""
        end = self._since if self._now is StartPhase.READY else None
        return (*self._done, PhaseTime(self._now, self._since, end))
