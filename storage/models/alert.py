"""Alerts that fired, and which of them nobody wants to hear of."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from storage.models.base import Base


class AlertTable(Base):
    __tablename__ = "alert"

    alert_id: Mapped[str] = mapped_column(primary_key=True)
    rule: Mapped[str]
    subject: Mapped[str]
    severity: Mapped[str]
    title: Mapped[str]
    began_at: Mapped[datetime]
    fired_at: Mapped[datetime] = mapped_column(index=True)
    worst: Mapped[float | None]
    said: Mapped[str]
    acknowledged_at: Mapped[datetime | None]
    cleared_at: Mapped[datetime | None] = mapped_column(index=True)


class AlertMuteTable(Base):
    __tablename__ = "alert_mute"

    rule: Mapped[str] = mapped_column(primary_key=True)
    subject: Mapped[str] = mapped_column(primary_key=True)
    until: Mapped[datetime | None]
