"""What engines are started with: each save of a profile is a version of its own."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON
from sqlalchemy.orm import Mapped, mapped_column

from storage.models.base import Base


class EngineProfileTable(Base):
    __tablename__ = "engine_profile"

    name: Mapped[str] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    body: Mapped[dict[str, Any]] = mapped_column(JSON)
    note: Mapped[str]
    created_at: Mapped[datetime]
