"""The last lines of a dead engine's log -> why it stopped and what to do. The causes are in assets/engine. Pure."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine_host.engine.state import Change

_LONGEST = 240
_ABOUT_KILL = ", which the system also does when memory runs out"
_ERROR_LINE = re.compile(r"^\s*(?:\([^)]*\)\s*)?(?:ERROR .*?\] )?((?:\w+\.)*\w*(?:Error|Exception)): (.+)$")


@dataclass(frozen=True, slots=True)
class Reason:
    """`why` is half a sentence without a full stop, `next_step` a whole one. `change` is that step as settings: names
    and values of storage.settings.EngineSettings; empty when none helps.
    """

    why: str
    next_step: str
    change: Mapping[str, Change] = field(default_factory=dict[str, "Change"])


@dataclass(frozen=True, slots=True)
class Cause:
    """One entry of failures.toml; `shadows` when it only tells that something else went wrong."""

    pattern: re.Pattern[str]
    why: str
    next_step: str
    change: Mapping[str, Any]
    shadows: bool

    def told_by(self, found: re.Match[str]) -> Reason:
        made = {name: _value(wanted, found) for name, wanted in self.change.items()}
        return Reason(
            found.expand(self.why)[:_LONGEST],
            self.next_step,
            {name: value for name, value in made.items() if value is None or value > 0},
        )


def _value(wanted: Any, found: re.Match[str]) -> float | None:
    """ "" clears a setting."""
    if wanted == "":
        return None
    step = wanted["step"]
    steps = int(float(found.expand(wanted["from"])) * wanted.get("times", 1) / step + 1e-9)
    return steps * step if isinstance(step, int) else round(steps * step, 3)


@cache
def causes() -> tuple[Cause, ...]:
    text = files("assets").joinpath("engine/failures.toml").read_text(encoding="utf-8")
    listed: list[dict[str, Any]] = tomllib.loads(text)["cause"]
    return tuple(_cause(one) for one in listed)


def _cause(one: Mapping[str, Any]) -> Cause:
    pattern = re.compile(one["pattern"])
    return Cause(pattern, one["why"], one["next_step"], one.get("change", {}), one.get("shadows", False))


def reason_of(lines: Sequence[str], exit_status: int | None, seen: str = "") -> Reason:
    """The first known cause among `lines`, most telling first; then what was `seen` from outside (half a sentence);
    else the last error line; else how it ended.

    An engine that was killed by a signal had no time to write why.
    """
    if exit_status is not None and exit_status < 0:
        return Reason(_how_it_ended(exit_status), "Start it again.")
    for cause in causes():
        if seen and cause.shadows:
            continue
        for line in reversed(lines):
            if found := cause.pattern.search(line):
                return cause.told_by(found)
    if seen:
        return Reason(seen, "Look at the log, then start it again.")
    for line in reversed(lines):
        if said := _ERROR_LINE.match(line):
            return Reason(f"it said “{said[2].strip().rstrip('.')[:_LONGEST]}”", "Look at the log.")
    return Reason(_how_it_ended(exit_status), "Look at the log, then start it again.")


def _how_it_ended(exit_status: int | None) -> str:
    if exit_status is None:
        return "its process is gone"
    if exit_status < 0:
        return f"it was killed by signal {-exit_status}" + _ABOUT_KILL * (exit_status == -9)
    return f"it ended by itself with exit status {exit_status}"
