"""A database on SQLite for each test and, where a PostgreSQL server is named, the same test on PostgreSQL.

`DABBA_TEST_POSTGRES` names it, e.g. postgresql://user@127.0.0.1:5432/empty: its tables are dropped.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, text

from storage.connect import database_url
from storage.database import Database
from storage.paths import Home

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

POSTGRES = os.environ.get("DABBA_TEST_POSTGRES", "")
KINDS = ["sqlite", "postgresql"] if POSTGRES else ["sqlite"]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'kitchen.sqlite3'}"
    engine = create_engine(database_url(POSTGRES))
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return POSTGRES


@pytest.fixture
async def db(url: str) -> AsyncIterator[Database]:
    database = await Database.open(url)
    yield database
    await database.close()
