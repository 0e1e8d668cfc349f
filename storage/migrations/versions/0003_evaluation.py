"""Measuring retrieval: known questions, and runs with their figures."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "evaluation_question",
        *(_text(name) for name in ("question_id", "text", "language", "tenant_id")),
        *(_json(name) for name in ("supports", "also")),
        _text("source"),
        sa.Column("turn_id", sa.Text(), nullable=True),
        _moment("changed_at"),
        sa.PrimaryKeyConstraint("question_id", name="pk_evaluation_question"),
    )
    op.create_table(
        "evaluation_run",
        *(_text(name) for name in ("run_id", "kind")),
        _moment("at"),
        _text("version"),
        *(_json(name) for name in ("settings", "figures", "results")),
        sa.PrimaryKeyConstraint("run_id", name="pk_evaluation_run"),
    )
    op.create_index("ix_evaluation_run_at", "evaluation_run", ["at"])


def _text(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.Text(), nullable=False)


def _json(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.JSON(), nullable=False)


def _moment(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False)
