"""How long a turn stood still until whoever reads its answer took what was given."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("turn", sa.Column("client_ms", sa.Double(), nullable=True))
