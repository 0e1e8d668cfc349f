"""What an incident report tells of a span, read once. No word of a customer is among it, and no secret."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from console.setup.version import program_version
from engine_host.engine.errors import EngineRoomError
from engine_host.engine.profile_shelf import ProfileShelf
from engine_host.engine.runtime import find_runtime
from engine_host.engine.without_secrets import without_secrets
from storage.queries.alerts import alerts_between
from storage.queries.turn_counts import turn_counts

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import tzinfo

    from sqlalchemy.orm import Session

    from console.live.history_reading import HistoryRead
    from engine_host.engine.state import EngineState
    from storage.alert_records import AlertEpisode
    from storage.database import Database
    from storage.paths import Home
    from storage.queries.turn_counts import TurnCount
    from storage.settings import Settings


@dataclass(frozen=True, slots=True)
class IncidentFacts:
    """`versions`, `engines` and `profile` are names and what is true of them, as words."""

    read: HistoryRead
    zone: tzinfo
    made_at: datetime
    alerts: tuple[AlertEpisode, ...] = ()
    turns: tuple[TurnCount, ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    engines: tuple[tuple[str, str], ...] = ()
    profile: tuple[tuple[str, str], ...] = ()


async def read_incident(
    database: Database, home: Home, settings: Settings, engines: Iterable[EngineState], read: HistoryRead, zone: tzinfo
) -> IncidentFacts:
    """What is to be said beside the figures of `read`. Raises StorageError."""
    alerts, turns = await database.run(partial(_find, read.first, read.last))
    return IncidentFacts(
        read=read,
        zone=zone,
        made_at=datetime.now(UTC),
        alerts=alerts,
        turns=turns,
        versions=await _versions(home, settings),
        engines=tuple((state.name or "none", _engine(state)) for state in engines),
        profile=await _profile(database, settings),
    )


def _find(first: float, last: float, session: Session) -> tuple[tuple[AlertEpisode, ...], tuple[TurnCount, ...]]:
    begin, end = datetime.fromtimestamp(first, UTC), datetime.fromtimestamp(last, UTC)
    return alerts_between(session, begin, end), turn_counts(session, begin, end)


async def _versions(home: Home, settings: Settings) -> tuple[tuple[str, str], ...]:
    try:
        runtime = await find_runtime(home, settings)
        vllm = f"{runtime.version} ({runtime.kind.value})" if runtime else "not installed here"
    except EngineRoomError as error:
        vllm = str(error)
    system = f"{platform.system()} {platform.release()}, {platform.machine()}"
    return (
        ("Dabba Console", program_version()),
        ("vLLM for hosted engines", vllm),
        ("Python", sys.version.split()[0]),
        ("System", system),
    )


def _engine(state: EngineState) -> str:
    how = "hosted" if state.hosted else "attached"
    found = f" {state.found.sentence}" if state.found else ""
    return without_secrets(f"{state.status.value}, {how}, {state.model or 'no model'}. {state.reason}{found}".strip())


async def _profile(database: Database, settings: Settings) -> tuple[tuple[str, str], ...]:
    """The profile of the settings; without one, what the settings themselves say of an engine."""
    kept = await ProfileShelf(database).find(settings.engine.profile) if settings.engine.profile else None
    if kept is None:
        said = settings.engine.model_dump(exclude={"more", "python", "attach_ca_file"}, exclude_none=True)
        return tuple((name, without_secrets(str(value))) for name, value in said.items())
    profile = kept.profile
    return (
        ("name", f"{profile.name}, version {profile.version}" if profile.version else profile.name),
        ("model", profile.model.name),
        *((key, str(value)) for key, value in profile.all_values().items()),
        *((("further arguments", without_secrets(" ".join(profile.extra))),) if profile.extra else ()),
    )
