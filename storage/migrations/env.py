"""Run by Alembic for each upgrade, on the connection and in the transaction that storage/migrate.py opened."""

from __future__ import annotations

from alembic import context

from storage.migrations import VERSION_TABLE
from storage.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
