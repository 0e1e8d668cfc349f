"""Turns that several engine runs worked on: what each but the last one did."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "turn_share",
        sa.Column("turn_id", sa.Text(), nullable=False),
        sa.Column("engine_run", sa.Text(), nullable=False),
        *(sa.Column(f"{kind}_tokens", sa.Integer(), nullable=False) for kind in ("prompt", "cached", "output")),
        sa.ForeignKeyConstraint(["turn_id"], ["turn.turn_id"], name="fk_turn_share_turn_id_turn"),
        sa.PrimaryKeyConstraint("turn_id", "engine_run", name="pk_turn_share"),
    )
    op.create_index("ix_turn_share_engine_run", "turn_share", ["engine_run"])
