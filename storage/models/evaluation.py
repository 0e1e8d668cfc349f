"""What retrieval is measured with: known questions, and runs with their figures."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON
from sqlalchemy.orm import Mapped, mapped_column

from storage.models.base import Base


class EvaluationQuestionTable(Base):
    """`turn_id` is no foreign key: a question outlives the turn that it was made of."""

    __tablename__ = "evaluation_question"

    question_id: Mapped[str] = mapped_column(primary_key=True)
    text: Mapped[str]
    language: Mapped[str]
    tenant_id: Mapped[str]
    supports: Mapped[list[list[str]]] = mapped_column(JSON)
    also: Mapped[list[str]] = mapped_column(JSON)
    source: Mapped[str]
    turn_id: Mapped[str | None]
    changed_at: Mapped[datetime]


class EvaluationRunTable(Base):
    __tablename__ = "evaluation_run"

    run_id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    at: Mapped[datetime] = mapped_column(index=True)
    version: Mapped[str]
    settings: Mapped[dict[str, Any]] = mapped_column(JSON)
    figures: Mapped[dict[str, Any]] = mapped_column(JSON)
    results: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
