"""Marks on the time axis of every chart, and what each run of an engine was called."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from storage.models.base import Base


class EngineEventTable(Base):
    __tablename__ = "engine_event"

    event_id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(index=True)
    kind: Mapped[str]
    subject: Mapped[str]
    text: Mapped[str]


class EngineRunTable(Base):
    __tablename__ = "engine_run"

    engine_run: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
