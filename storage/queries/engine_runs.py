"""What each run of an engine was called, so that figures of many runs of one engine can be added up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from storage.models import EngineRunTable

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


def keep_engine_run(session: Session, engine_run: str, name: str) -> None:
    """The first name stays: counters of an engine must never go over to another."""
    if session.get(EngineRunTable, engine_run) is None:
        session.add(EngineRunTable(engine_run=engine_run, name=name))


def engine_run_names(session: Session) -> dict[str, str]:
    """Names by run."""
    return {row.engine_run: row.name for row in session.scalars(select(EngineRunTable))}
