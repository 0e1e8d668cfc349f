"""The report that Copy puts into the clipboard: enough for somebody else to see what happened, no key. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from console.engine.engine_shown import status_word
from console.engine.profile_fields import ALL_ROWS
from console.engine.profile_shown import value_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.engine.log_lines import LogEntry
    from console.engine.presenter import EngineView

LAST_LINES: Final = 400


def derive_report(view: EngineView, entries: Sequence[LogEntry]) -> str:
    """Engine, runtime, profile, phases, then the last lines of the log, as text."""
    engine = view.engine
    facts = [
        f"Engine: {engine.name or 'none'}, {status_word(engine.status)}" + (f", {engine.url}" if engine.url else ""),
        f"Model: {engine.model or view.model.name}",
        f"Runtime: {view.facts.runtime if view.facts and view.facts.runtime else 'not known'}",
        *([f"Reason: {engine.reason} {engine.next_step}".rstrip()] if engine.reason else []),
        "Profile: " + ", ".join(f"{row.flag} {value_text(row, getattr(view.saved, row.key))}" for row in ALL_ROWS),
        *(
            f"Phase {one.phase.value}: {one.started_s:.1f} s to "
            + (f"{one.ended_s:.1f} s" if one.ended_s is not None else "now")
            for one in engine.phases
        ),
    ]
    lines = [entry.raw for entry in entries[-LAST_LINES:]]
    return "\n".join([*facts, "", f"Log, the last {len(lines)} of {len(entries)} lines:", *lines])
