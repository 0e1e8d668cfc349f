"""Making the SQLAlchemy engine of a database: what both kinds of database need to behave alike."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from storage.errors import DatabaseUnreachable
from storage.models.base import storable

if TYPE_CHECKING:
    from sqlite3 import Connection as SqliteConnection

    from sqlalchemy import URL, Connection, Engine


def database_url(text: str) -> URL:
    """`text` as a URL with the driver that this program uses. Raises DatabaseUnreachable for anything else."""
    try:
        url = make_url(text)
    except ArgumentError as error:
        raise DatabaseUnreachable(_wrong_url("it is not a database URL")) from error
    kind = url.get_backend_name()
    if kind == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if kind != "sqlite" or not url.database or url.database == ":memory:":
        raise DatabaseUnreachable(_wrong_url(f"{kind} without a file or of another kind can't keep the records"))
    return url.set(drivername="sqlite+pysqlite")


def _wrong_url(reason: str) -> str:
    return f"The database URL is refused: {reason}. Give postgresql://user@host/name or sqlite:////folder/file.sqlite3."


def make_engine(url: URL, busy_timeout_s: float, *, foreign_keys: bool = True) -> Engine:
    """An engine with one connection. On SQLite every transaction takes the write lock when it begins.

    Without that, two processes that read first and write later could each refuse the other's write.
    """
    if url.get_backend_name() == "postgresql":
        return _postgresql(url, busy_timeout_s)
    _make_private(Path(str(url.database)))
    engine = create_engine(
        url,
        pool_size=1,
        max_overflow=0,
        json_serializer=_as_json,
        connect_args={"timeout": busy_timeout_s, "isolation_level": None},
    )

    def set_up(connection: SqliteConnection, _record: object) -> None:
        connection.execute("PRAGMA journal_mode=WAL").close()
        connection.execute("PRAGMA synchronous=NORMAL").close()
        connection.execute(f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}").close()

    event.listen(engine, "connect", set_up)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _postgresql(url: URL, busy_timeout_s: float) -> Engine:
    options = f"-c lock_timeout={round(busy_timeout_s * 1000)} -c timezone=UTC"
    try:
        return create_engine(
            url,
            pool_size=1,
            max_overflow=0,
            pool_pre_ping=True,
            json_serializer=_as_json,
            connect_args={"connect_timeout": 10, "options": options},
        )
    except ModuleNotFoundError as error:
        raise DatabaseUnreachable(
            "PostgreSQL can't be reached: the package psycopg is not installed. "
            "Install psycopg[binary] beside this program, or remove storage.database_url from settings.toml."
        ) from error


def _make_private(file: Path) -> None:
    """Create the file before SQLite does, readable by its owner only; its journal files take over the mode."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))


def _as_json(value: Any) -> str:
    return storable(json.dumps(value, ensure_ascii=False, allow_nan=False))
