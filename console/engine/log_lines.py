"""One line of vLLM's log, read: when, how bad, what. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

Level = Literal["", "INFO", "WARN", "ERROR"]

_VLLM: Final = re.compile(
    r"(?:\([^)]*\)\s+)?(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL)(?::\s*|\s+\d\d-\d\d (?P<time>\d\d:\d\d:\d\d) )"
    r"(?:\[[^\]]*\] ?)?(?P<text>.*)"
)
_WARNING: Final = re.compile(r"\b\w*Warning: ")
_ERROR: Final = re.compile(r"Traceback \(most recent|^\s*(?:\([^)]*\)\s*)?(?:\w+\.)*\w*(?:Error|Exception)\b")
_LEVELS: Final[dict[str, Level]] = {"WARNING": "WARN", "ERROR": "ERROR", "CRITICAL": "ERROR"}


@dataclass(frozen=True, slots=True)
class LogEntry:
    """`time` is as the engine wrote it, "" when it wrote none. `raw` is the whole line, for Copy."""

    time: str
    level: Level
    text: str
    raw: str


def read_line(line: str) -> LogEntry | None:
    """None for a line that says nothing."""
    if found := _VLLM.match(line):
        text = _clean(found["text"])
        return LogEntry(found["time"] or "", _LEVELS.get(found["level"], "INFO"), text, line) if text else None
    text = _clean(line)
    if not text:
        return None
    level: Level = "WARN" if _WARNING.search(line) else "ERROR" if _ERROR.search(line) else ""
    return LogEntry("", level, text, line)


def _clean(text: str) -> str:
    return text.replace("\t", "    ").rstrip()
