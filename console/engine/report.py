"""The report that Copy puts into the clipboard: enough for somebody else to see what happened, and no secret. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from console.engine.engine_shown import status_word
from engine_host.engine.options import option_named
from engine_host.engine.options_values import value_text
from engine_host.engine.without_secrets import without_secrets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.engine.home_facts import HomeFacts
    from console.engine.log_lines import LogEntry
    from console.setup.doctor import Diagnosis
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.state import EngineState

LAST_LINES: Final = 400


def derive_report(
    engine: EngineState, profile: EngineProfile, facts: HomeFacts | None, diagnosis: Diagnosis | None,
    entries: Sequence[LogEntry],
) -> str:  # fmt: skip
    """Engine, runtime, profile, phases, what the doctor says, then the last lines of the log, as text."""
    lines = [entry.raw for entry in entries[-LAST_LINES:]]
    told = [
        *_engine_lines(engine, facts),
        *_profile_lines(profile),
        *(["", "Doctor:", *_doctor_lines(diagnosis)] if diagnosis else []),
        "",
        f"Log, the last {len(lines):,} of {len(entries):,} lines:",
        *lines,
    ]
    return without_secrets("\n".join(told))


def _engine_lines(engine: EngineState, facts: HomeFacts | None) -> list[str]:
    where = f", {engine.url}" if engine.url else ""
    return [
        f"Engine: {engine.name or 'none'}, {status_word(engine.status)}{where}",
        f"Model: {engine.model or 'none'}",
        f"Runtime: {facts.runtime if facts and facts.runtime else 'not known'}",
        *([f"Reason: {engine.reason} {engine.next_step}".rstrip()] if engine.reason else []),
        *([f"Found: {engine.found.sentence}"] if engine.found else []),
        *(
            f"Phase {one.phase.value}: {one.started_s:.1f} s to "
            + (f"{one.ended_s:.1f} s" if one.ended_s is not None else "now")
            for one in engine.phases
        ),
    ]


def _profile_lines(profile: EngineProfile) -> list[str]:
    version = f"version {profile.version}" if profile.version else "as the program or the settings have it"
    values = [f"{key} {value_text(option_named(key), value)}" for key, value in profile.all_values().items()]
    extra = [f"Extra arguments: {' '.join(profile.extra)}"] if profile.extra else []
    return [f"Profile: {profile.name}, {version}, {profile.model.name}", f"Options: {', '.join(values)}", *extra]


def _doctor_lines(diagnosis: Diagnosis) -> list[str]:
    return [
        f"{'ok' if check.ok else 'NOT OK'}  {check.name}: {check.fact} {check.next_step}".rstrip()
        for check in diagnosis.checks
    ]
