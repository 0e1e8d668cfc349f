"""Opening the database, the copy before it changes, and what is promised while it is open."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from storage import migrate
from storage.connect import database_url, make_engine
from storage.database import Database
from storage.errors import (
    DatabaseBusy,
    DiskFull,
    WorkerClosed,
)
from storage.migrate import alembic_config
from storage.migrations import HEAD, VERSION_TABLE
from storage.models import Base
from storage.queries.tenants import all_tenants, upsert_tenant
from tests.storage.kitchen import KAMALA, furnish, furnished

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.paths import Home


def test_that_the_history_ends_at_head() -> None:
    assert ScriptDirectory.from_config(alembic_config()).get_heads() == [HEAD]


async def test_that_the_history_makes_the_tables_of_the_models(url: str) -> None:
    await (await Database.open(url)).close()
    engine = make_engine(database_url(url), 1.0)
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"version_table": VERSION_TABLE, "compare_type": True, "target_metadata": Base.metadata}
        )
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


async def test_that_what_was_written_is_there_after_opening_again(url: str) -> None:
    for _ in range(2):
        database = await Database.open(url)
        await database.run(furnish if not await database.run(all_tenants) else all_tenants)
        await database.close()
        await database.close()
    database = await Database.open(url)
    assert [tenant.name for tenant in await database.run(all_tenants)] == ["Kamala Dabba", "Portland"]
    await database.close()


async def test_that_the_file_is_private_in_wal_mode_with_foreign_keys(home: Home) -> None:
    database = await Database.open(home)

    def pragmas(session: Session) -> list[object]:
        names = ("journal_mode", "foreign_keys", "busy_timeout")
        return [session.execute(text(f"PRAGMA {name}")).scalar() for name in names]

    assert await database.run(pragmas) == ["wal", 1, 10000]
    assert {path.stat().st_mode & 0o077 for path in home.root.iterdir()} == {0}
    await database.close()
    assert [path.name for path in home.root.iterdir()] == ["dabba.sqlite3"]


async def test_that_an_older_file_is_copied_beside_itself_before_it_changes(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    await furnished(home)

    def change(connection: object) -> None:
        connection.execute(text("DROP TABLE turn"))  # type: ignore[attr-defined]
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '0099'"))  # type: ignore[attr-defined]

    monkeypatch.setattr(migrate, "HEAD", "0099")
    monkeypatch.setattr(migrate, "_upgrade", change)
    await (await Database.open(home)).close()
    copy = home.root / f"dabba.sqlite3.schema-{HEAD}"
    assert sorted(path.name for path in home.root.iterdir()) == ["dabba.sqlite3", copy.name]
    assert copy.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT count(*) FROM tenant").fetchone() == (2,)
        assert connection.execute("SELECT count(*) FROM turn").fetchone() == (0,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


async def test_that_a_migration_that_breaks_leaves_the_file_as_it_was(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    await furnished(home)

    def change_and_break(connection: object) -> None:
        connection.execute(text("DROP TABLE turn"))  # type: ignore[attr-defined]
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(migrate, "HEAD", "0099")
        patch.setattr(migrate, "_upgrade", change_and_break)
        with pytest.raises(DiskFull, match="the disk is full"):
            await Database.open(home)
    database = await Database.open(home)
    assert await database.run(lambda s: s.execute(text("SELECT count(*) FROM turn")).scalar()) == 0
    await database.close()


async def test_that_a_database_locked_by_another_is_busy_and_then_free(home: Home) -> None:
    database = await Database.open(home, busy_timeout_s=0.05)
    with closing(sqlite3.connect(home.database_file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseBusy, match="is busy: another process"):
            await database.run(all_tenants)
        other.execute("ROLLBACK")
    assert await database.run(all_tenants) == ()
    await database.close()


async def test_that_a_full_disk_is_told_and_changes_nothing(home: Home) -> None:
    database = await Database.open(home)
    await database.run(furnish)

    def fill(session: Session) -> None:
        session.execute(text("PRAGMA max_page_count = 1"))
        session.execute(text("CREATE TABLE filler AS SELECT zeroblob(1000000) AS zeros"))

    with pytest.raises(DiskFull, match="the disk is full"):
        await database.run(fill)
    assert len(await database.run(all_tenants)) == 2
    await database.close()


async def test_that_work_is_done_even_if_its_caller_is_cancelled(home: Home) -> None:
    database = await Database.open(home)
    gate = threading.Event()
    holding = asyncio.create_task(database.run(lambda _: gate.wait(30)))
    writing = asyncio.create_task(database.run(lambda s: upsert_tenant(s, KAMALA)))
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    gate.set()
    await holding
    assert await database.run(all_tenants) == (KAMALA,)
    await database.close()


async def test_that_a_fault_in_our_own_sql_is_not_blamed_on_the_database(db: Database) -> None:
    with pytest.raises(DBAPIError):
        await db.run(lambda s: s.execute(text("SELECT FROM nowhere AT ALL")))
    assert await db.run(all_tenants) == ()


async def test_that_a_closed_database_takes_no_more_work(home: Home) -> None:
    database = await Database.open(home)
    await database.close()
    with pytest.raises(WorkerClosed, match="database"):
        await database.run(all_tenants)
