"""Alerts that fired, and those that are muted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    moment = sa.DateTime(timezone=True)
    double: sa.Double[float] = sa.Double()
    op.create_table(
        "alert",
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("alert_id", "rule", "subject", "severity", "title")),
        sa.Column("began_at", moment, nullable=False),
        sa.Column("fired_at", moment, nullable=False),
        sa.Column("worst", double, nullable=True),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("acknowledged_at", moment, nullable=True),
        sa.Column("cleared_at", moment, nullable=True),
        sa.PrimaryKeyConstraint("alert_id", name="pk_alert"),
    )
    op.create_index("ix_alert_fired_at", "alert", ["fired_at"])
    op.create_index("ix_alert_cleared_at", "alert", ["cleared_at"])
    op.create_table(
        "alert_mute",
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("until", moment, nullable=True),
        sa.PrimaryKeyConstraint("rule", "subject", name="pk_alert_mute"),
    )
