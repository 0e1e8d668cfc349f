"""A database that can't be opened: one clear sentence for each reason, and nothing changed."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

from storage import migrate
from storage.database import Database
from storage.errors import (
    DatabaseDamaged,
    DatabaseNewer,
    DatabaseUnreachable,
)
from storage.migrations import HEAD, VERSION_TABLE
from storage.paths import Home
from tests.storage.kitchen import furnished

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


@contextmanager
def as_nobody() -> Generator[None]:
    """Without the rights of root, for whom every folder can be written."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def say_schema(home: Home, revision: str) -> None:
    with closing(sqlite3.connect(home.database_file)) as connection:
        connection.execute(f"UPDATE {VERSION_TABLE} SET version_num = ?", [revision])
        connection.commit()


async def refused(kind: type[Exception], home: Home | str) -> str:
    with pytest.raises(kind) as error:
        await Database.open(home)
    assert "Error" not in str(error.value)
    return str(error.value)


async def test_that_a_newer_schema_is_refused_by_name(home: Home) -> None:
    await furnished(home)
    say_schema(home, "0099")
    sentence = await refused(DatabaseNewer, home)
    assert "0099" in sentence
    assert HEAD in sentence
    assert [path.name for path in home.root.iterdir()] == ["dabba.sqlite3"]


async def test_that_a_file_that_is_no_database_is_refused(home: Home) -> None:
    home.make().database_file.write_bytes(b"these are not the records you are looking for" * 100)
    assert "is damaged" in await refused(DatabaseDamaged, home)


async def test_that_a_file_cut_short_is_refused(home: Home) -> None:
    await furnished(home)
    whole = home.database_file.read_bytes()
    home.database_file.write_bytes(whole[: len(whole) // 3])
    assert "is damaged" in await refused(DatabaseDamaged, home)


async def test_that_a_damaged_file_is_not_migrated(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    await furnished(home)
    with home.database_file.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(b"\xff" * 4096 * 12)
    monkeypatch.setattr(migrate, "HEAD", "0099")
    assert "is damaged" in await refused(DatabaseDamaged, home)
    assert not (home.root / f"dabba.sqlite3.schema-{HEAD}").exists()


async def test_that_another_programs_database_is_left_alone(home: Home) -> None:
    home.make()
    with closing(sqlite3.connect(home.database_file)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    assert "tables of another program" in await refused(DatabaseUnreachable, home)


async def test_that_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    with as_nobody():
        sentence = await refused(DatabaseUnreachable, Home(folder))
    assert str(folder) in sentence
    assert "Permission denied" in sentence


async def test_that_a_file_that_cannot_be_written_is_named(home: Home) -> None:
    await furnished(home)
    home.database_file.chmod(0o444)
    with as_nobody():
        assert str(home.database_file) in await refused(DatabaseUnreachable, home)


async def test_that_a_folder_in_the_place_of_the_file_is_refused(home: Home) -> None:
    home.database_file.mkdir(parents=True)
    assert "Is a directory" in await refused(DatabaseUnreachable, home)


@pytest.mark.parametrize("url", ["", "sqlite://", "mysql://kitchen/db", "sqlite:///:memory:"])
async def test_that_other_urls_are_refused_with_examples(url: str) -> None:
    assert "Give postgresql://" in await refused(DatabaseUnreachable, url)


async def test_that_postgresql_without_its_driver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    sentence = await refused(DatabaseUnreachable, "postgresql://cook:secret@kitchen.example/dabba")
    assert "psycopg is not installed" in sentence
    assert "secret" not in sentence
