"""A tenant may have a TTFT target of its own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tenant", sa.Column("ttft_target_ms", sa.Integer(), nullable=True))
