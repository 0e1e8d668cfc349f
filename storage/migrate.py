"""Bringing a database to the newest schema, in one transaction, with a copy of an existing SQLite file beside it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from storage.database_sentences import damaged
from storage.errors import DatabaseDamaged, DatabaseNewer, DatabaseUnreachable
from storage.migrations import HEAD, VERSION_TABLE

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Engine

FOLDER = Path(__file__).parent / "migrations"
_OUR_LOCK = 0x0DABBA  # any number that no other program uses in the same PostgreSQL database


def bring_to_head(engine: Engine, where: str) -> None:
    """Upgrade the database if it is older. Two processes may call this at once: the second finds it done.

    `engine` must have SQLite's foreign keys off, since a table may be rebuilt. Raises StorageError or SQLAlchemy's.
    """
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _OUR_LOCK})
        found = schema_of(connection)
        if found == HEAD:
            return
        _refuse_what_is_not_ours(connection, found, where)
        if found is not None and engine.dialect.name == "sqlite":
            _refuse_damage(connection, where)
            copy_beside(Path(str(engine.url.database)), found)
        _upgrade(connection)


def schema_of(connection: Connection) -> str | None:
    """The revision that the database says it has; None for a database that this program has not written yet."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar_one()  # noqa: S608 - a constant


def copy_beside(file: Path, revision: str) -> Path:
    """A whole copy of the SQLite file as last committed, in the same folder. Returns its path; raises sqlite3.Error."""
    copy = file.with_name(f"{file.name}.schema-{revision}")
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600)
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(unfinished)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE").close()
    return unfinished.replace(copy)


def alembic_config() -> Config:
    """Alembic's view of the history, without an ini file."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _upgrade(connection: Connection) -> None:
    from alembic import command

    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _refuse_what_is_not_ours(connection: Connection, found: str | None, where: str) -> None:
    from alembic.script import ScriptDirectory

    if found is None:
        if inspect(connection).get_table_names():
            raise DatabaseUnreachable(
                f"The database {where} is left alone: it holds tables of another program. Name an empty database."
            )
        return
    if found not in {script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()}:
        raise DatabaseNewer(
            f"The database {where} was made by a newer version of this program: its schema is {found}, and the newest "
            f"known here is {HEAD}. Install the newer version, or set DABBA_HOME to another folder."
        )


def _refuse_damage(connection: Connection, where: str) -> None:
    first = connection.execute(text("PRAGMA quick_check(1)")).scalar_one()
    if first != "ok":
        raise DatabaseDamaged(damaged(where, str(first)))
