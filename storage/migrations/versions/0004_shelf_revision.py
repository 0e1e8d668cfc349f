"""A number that tells whether any article changed, whichever process changed it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    table = op.create_table(
        "shelf_revision",
        sa.Column("row_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("row_id", name="pk_shelf_revision"),
    )
    op.bulk_insert(table, [{"row_id": 1, "number": 0}])
