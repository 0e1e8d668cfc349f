"""Starts the bench program as child processes and reads what they report. No Qt in here."""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Final

PROGRAM: Final = "console.bench.program"
START: Final = "console.bench.start"
LIMIT_S: Final = 60.0
"""A child that takes longer hangs: it is killed and counts as unclean."""


@dataclass(frozen=True, slots=True)
class Report:
    """What one child printed and how it ended. `code` is None when it hung; `complaint` is what was not clean."""

    code: int | None
    facts: dict[str, Any] = field(default_factory=dict[str, Any])
    complaint: str = ""

    @property
    def clean(self) -> bool:
        return self.code == 0 and not self.complaint


@dataclass(slots=True)
class _Child:
    process: subprocess.Popen[str]
    started_at: float


def run_child(*arguments: str, limit_s: float = LIMIT_S) -> Report:
    return run_program(PROGRAM, *arguments, limit_s=limit_s)


def run_program(module: str, *arguments: str, limit_s: float = LIMIT_S) -> Report:
    """Any of our modules that reports as the bench program does."""
    return _finish(_start(module, *arguments), limit_s)


def warm_start_s(times: int) -> float | None:
    """Median seconds from the start of a process to its painted window; one start before warms the files."""
    _finish(_start(START), LIMIT_S)
    taken: list[float] = []
    for _ in range(times):
        begun = time.monotonic()
        report = _finish(_start(START), LIMIT_S)
        if not report.clean:
            return None
        taken.append(report.facts["painted_at"] - begun)
    return statistics.median(taken)


def exits_in_mid_work(times: int, longest_ms: int = 400, seed: int = 1) -> tuple[Report, ...]:
    """Close the window of `times` programs at random moments while their streams run, some at a time."""
    dice = random.Random(seed)  # noqa: S311 - moments, not secrets
    running: deque[_Child] = deque()
    reports: list[Report] = []
    for _ in range(times):
        if len(running) >= (os.cpu_count() or 1):
            reports.append(_finish(running.popleft(), LIMIT_S))
        running.append(_start(PROGRAM, "leave", "--close-ms", str(dice.randint(0, longest_ms))))
    reports += [_finish(child, LIMIT_S) for child in running]
    return tuple(reports)


def _start(module: str, *arguments: str) -> _Child:
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    process = subprocess.Popen(  # noqa: S603 - our own module
        (sys.executable, "-m", module, *arguments),
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    return _Child(process, time.monotonic())


def _finish(child: _Child, limit_s: float) -> Report:
    try:
        out, err = child.process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        child.process.kill()
        child.process.communicate()
        return Report(None, complaint=f"It did not end within {limit_s:.0f} s.")
    code = child.process.returncode
    if code != 0 or not out:
        return Report(code, complaint=err.strip() or out.strip() or f"It ended with exit status {code}.")
    return Report(code, json.loads(out), complaint=_unexpected(err))


def _unexpected(err: str) -> str:
    """What a child wrote to its error stream, but for the offscreen plug-in's one remark."""
    lines = [line for line in err.splitlines() if "does not support propagateSizeHints" not in line]
    return "\n".join(lines).strip()
