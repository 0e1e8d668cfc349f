"""One line of vLLM's log, read: when, how bad, what. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from datetime import tzinfo

Level = Literal["", "INFO", "WARN", "ERROR"]

_VLLM: Final = re.compile(
    r"(?:\([^)]*\)\s+)?(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL)(?::\s*|\s+(?P<time>\d\d-\d\d \d\d:\d\d:\d\d) )"
    r"(?:\[[^\]]*\] ?)?(?P<text>.*)"
)
_WARNING: Final = re.compile(r"\b\w*Warning: ")
_ERROR: Final = re.compile(r"Traceback \(most recent|^\s*(?:\([^)]*\)\s*)?(?:\w+\.)*\w*(?:Error|Exception)\b")
_LEVELS: Final[dict[str, Level]] = {"WARNING": "WARN", "ERROR": "ERROR", "CRITICAL": "ERROR"}


@dataclass(frozen=True, slots=True)
class LogEntry:
    """`time` is `12:41:07`, "" when the engine wrote none. `raw` is the whole line as it wrote it, for Copy."""

    time: str
    level: Level
    text: str
    raw: str


Clock = Callable[[str], str]
"""Turns the engine's `11-30 10:04:18` into the time that is shown."""


def as_written(moment: str) -> str:
    return moment[6:]


def clock_of(zone: tzinfo, machine: tzinfo | None = None, year: int | None = None) -> Clock:
    """The engine writes the time of its machine, without a year; what is shown is the time of `zone`.

    `machine` None = the zone of this machine, `year` None = this year.
    """
    now = datetime.now(UTC).year if year is None else year

    @lru_cache(maxsize=256)
    def minute(moment: str) -> str:
        try:
            there = datetime.strptime(f"{now}-{moment}", "%Y-%m-%d %H:%M").replace(tzinfo=machine)
        except ValueError:
            return moment[6:]
        return f"{there.astimezone(zone):%H:%M}"

    return lambda moment: minute(moment[:-3]) + moment[-3:]


def read_line(line: str, clock: Clock = as_written) -> LogEntry | None:
    """None for a line that says nothing."""
    if found := _VLLM.match(line):
        text = _clean(found["text"])
        time = clock(found["time"]) if text and found["time"] else ""
        return LogEntry(time, _LEVELS.get(found["level"], "INFO"), text, line) if text else None
    text = _clean(line)
    if not text:
        return None
    level: Level = "WARN" if _WARNING.search(line) else "ERROR" if _ERROR.search(line) else ""
    return LogEntry("", level, text, line)


def _clean(text: str) -> str:
    return text.replace("\t", "    ").rstrip()
