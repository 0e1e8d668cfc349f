"""The history of the schema, one for SQLite and PostgreSQL. `HEAD` is its newest revision.

HEAD is written down here so that opening a database that is up to date need not load Alembic; a test compares them.
"""

HEAD = "0011"
VERSION_TABLE = "dabba_schema"
