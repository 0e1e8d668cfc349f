"""The history of the engines' metrics: blocks of samples."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "metric_columns",
        sa.Column("columns_id", sa.Integer(), nullable=False),
        sa.Column("names", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("columns_id", name="pk_metric_columns"),
    )
    op.create_table(
        "metric_sample",
        sa.Column("engine", sa.Text(), nullable=False),
        sa.Column("step_s", sa.Integer(), nullable=False),
        sa.Column("start_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("end_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("columns_id", sa.Integer(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["columns_id"], ["metric_columns.columns_id"], name="fk_metric_sample_columns_id_metric_columns"
        ),
        sa.PrimaryKeyConstraint("engine", "step_s", "start_at", name="pk_metric_sample"),
    )
    op.create_index("ix_metric_sample_step_s_end_at", "metric_sample", ["step_s", "end_at"])
