"""Engine profiles and their versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select

from storage.errors import NoSuchRecord
from storage.models import EngineProfileTable
from storage.profile_records import ProfileRow

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session


def save_profile(session: Session, name: str, body: Mapping[str, Any], note: str, at: datetime) -> ProfileRow:
    """Keep a new version; one that says the same as the newest is not kept twice, and that one is returned."""
    newest = _newest(session, name)
    if newest is not None and (newest.body, newest.note) == (body, note):
        return _row_of(newest)
    version = newest.version + 1 if newest else 1
    row = EngineProfileTable(name=name, version=version, body=dict(body), note=note, created_at=at)
    session.add(row)
    session.flush()
    return _row_of(row)


def list_profiles(session: Session) -> tuple[ProfileRow, ...]:
    """The newest version of each, by name."""
    rows = session.scalars(select(EngineProfileTable).order_by(EngineProfileTable.name, EngineProfileTable.version))
    return tuple({row.name: _row_of(row) for row in rows}.values())


def profile_versions(session: Session, name: str) -> tuple[ProfileRow, ...]:
    """Every version, newest first; none when there is no such profile."""
    query = select(EngineProfileTable).where(EngineProfileTable.name == name)
    return tuple(_row_of(row) for row in session.scalars(query.order_by(EngineProfileTable.version.desc())))


def delete_profile(session: Session, name: str) -> int:
    """Delete every version; returns how many. Raises NoSuchRecord."""
    versions = len(profile_versions(session, name))
    if not versions:
        raise NoSuchRecord(f"There is no saved profile {name} in the database. Refresh the list and choose another.")
    session.execute(delete(EngineProfileTable).where(EngineProfileTable.name == name))
    return versions


def _newest(session: Session, name: str) -> EngineProfileTable | None:
    query = select(EngineProfileTable).where(EngineProfileTable.name == name)
    return session.scalars(query.order_by(EngineProfileTable.version.desc()).limit(1)).first()


def _row_of(row: EngineProfileTable) -> ProfileRow:
    return ProfileRow(row.name, row.version, row.body, row.note, row.created_at)
