"""What usage is added up from: why a turn did not know, the name of each engine run, and an index that holds it all."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "engine_run",
        sa.Column("engine_run", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("engine_run", name="pk_engine_run"),
    )
    op.add_column("turn", sa.Column("unknown", sa.Text(), nullable=True))
    op.create_index(
        "ix_turn_usage",
        "turn",
        [
            "usage_day", "tenant_id", "asked_at", "conversation_id", "engine_run", "outcome", "abandoned", "unknown",
            "withheld", "prompt_tokens", "cached_tokens", "output_tokens", "lookup_ms", "prefill_ms", "decode_ms",
            "ttft_ms",
        ],
    )  # fmt: skip
